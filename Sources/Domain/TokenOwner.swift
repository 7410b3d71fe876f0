/// Whose account a token is, when tokens are per account.
public enum TokenOwner: Hashable, Sendable {
    /// No order carries it.
    case unknown
    case account(Identifier)
    /// Orders of several accounts carry it: it decides nothing.
    case several
}
