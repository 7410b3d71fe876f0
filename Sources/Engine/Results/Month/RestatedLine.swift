/// What later evidence changed in a month that was closed before.
public struct RestatedLine: Hashable, Sendable, Codable {
    /// The closed month, `YYYY-MM`.
    public var period: String
    public var currency: Currency
    /// The movements as last reported: when the month was closed, or when a later month was.
    public var reported: Movements
    /// The movements by the evidence known now.
    public var now: Movements

    public var change: Movements { now - reported }
}
