public import Domain

/// What the configuration says to the engine.
public struct NightSettings: Sendable {
    /// Without products and facts: those come from the history and from tonight's files.
    public var policy: Policy
    /// Everything in the configuration that decides verdicts, as text. Another text, and every case is judged again.
    public var policyText: String
    public var feeds: [ExpectedFeed]
    public var retry: RetrySettings
    public var guarding: GuardSettings
    /// The program's version, for the record of the run.
    public var version: String

    public init(
        policy: Policy, policyText: String = "", feeds: [ExpectedFeed] = [], retry: RetrySettings = RetrySettings(),
        guarding: GuardSettings = GuardSettings(), version: String = ""
    ) {
        self.policy = policy
        self.policyText = policyText
        self.feeds = feeds
        self.retry = retry
        self.guarding = guarding
        self.version = version
    }
}

/// When a night runs: its business date, and "now".
public struct RunTime: Hashable, Sendable {
    public var businessDate: BusinessDate
    public var asOf: Instant
    /// The clock gave both; nobody named the date.
    public var isImplicit: Bool

    public init(businessDate: BusinessDate, asOf: Instant, isImplicit: Bool = false) {
        self.businessDate = businessDate
        self.asOf = asOf
        self.isImplicit = isImplicit
    }
}
