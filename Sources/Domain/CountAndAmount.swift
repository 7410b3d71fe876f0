/// A number of exceptions and what they are worth in one currency.
public struct CountAndAmount: Hashable, Sendable, Codable {
    /// How many exceptions.
    public var count = 0
    /// Their worth in minor units.
    public var minor: Int64 = 0
    public init(count: Int = 0, minor: Int64 = 0) {
        self.count = count
        self.minor = minor
    }
}
