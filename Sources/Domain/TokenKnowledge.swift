/// Whether the backend's orders carry tokens.
public enum TokenKnowledge: String, Sendable {
    /// Nothing is known yet.
    case noOrders
    /// There are orders, and none ever carried a token: tokens say nothing here.
    case unused
    /// Some order carries a token, or once did. The owner of a purchase whose token no order carries is unknown.
    case inUse
}
