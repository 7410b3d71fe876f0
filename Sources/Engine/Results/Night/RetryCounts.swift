/// How many retry entries are in which state.
public struct RetryCounts: Hashable, Sendable, Codable {
    /// Listed in tonight's manifest.
    public var emitted = 0
    /// Due in a later night.
    public var waiting = 0
    /// Held back by the circuit breaker until a person releases them.
    public var held = 0
    public var dead = 0
    /// How many of the emitted entries move no goods. Nil if all of them do.
    public var queries: Int?
    /// The worth of the emitted entries that move goods, sorted by currency.
    public var emittedAmounts: [Money] = []
    /// Why tonight's manifest was held, in English; nil if it was not.
    public var holdReason: String?
}
