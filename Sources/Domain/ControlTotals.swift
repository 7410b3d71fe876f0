/// What is counted while a file is read, to be compared with what its sender counted.
public struct ControlTotals: Hashable, Sendable {
    /// Records in the file, whatever became of them.
    public var rows = 0
    public var rejected = 0
    /// Earliest and latest instant of the rows used.
    public var firstEvent: Instant?
    public var lastEvent: Instant?
    /// Sum per currency of the rows' amounts, in minor units.
    public var amounts: [Currency: Int64] = [:]
    /// Sum modulo 2^64 of the 64-bit FNV-1a of each used row's key: order does not matter, every key does.
    public var hashTotal: UInt64 = 0

    public init() {}
}
