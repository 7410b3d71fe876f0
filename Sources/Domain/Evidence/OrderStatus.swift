/// How far along an order is, according to the backend. A later case is a further status.
public enum OrderStatus: UInt8, Sendable, CaseIterable, Comparable {
    case created, pending, paid, credited, failed, cancelled, refunded

    /// The word in the orders feed.
    public var name: String { "\(word)" }
    /// The same as a compile-time constant.
    public var word: StaticString {
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
        guard let status = Self.byName[name] else { return nil }
        self = status
    }
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
