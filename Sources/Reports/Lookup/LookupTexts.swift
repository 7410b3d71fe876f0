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
    case kind, safety, unsafe, route, pasted, status, origin, check, proof
    case retryState = "retry_state", answer
}

extension LookupSafety {
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

    func lookup(_ group: LookupGroup, code: String, _ values: String...) -> String {
        filled(word("lookup.\(group.rawValue).\(code)"), values)
    }
}
