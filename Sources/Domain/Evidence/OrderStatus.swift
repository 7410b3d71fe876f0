/// How far along an order is, according to the backend. A later case is a further status. The raw values are the words
/// in the orders feed.
public enum OrderStatus: String, Sendable, CaseIterable {
    case created, pending, paid, credited, failed, cancelled, refunded

    /// How far along it is, from 0.
    public var step: Int { Self.allCases.firstIndex(of: self)! }
}
