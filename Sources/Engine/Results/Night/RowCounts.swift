/// Rows by what became of them. `rows = accepted + duplicates + rejected` always holds.
public struct RowCounts: Hashable, Sendable, Codable {
    public var rows = 0
    /// Rows that contributed something new.
    public var accepted = 0
    /// Rows that held nothing new.
    public var duplicates = 0
    /// Rows that could not be used.
    public var rejected = 0
    /// Whether the parts add up to the rows.
    public var balances: Bool { rows == accepted + duplicates + rejected }
}
