/// The account that a token belongs to, where tokens are per account.
public enum TokenOwner: Hashable, Sendable {
    /// No order carries the token.
    case unknown
    /// All orders with the token are of this account.
    case account(Identifier)
    /// Orders of several accounts carry the token, so it decides nothing.
    case several
}
