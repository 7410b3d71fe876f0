/// What the agent can do about an identifier that is not known. The raw values are written to JSON.
public enum LookupRoute: String, Sendable, CaseIterable {
    /// It has the form of the order id in Apple's e-mails, and no answer of Apple's about it is on record.
    case appleOrder = "apple_order"
    /// Apple answered that this order id is not of this app.
    case appleDenied = "apple_denied"
    /// A record of Apple's was pasted, and the purchases that it names are not on record.
    case pastedUnknown = "pasted_unknown"
    /// A record was pasted that cannot be read.
    case pastedUnreadable = "pasted_unreadable"
    /// It contains nothing that could be an identifier.
    case noIdentifier = "no_identifier"
    /// It may be newer than the records, or another system's number.
    case unknown
}

/// A record of Apple's, or a receipt, that was pasted instead of an identifier.
public struct PastedRecord: Hashable, Sendable {
    /// What Apple's signature proves about it.
    public enum Outcome: String, Sendable, CaseIterable {
        case verified, unverifiable, invalid, unreadable
    }
    /// What Apple's signature proves about it.
    public var outcome: Outcome
    public var transactions: [String]

    public init(outcome: Outcome, transactions: [String]) {
        self.outcome = outcome
        self.transactions = transactions
    }
}

/// How old the records are.
public struct LookupStaleness: Hashable, Sendable {
    /// The business date of the last night.
    public var date: BusinessDate
    /// Whole days since its end, rounded.
    public var days: Int
}
