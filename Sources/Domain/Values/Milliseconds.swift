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

extension Milliseconds {
    private static let units: [(name: String, length: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// As the configuration writes a duration: `24h`, `90m`. Days are written in hours.
    public var spelled: String {
        let unit = Self.units.last { $0.name != "d" && $0.name != "s" && count % $0.length == 0 }!
        return "\(count / unit.length)\(unit.name)"
    }

    /// A duration that the configuration writes as `24h`, `90m` or `7d`. Nil if the text is none.
    public init?(spelled text: some StringProtocol) {
        guard let unit = Self.units.first(where: { text.hasSuffix($0.name) }) else { return nil }
        let digits = text.dropLast(unit.name.count)
        guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(digits) else { return nil }
        let (length, isHuge) = number.multipliedReportingOverflow(by: unit.length)
        if isHuge { return nil }
        self.init(length)
    }
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
