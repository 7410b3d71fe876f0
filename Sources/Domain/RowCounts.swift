/// Rows of one feed kind: `rows = accepted + duplicates + rejected`, always.
public struct RowCounts: Hashable, Sendable, Codable {
    public var rows = 0
    public var accepted = 0
    public var duplicates = 0
    public var rejected = 0
    public init() {}
    public var balances: Bool { rows == accepted + duplicates + rejected }
}
