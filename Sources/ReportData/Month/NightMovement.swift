public import Domain

/// One line of the roll-forward of one night.
public struct NightMovement: Hashable, Sendable, Codable {
    /// Business date, `YYYY-MM-DD`.
    public var date: String
    /// The ledger's number of the run.
    public var run: RunID
    /// The night's figures for one verdict and currency.
    public var line: RollForwardLine

    public init(date: String, run: RunID, line: RollForwardLine) {
        self.date = date
        self.run = run
        self.line = line
    }
}
