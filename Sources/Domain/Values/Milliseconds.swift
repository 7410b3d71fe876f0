/// A length of time in milliseconds.
@frozen
public struct Milliseconds: Hashable, Comparable, Sendable {
    /// How many milliseconds; may be negative.
    public var count: Int64
    @inlinable
    public init(_ count: Int64) { self.count = count }
    public static func minutes(_ count: Int64) -> Milliseconds { Milliseconds(count * 60_000) }
    public static func hours(_ count: Int64) -> Milliseconds { minutes(count * 60) }
    public static func days(_ count: Int64) -> Milliseconds { hours(count * 24) }
    @inlinable
    public static func < (left: Milliseconds, right: Milliseconds) -> Bool { left.count < right.count }
}

extension Milliseconds: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Int64.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(count)
    }
}
