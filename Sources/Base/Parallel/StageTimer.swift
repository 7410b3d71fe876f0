/// Measures the stages of a computation and shows their progress.
public protocol StageTimer {
    /// Runs one stage. `body` counts its work as it goes on.
    ///
    /// - Parameters:
    ///   - stage: its name for people, such as `match`.
    ///   - unit: what it counts, such as `cases`.
    func time<Result>(_ stage: String, of unit: String, _ body: (WorkCount) throws -> Result) rethrows -> Result
}

/// A timer that measures nothing.
public struct Untimed: StageTimer {
    public init() {}

    public func time<Result>(
        _ stage: String, of unit: String, _ body: (WorkCount) throws -> Result
    ) rethrows -> Result {
        try body(WorkCount())
    }
}

/// What one stage of a run cost.
public struct StageTime: Sendable {
    public var stage: String
    /// Elapsed time, in milliseconds.
    public var wall: Int64
    /// The time of all processors together, in milliseconds.
    public var processor: Int64
    /// What the stage counts.
    public var unit: String
    /// How many it counted; 0 if it counts nothing.
    public var items: Int
    /// Bytes read or written.
    public var bytes: Int64

    public init(stage: String, wall: Int64, processor: Int64, unit: String, items: Int, bytes: Int64) {
        self.stage = stage
        self.wall = wall
        self.processor = processor
        self.unit = unit
        self.items = items
        self.bytes = bytes
    }
}
