/// The part of the configuration that the engine needs.
public struct NightSettings: Sendable {
    /// The rules' settings. Products and facts are filled in from the history and tonight's files.
    public var policy: Policy
    /// Everything in the configuration that decides verdicts, as text. If it changes, every case is judged again.
    public var policyText: String
    /// The feeds, in the order of the configuration.
    public var feeds: [ExpectedFeed]
    /// How retry entries are repeated, and when the circuit breaker holds them.
    public var retry: RetrySettings
    /// From which shares the guard finds the input unusual.
    public var guarding: GuardSettings
    /// The names of the feeds' labels, sorted.
    public var labels: [String]
    /// Settings that change no verdict on record, by name within a part of the configuration: a feed, say. A change is
    /// named where both nights have the part.
    public var watched: [String: [String: String]] = [:]
    /// What the feeds put before the backend's ids.
    public var prefixes = FeedPrefixes()
    /// The program's version, for the run's record.
    public var version: String
    /// Published reports of a run that the ledger does not know, because an older ledger is in its place.
    public var unknownRun: (date: BusinessDate, run: RunID)?
    /// Hand-outs that the ledger knows and the desk's files have lost: the date of the newest, and how many of how many.
    public var lostHandOuts: (date: BusinessDate, count: Int, known: Int)?

    public init(
        policy: Policy, policyText: String = "", feeds: [ExpectedFeed] = [], retry: RetrySettings = RetrySettings(),
        guarding: GuardSettings = GuardSettings(), labels: [String] = [], version: String = ""
    ) {
        self.policy = policy
        self.policyText = policyText
        self.feeds = feeds
        self.retry = retry
        self.guarding = guarding
        self.labels = labels
        self.version = version
    }
}

/// When a night runs.
public struct RunTime: Hashable, Sendable {
    /// The day that the night reconciles.
    public var businessDate: BusinessDate
    /// "Now".
    public var asOf: Instant
    /// Both were taken from the clock; the command named no date.
    public var isImplicit: Bool

    public init(businessDate: BusinessDate, asOf: Instant, isImplicit: Bool = false) {
        (self.businessDate, self.asOf, self.isImplicit) = (businessDate, asOf, isImplicit)
    }
}
