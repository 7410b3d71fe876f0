public import Domain

/// What finds evidence of other cases that no identifier links to a case.
public enum SuggestionKey: Hashable, Sendable {
    /// An unlinked order, an unlinked purchase or a stray credit of that account and product. The product of a credit
    /// that names none is `Identifier.absent`.
    case goods(account: Identifier, product: Identifier)
    /// A stray credit that names an order or a transaction, by the plain spelling of its id.
    case order(spelling: String)
    case transaction(spelling: String)
}

/// A case that holds unlinked evidence, and a key that finds it.
public struct SuggestionEntry: Hashable, Sendable {
    public var key: SuggestionKey
    public var caseID: Int64

    public init(_ key: SuggestionKey, caseID: Int64) {
        self.key = key
        self.caseID = caseID
    }
}
