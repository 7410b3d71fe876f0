/// What later evidence changed in a month that was closed.
public struct RestatedLine: Hashable, Sendable, Codable {
    /// `YYYY-MM` of the closed month.
    public var period: String
    public var currency: String
    /// As last reported, when it was closed or in a month closed since.
    public var reported: Movements
    public var now: Movements

    public init(period: String, currency: String, reported: Movements, now: Movements) {
        self.period = period
        self.currency = currency
        self.reported = reported
        self.now = now
    }

    public var change: Movements { now - reported }
}
