/// One subject with its verdict and all the evidence for it.
public struct LookupSubject: Sendable {
    /// What an exception about the subject says, or would say.
    public var facts: ExceptionFacts
    /// The product's name from the product list; nil if it has none.
    public var productName: String?
    /// The account that the goods belong to; nil if unknown.
    public var owner: String?
    /// A later period of a subscription that Apple began, or may have begun.
    public var isRenewal = false
    /// The account has the goods by another payment or as a gift, and cannot have them twice.
    public var isOwned = false
    /// Whether the desk may compensate by hand, or why not.
    public private(set) var safety: LookupSafety
    /// Where a person must find out the owner: what else speaks against giving the goods; nil if nothing does.
    public var besidesOwner: LookupSafety?
    /// The subject's exception; nil if it never had one.
    public var exception: LookupException?
    /// What the desk did about that exception; nil if nothing.
    public var work: CaseWork?
    /// What users of the desk's page decided or wished about it, and no night has brought in.
    public var decisions: [StandingDecision] = []
    /// Hand-outs and waivers of it that were withdrawn, oldest first.
    public var withdrawn: [WithdrawnDecision] = []
    public var retries: [RetryEntry] = []
    /// The evidence in order of time.
    public var timeline: [TimelineEntry] = []
    /// For a purchase: orders that it may belong to although no link proves it.
    public var suggestedOrders: [String] = []
    /// For an order without a payment: delivered payments without an order that may be its own.
    public var orderlessPurchases: [String] = []
    /// A row that was rejected may be what is missing here.
    public var isRowRejected = false
    /// For a payment without a known owner: the orders without a payment that it may belong to, with their accounts.
    public var possibleOrders: [(order: String, account: String)] = []
    /// A lead gave the goods of this payment, whose owner no record names, to an account.
    public var givenByLead: HandOut?
    /// For an order: payments without goods that may belong to it.
    public var openPurchases: [String] = []
    /// The accounts that its orders belonged to before, where the order's token or all else stayed the same: those of a guest
    /// who signed up.
    public var formerAccounts: [String] = []
    /// Whether it belongs to the customer who asks. Nil if no asker is given, the owner is unknown, or it belonged to the
    /// asker before.
    public var belongsToAsker: Bool?
    /// Nothing shows that it is the customer's: the owner is not known, or a part of an id found it. So nothing about it is
    /// told to the customer.
    public var isUnproven = false
    /// A customer asks whose account is known.
    public var hasAsker = false
    /// The reader does not see accounts.
    public var isMasked = false
    /// Found by the message's description, not by an id.
    public var isDescribed = false
    /// It was recorded as given by hand more than a day before the records end, and no credit came.
    public var isCreditOverdue = false
    /// The account that a lead named when the goods were given, where the owner or the credit turned out to be another's.
    public var givenToOther: (named: String, other: String)?
    /// The customer complains about a charge, not about goods.
    public var isAboutCharge = false
    /// The customer speaks of money back, or says that the payment is not theirs.
    public var isDisputed = false
    /// The message has words beside the ids. They may say that the goods came, or are not wanted.
    public var hasWordsBesideIDs = false

    public var isRefunded: Bool { facts.verdict == .refundedNotReversed || facts.cause == .refunded }

    /// Whether a person must find out the owner.
    public var needsOwner: Bool { [.ownerUnknown, .ownerDisputed].contains(safety) }

    /// A person released this entry, or any, and no night has run since.
    public func isReleased(_ entry: RetryEntry? = nil) -> Bool {
        decisions.contains { $0.kind == .release && $0.decidedAt != nil && entry?.key ?? $0.key == $0.key }
    }

    /// The system will be asked for the goods by the next night, and never was before.
    public var isSentNext: Bool { safety == .retryOut && isReleased() && retries.allSatisfy { $0.attempts == 0 } }

    /// The request for a waiver that waits for a second user. Until that user decides, the goods must not be given.
    public var waiverWish: StandingDecision? { decisions.first { $0.kind == .waive && $0.decidedAt == nil } }

    /// Whether the goods may be given, and a user other than this one has the case in hand. Confirming a decision that
    /// another user recorded does not give the goods again.
    public func isLeft(toAnotherThan user: String?) -> Bool {
        guard safety.isSafe, let holder = work?.assignee, holder != user else { return false }
        return !decisions.contains { $0.kind == .given && $0.decidedAt == nil }
    }

    /// The time of the newest record of the desk's that a YES is shown beside: all of them are withdrawn. Nil without any.
    public var lastRecordAt: Instant? { withdrawn.map(\.withdrawal.at).max() }

    /// Nil if the owner is not known.
    func belongs(to account: String) -> Bool? {
        let accounts = owner.map { [$0] } ?? facts.accounts
        return accounts.isEmpty ? nil : accounts.contains(account)
    }

    /// Says whether it belongs to one of these accounts. What belongs to another one is never given for this customer.
    mutating func compare(with askers: [String]) {
        hasAsker = true
        let answers = askers.compactMap(belongs)
        belongsToAsker =
            answers.isEmpty || !answers.contains(true) && askers.contains(where: formerAccounts.contains)
            ? nil : answers.contains(true)
        isUnproven = belongsToAsker == nil
        // Number 0 of the page.
        if belongsToAsker == false { refuse(.otherAccount, evenIfRefused: true) }
    }

    /// A reason against giving the goods that `SafetyFacts` does not know. The first reason in the order of
    /// docs/spec/rules.md#safe-to-compensate counts.
    /// - Parameter evenIfRefused: it comes before the reason that is there, or says it better.
    public mutating func refuse(_ reason: LookupSafety, evenIfRefused: Bool = false) {
        if safety.isSafe || evenIfRefused { safety = reason }
    }
}

/// What an identifier may refer to. The raw values are written to JSON.
public enum LookupKind: String, Sendable, CaseIterable {
    case transaction, order, credit, receipt, account, token, line, exception, device, retry
    case emailedOrder = "emailed_order"

    init(_ kind: IdentifierKind) {
        self =
            switch kind {
            case .order: .order
            case .transaction: .transaction
            case .line: .line
            case .token: .token
            case .account: .account
            case .credit: .credit
            case .receipt: .receipt
            }
    }
}

/// A known identifier similar to the one looked up.
public struct NearIdentifier: Hashable, Sendable {
    public var kind: LookupKind
    public var id: String

    public init(kind: LookupKind, id: String) {
        self.kind = kind
        self.id = id
    }
}
