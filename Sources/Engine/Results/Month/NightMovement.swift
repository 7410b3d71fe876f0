public import Domain

/// One line of the roll-forward of one night.
public struct NightMovement: Hashable, Sendable, Codable {
    public var date: BusinessDate
    /// The ledger's number of the run.
    public var run: RunID
    /// The night's figures for one verdict and currency.
    public var line: RollForwardLine
}
