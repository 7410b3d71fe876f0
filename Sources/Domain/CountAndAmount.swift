/// A number of exceptions and their worth in one currency, minor units.
public struct CountAndAmount: Hashable, Sendable, Codable {
    public var count = 0
    public var minor: Int64 = 0
    public init(count: Int = 0, minor: Int64 = 0) {
        self.count = count
        self.minor = minor
    }
}
