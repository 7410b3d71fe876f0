/// How far along an order is, according to the backend. A later case is a further status.
public enum OrderStatus: UInt8, Sendable, CaseIterable, Comparable {
    case created, pending, paid, credited, failed, cancelled, refunded

    /// The word in the orders feed.
    public var name: String {
        switch self {
        case .created: "created"
        case .pending: "pending"
        case .paid: "paid"
        case .credited: "credited"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .refunded: "refunded"
        }
    }
    /// Nil for a word that is not a status.
    public init?(name: String) {
        guard let status = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = status
    }
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
