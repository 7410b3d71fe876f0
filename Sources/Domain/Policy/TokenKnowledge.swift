/// Whether the backend's orders carry tokens.
public enum TokenKnowledge: String, Sendable, Codable {
    case noOrders
    /// There are orders, and none ever carried a token. Tokens of purchases then say nothing.
    case unused
    /// At least one order carries or carried a token. A purchase whose token no order carries then has an unknown
    /// owner.
    case inUse
}
