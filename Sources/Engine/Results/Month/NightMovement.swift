/// One line of the roll-forward of one night.
public struct NightMovement: Hashable, Sendable, Codable {
    public var date: BusinessDate
    public var run: RunID
    public var line: RollForwardLine
}
