/// A key that finds evidence of other cases although no identifier links it.
public enum SuggestionKey: Hashable, Sendable {
    /// For an unlinked order or purchase: its account and product.
    case goods(account: Identifier, product: Identifier)
    /// For a stray credit that names an order: the plain spelling of the order's id.
    case order(spelling: String)
    /// For a stray credit that names a transaction: the plain spelling of the transaction's id.
    case transaction(spelling: String)

    /// For a stray credit that names this transaction in any spelling.
    static func transaction(_ id: Identifier) -> SuggestionKey { .transaction(spelling: looseSpelling(of: id.text)) }

    /// For goods that the account cannot have twice.
    static func owned(_ product: Identifier, by account: Identifier) -> SuggestionKey {
        .goods(account: Identifier(account.plainSpelling), product: product)
    }

    /// For a stray credit, and for an unlinked order of any product: the plain spelling of its account.
    static func goods(of account: Identifier) -> SuggestionKey {
        .goods(account: Identifier(account.plainSpelling), product: .absent)
    }
}

/// A key, and a case with unlinked evidence that is found under it.
public struct SuggestionEntry: Hashable, Sendable {
    public var key: SuggestionKey
    public var caseID: CaseID
}
