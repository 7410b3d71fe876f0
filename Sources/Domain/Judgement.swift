/// The one verdict of one subject, and what it rests on.
public struct Judgement: Hashable, Sendable {
    public var subject: SubjectKey
    public var verdict: Verdict
    public var cause: Cause
    public var flags: Flags = []
    /// The instant from which the verdict's grace and age count.
    public var anchor: Instant
    /// What the subject is worth: the customer price, else the product list's, else the order's amount. Nil: unknown.
    public var amount: Money?
    /// Value credited less value owed; negative when the customer is short. Nil where it cannot be known.
    public var effect: Money?
    public var short: ShortParty = .nobody
    public var action: Action = .none
    public var differences: [Difference] = []
    public var quantity: Int32?
    public var product: Identifier?
    /// The account that the goods belong to, where it is known.
    public var owner: Identifier?
    public var suggestedOrder: Identifier?
    public var members = Members()

    /// Which evidence of the case is the subject's: positions in the case file's arrays, ascending.
    public struct Members: Hashable, Sendable {
        public var orders: [Int] = []
        /// Credits that are rows; implicit ones are not listed.
        public var credits: [Int] = []
        public var transactions: [Int] = []
        public var receipts: [Int] = []
        public init() {}
    }

    public init(subject: SubjectKey, verdict: Verdict, cause: Cause = .none, anchor: Instant) {
        self.subject = subject
        self.verdict = verdict
        self.cause = cause
        self.anchor = anchor
    }
}
