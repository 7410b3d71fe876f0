/// One night's line of the roll-forward.
public struct NightMovement: Hashable, Sendable, Codable {
    /// Business date, `YYYY-MM-DD`.
    public var date: String
    public var run: Int
    public var line: RollForwardLine

    public init(date: String, run: Int, line: RollForwardLine) {
        self.date = date
        self.run = run
        self.line = line
    }
}
