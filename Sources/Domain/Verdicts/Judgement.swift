/// The verdict on one subject, and the evidence behind it.
public struct Judgement: Hashable, Sendable {
    public var subject: SubjectKey
    public var verdict: Verdict
    public var cause: Cause
    /// The verdict behind `waiting` or `undetermined`: what tonight's facts would come to if nothing else arrived. The
    /// verdict itself otherwise.
    public var verdictBehind: Verdict
    /// The cause of `verdictBehind`.
    public var causeBehind: Cause
    public var flags: Flags = []
    /// The instant from which grace and age count.
    public var anchor: Instant
    /// What the subject is worth: the customer price, else the product list's price, else the order's amount. Nil if
    /// none is known.
    public var amount: Money?
    /// The effect: value credited less value owed, negative where the customer is short. Nil if it cannot be
    /// known.
    public var effect: Money?
    public var short: ShortParty = .nobody
    public var action: Action = .none
    /// A lost order whose payment may be older than the goods on record.
    public var mayPredateRecords = false
    /// Fields in which the evidence disagrees; filled for `value_mismatch` only.
    public var differences: [Difference] = []
    /// Pieces bought; nil if no evidence says.
    public var quantity: Int32?
    /// The product; nil if no evidence says.
    public var product: Identifier?
    /// The account that the goods belong to; nil if unknown or contested.
    public var owner: Identifier?
    /// An unlinked order that the purchase probably belongs to; nil without one.
    public var suggestedOrder: Identifier?
    public var members = Members()

    /// The subject's evidence by position in the arrays of its case, ascending.
    public struct Members: Hashable, Sendable {
        /// The subject's orders, including those that are only shown with it.
        public var orders: [Int] = []
        /// Rows of the credit ledger, including reversals. Implicit credits are not listed.
        public var credits: [Int] = []
        /// The subject's records, proven or not.
        public var transactions: [Int] = []
        /// The subject's receipts, including those that are only shown with it.
        public var receipts: [Int] = []
        public init() {}
    }

    public init(subject: SubjectKey, verdict: Verdict, cause: Cause = .none, anchor: Instant) {
        self.subject = subject
        self.verdict = verdict
        self.cause = cause
        verdictBehind = verdict
        causeBehind = cause
        self.anchor = anchor
    }
}
