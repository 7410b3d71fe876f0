internal import Domain
internal import Engine

/// Texts of the look-up that do not correspond to a code, at `lookup.label.…` in the templates.
enum LookupLabel: String, CaseIterable {
    case knowsUpTo = "knows_up_to", covers, missing, subjectsMore = "subjects_more", exceptionOf = "exception_of"
    case headline, saidOf = "said_of", verdictLine = "verdict_line"
    case notFound = "not_found", searched, near
    case staleRecords = "stale_records", readAs = "read_as", counts, settled
    case safe, yes, no, notNeeded = "not_needed", meaning, customer, next, approval, facts, timeline, history, retry,
        goods, belongsTo =
        "belongs_to"
    case historyStep = "history_step", byWhom = "by_whom", retryLine = "retry_line"
    case approvalNone = "approval_none", customerChecking = "customer_checking", customerOrder = "customer_order"
    case customerAccount = "customer_account", customerGiven = "customer_given", productNamed = "product_named",
        difference, shortfall
    case matchedTitle = "matched_title"
    case recordAs = "record_as", openPurchases = "open_purchases", suggestedOrders = "suggested_orders"
    case order, orderUpdate = "order_update", credit, reversal, purchase, refund, partialRefund = "partial_refund"
    case uncountedRefund = "uncounted_refund", familyEnd = "family_end", receipt
}

/// Closed sets of codes that only the look-up has words for, at `lookup.…` in the templates.
enum LookupGroup: String, CaseIterable {
    case kind, safety, advice, unsafe, route, pasted, status, origin, check, proof
    case retryState = "retry_state", answer

    /// All codes that need a text.
    var codes: [String] {
        switch self {
        case .kind: LookupKind.allCases.map(\.rawValue)
        case .safety: ["safe", "safe_after_tries", "taken_back"] + LookupSafety.advised.map(\.code)
        case .advice: LookupSafety.advised.map(\.code)
        case .unsafe: Verdict.allCases.filter { $0 != .paidNotCredited }.map(\.rawValue)
        case .route: LookupRoute.allCases.map(\.rawValue)
        case .pasted: PastedRecord.Outcome.allCases.map(\.rawValue)
        case .status: OrderStatus.allCases.map(\.rawValue)
        case .origin: CreditOrigin.allCases.map(\.rawValue)
        case .check: [CheckOutcome.accepted, .rejected, .unverified].map { "\($0)" }
        case .proof: Proof.allCases.map { "\($0)" }
        case .retryState: RetryEntry.State.allCases.map(\.rawValue)
        case .answer: AckOutcome.allCases.map(\.rawValue)
        }
    }
}

extension LookupSafety {
    /// The reasons that have advice of their own, which replaces the verdict's.
    static let advised: [LookupSafety] = [
        .purchaseOpen([]), .partlyGiven, .orderCrossed, .paidTwice, .waived, .creditOnRecord([]), .creditRejected(""),
        .creditUnplaced([]),
        .ownerUnknown, .ownerDisputed, .given(HandOut(transaction: .absent, by: "", at: .absent)), .retryOut,
        .retryFetch,
        .retrySilent(0), .applied, .retryUnclear, .held, .guarded,
        .creditsMissing(BusinessDate(day: 0)), .recordsMissing(.orders, BusinessDate(day: 0)), .stale(0), .rulesChanged,
    ]

    /// Whether the customer lacks nothing, so that nothing has to be given.
    func isNotNeeded(_ verdict: Verdict) -> Bool {
        self == .verdict && [.matched, .orderMissing, .closed, .outOfScope].contains(verdict)
    }

    /// Whether nothing may be promised to the customer until an agent has checked.
    var isDoubtful: Bool {
        switch self {
        case .safe, .safeAfterTries, .verdict, .retryOut, .ownerUnknown, .purchaseOpen, .given: false
        default: true
        }
    }
}

extension Texts {
    func lookup(_ label: LookupLabel, _ values: String...) -> String {
        filled(word("lookup.label." + label.rawValue), values)
    }

    func lookup(_ group: LookupGroup, _ code: String, _ values: String...) -> String {
        filled(word("lookup.\(group.rawValue).\(code)"), values)
    }
}
