/// All evidence tied together by shared identifiers, one standing copy a key. RULES §2.
///
/// Each array is sorted by its key, so that nothing depends on the order of import.
public struct Case: Sendable {
    public var orders: [Order]
    /// Rows of the credit ledger only: implicit credits are the rules' to add.
    public var credits: [Credit]
    public var transactions: [Transaction]
    public var receipts: [Receipt]

    public init(
        orders: [Order] = [], credits: [Credit] = [], transactions: [Transaction] = [], receipts: [Receipt] = []
    ) {
        self.orders = orders
        self.credits = credits
        self.transactions = transactions
        self.receipts = receipts
    }
}

/// What gets exactly one verdict, by the kind and id of the evidence that names it.
public struct SubjectKey: Hashable, Sendable {
    public enum Kind: UInt8, Sendable, CaseIterable {
        case transaction, order, receipt, credit
        public var name: String { "\(word)" }
        public var word: StaticString {
            switch self {
            case .transaction: "transaction"
            case .order: "order"
            case .receipt: "receipt"
            case .credit: "credit"
            }
        }
    }
    // The larger first: nine bytes, of which others can fill the rest.
    public var id: Identifier
    public var kind: Kind

    public init(_ kind: Kind, _ id: Identifier) {
        self.kind = kind
        self.id = id
    }

    /// `transaction:2000000123456789`: what an exception's id is the hash of.
    public var text: String { kind.name + ":" + id.text }
}

extension SubjectKey: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        left.kind == right.kind ? left.id < right.id : left.kind.rawValue < right.kind.rawValue
    }
}

/// A field in which the evidence disagrees, with both values as people read them.
public struct Difference: Hashable, Sendable {
    public var field: ComparedField
    public var left: String
    public var right: String

    public init(field: ComparedField, left: String, right: String) {
        self.field = field
        self.left = left
        self.right = right
    }
}

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
