/// Everything that one night found: what the reports are rendered from, and nothing else is.
public struct NightReport: Hashable, Sendable, Codable {
    public var businessDate: String
    /// Milliseconds since 1970, UTC.
    public var asOf: Int64
    public var horizon: Int64
    public var timeZone: String
    /// The ledger's number for the run.
    public var run: Int
    public var version: String
    /// Over all subjects; by verdict in the order of `Verdict.allCases`, then by cause.
    public var verdicts: [VerdictTally] = []
    /// Keyed by feed kind.
    public var conservation: [String: RowCounts] = [:]
    /// Files read tonight, by name.
    public var files: [FileLine] = []
    /// Files that match a feed and were imported before.
    public var filesSkipped = 0
    public var coverageGaps: [CoverageGap] = []
    /// Refused files that still lie there although their day was delivered since; nil where none does.
    public var settledRefusals: [CoverageGap]?
    /// Sorted by severity, then first seen, then id.
    public var exceptions: [ExceptionRow] = []
    public var rollForward: [RollForwardLine] = []
    public var refunds: [RefundLine] = []
    public var rejects: [RejectLine] = []
    public var retry = RetryCounts()
    /// What of tonight's input a person must look at before anything is given; nil where nothing is.
    public var guarded: [GuardFinding]?
    /// Nil where the configuration wants no retry files.
    public var retryLists: RetryLists?
    public var detectorsAlive = 0
    public var detectors = 0
    /// The run's link in the ledger's chain of digests, hexadecimal; nil before it is made.
    public var link: String?

    public init(businessDate: String, asOf: Int64, horizon: Int64, timeZone: String, run: Int, version: String) {
        self.businessDate = businessDate
        self.asOf = asOf
        self.horizon = horizon
        self.timeZone = timeZone
        self.run = run
        self.version = version
    }
}
