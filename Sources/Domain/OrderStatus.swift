/// How far along an order is, as the backend says; a later case is a further status.
public enum OrderStatus: UInt8, Sendable, CaseIterable, Comparable {
    case created, pending, paid, credited, failed, cancelled, refunded

    public var name: String { "\(word)" }
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
    public init?(name: String) {
        guard let status = Self.byName[name] else { return nil }
        self = status
    }
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
