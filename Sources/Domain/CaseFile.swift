/// All evidence tied together by shared identifiers, one standing copy a key. RULES §2.
///
/// Each array is sorted by its key, so that nothing depends on the order of import.
package struct CaseFile: Sendable {
    package var orders: [Order]
    /// Rows of the credit ledger only: implicit credits are the rules' to add.
    package var credits: [Credit]
    package var transactions: [Transaction]
    package var receipts: [Receipt]

    package init(
        orders: [Order] = [], credits: [Credit] = [], transactions: [Transaction] = [], receipts: [Receipt] = []
    ) {
        self.orders = orders
        self.credits = credits
        self.transactions = transactions
        self.receipts = receipts
    }
}

/// What gets exactly one verdict, by the kind and id of the evidence that names it.
package struct SubjectKey: Hashable, Sendable {
    package enum Kind: UInt8, Sendable, CaseIterable {
        case transaction, order, receipt, credit
        package var name: String { String(describing: self) }
    }
    // The larger first: nine bytes, of which others can fill the rest.
    package var id: Identifier
    package var kind: Kind

    package init(_ kind: Kind, _ id: Identifier) {
        self.kind = kind
        self.id = id
    }

    /// `transaction:2000000123456789`: what an exception's id is the hash of.
    package var text: String { kind.name + ":" + id.text }
}

extension SubjectKey: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        left.kind == right.kind ? left.id < right.id : left.kind.rawValue < right.kind.rawValue
    }
}

/// A field in which the evidence disagrees, with both values as people read them.
package struct Difference: Hashable, Sendable {
    package var field: ComparedField
    package var left: String
    package var right: String

    package init(field: ComparedField, left: String, right: String) {
        self.field = field
        self.left = left
        self.right = right
    }
}

/// The one verdict of one subject, and what it rests on.
package struct Judgement: Hashable, Sendable {
    package var subject: SubjectKey
    package var verdict: Verdict
    package var cause: Cause
    package var flags: Flags = []
    /// The instant from which the verdict's grace and age count.
    package var anchor: Instant
    /// What the subject is worth: the customer price, else the product list's, else the order's amount. Nil: unknown.
    package var amount: Money?
    /// Value credited less value owed; negative when the customer is short. Nil where it cannot be known.
    package var effect: Money?
    package var short: Short = .nobody
    package var action: Action = .none
    package var differences: [Difference] = []
    package var quantity: Int32?
    package var product: Identifier?
    /// The account that the goods belong to, where it is known.
    package var owner: Identifier?
    package var suggestedOrder: Identifier?
    package var members = Members()

    /// Which evidence of the case is the subject's: positions in the case file's arrays, ascending.
    package struct Members: Hashable, Sendable {
        package var orders: [Int] = []
        /// Credits that are rows; implicit ones are not listed.
        package var credits: [Int] = []
        package var transactions: [Int] = []
        package var receipts: [Int] = []
        package init() {}
    }

    package init(subject: SubjectKey, verdict: Verdict, cause: Cause = .none, anchor: Instant) {
        self.subject = subject
        self.verdict = verdict
        self.cause = cause
        self.anchor = anchor
    }
}
