/// Totals that are counted while a file is read, to be compared with the sender's own totals.
public struct ControlTotals: Hashable, Sendable, Codable {
    /// All records in the file, used or not.
    public var rows = 0
    /// Records that could not be used.
    public var rejected = 0
    /// Earliest instant among the rows used; nil without one.
    public var firstEvent: Instant?
    /// Latest instant among the rows used; nil without one.
    public var lastEvent: Instant?
    /// The sum of the rows' amounts for each currency, in minor units.
    public var amounts: [Currency: Int64] = [:]
    /// The hash total: the sum modulo 2⁶⁴ of the 64-bit FNV-1a hash of each used row's key. It does not depend on the
    /// order of the rows, and any missing or additional key changes it.
    public var hashTotal: UInt64 = 0

    public init() {}
}
