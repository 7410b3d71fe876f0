/// What a run knows beyond a single case: its point in time and its coverage.
public struct Horizon: Sendable, Codable {
    /// "Now" for the rules: the end of the business date, or the run's `asOf` where that is earlier. Rules never read a
    /// clock.
    public var instant: Instant
    /// The last business date that the run covers.
    public var businessDate: BusinessDate
    /// The days for which evidence is missing.
    public var coverage: Coverage

    public init(instant: Instant, businessDate: BusinessDate, coverage: Coverage = Coverage()) {
        (self.instant, self.businessDate, self.coverage) = (instant, businessDate, coverage)
    }
}
