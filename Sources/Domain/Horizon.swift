/// What a run knows beyond one case.
public struct Horizon: Sendable {
    /// "Now" for the rules: the end of the business date, or `asOf` if that is earlier.
    public var instant: Instant
    public var businessDate: BusinessDate
    public var coverage: Coverage

    public init(instant: Instant, businessDate: BusinessDate, coverage: Coverage = Coverage()) {
        self.instant = instant
        self.businessDate = businessDate
        self.coverage = coverage
    }
}
