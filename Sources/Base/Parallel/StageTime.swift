/// What one stage of a run cost.
public struct StageTime: Sendable {
    public var stage: String
    /// What the stage counts.
    public var unit: String
    /// Elapsed time, in milliseconds.
    public var wall: Int64
    /// The time of all processors together, in milliseconds.
    public var processor: Int64
    /// How many it counted; 0 if it counts nothing.
    public var items: Int
    /// Bytes read or written.
    public var bytes: Int64

    public init(stage: String, unit: String, wall: Int64, processor: Int64, items: Int, bytes: Int64) {
        self.stage = stage
        self.unit = unit
        self.wall = wall
        self.processor = processor
        self.items = items
        self.bytes = bytes
    }
}
