public import Domain

/// One line of the roll-forward of one night.
public struct NightMovement: Hashable, Sendable, Codable {
    public var date: BusinessDate
    public var run: RunID
    public var line: RollForwardLine

    public init(date: BusinessDate, run: RunID, line: RollForwardLine) {
        self.date = date
        self.run = run
        self.line = line
    }
}
