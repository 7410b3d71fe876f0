public import Domain

/// A key that finds evidence of other cases although no identifier links it.
public enum SuggestionKey: Hashable, Sendable {
    /// For an unlinked order, an unlinked purchase or a stray credit: its account and product. The product of a credit
    /// that names none is `Identifier.absent`.
    case goods(account: Identifier, product: Identifier)
    /// For a stray credit that names an order: the plain spelling of the order's id.
    case order(spelling: String)
    /// For a stray credit that names a transaction: the plain spelling of the transaction's id.
    case transaction(spelling: String)
}

/// A key, and a case with unlinked evidence that is found under it.
public struct SuggestionEntry: Hashable, Sendable {
    /// The key that finds the case.
    public var key: SuggestionKey
    /// The number of the case.
    public var caseID: CaseID

    public init(_ key: SuggestionKey, caseID: CaseID) {
        self.key = key
        self.caseID = caseID
    }
}
