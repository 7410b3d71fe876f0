/// How many retry entries are where.
public struct RetryCounts: Hashable, Sendable, Codable {
    public var emitted = 0
    public var waiting = 0
    public var held = 0
    public var dead = 0
    /// Of the emitted ones those that move no goods; nil where all do.
    public var queries: Int?
    /// What the emitted ones that move goods are worth, by currency, sorted.
    public var emittedAmounts: [Amount] = []
    /// Why tonight's manifest was held, for people; nil where it was not.
    public var holdReason: String?
    public init() {}
}
