/// What an account of the general ledger is for, in suggested journal entries.
public enum AccountRole: String, Sendable, Codable, OrderedCases {
    /// What Apple owes.
    case receivable
    /// What customers have paid for and have not received.
    case obligation
    /// Goods that were given.
    case revenue
    /// Goods that were given without money.
    case givenFree
    /// What customers are owed, as the exceptions have it.
    case owed
    /// What is not decided yet, or not explained.
    case suspense
    /// What customers had paid for and not received before the first closed month.
    case opening
}
