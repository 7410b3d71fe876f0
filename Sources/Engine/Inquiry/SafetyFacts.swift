internal import Domain

/// What decides whether the desk may give a subject's goods by hand.
struct SafetyFacts {
    var judgement: Judgement
    /// Accounts that the subject's orders and believed receipts name.
    var accounts: Set<Identifier>
    var retries: [RetryEntry]
    var businessDate: BusinessDate
    var daysSinceLastNight: Int
    /// A day whose credits are not there.
    var creditsMissing: BusinessDate?
    var hasNewRules: Bool
    /// A person said that the exception stands.
    var isWaived = false
    /// It carries a token that is not known to be the owner's, and no order names the owner.
    var hasForeignToken = false
    /// Credits that name its order or its transaction, in whatever spelling.
    var creditsOnRecord: [String] = []
    /// Credits of the account and the product that belong to no payment.
    var unplacedCredits: [String] = []
    /// The first day whose records are missing, and the feed.
    var recordsMissing: (feed: FeedKind, date: BusinessDate)?
    /// The last night waits for a person to look at its input.
    var isGuarded = false
    /// The consumer of the retry manifest answered once that it gave the goods.
    var wasApplied = false

    init(
        judgement: Judgement, accounts: Set<Identifier>, retries: [RetryEntry], businessDate: BusinessDate,
        daysSinceLastNight: Int, creditsMissing: BusinessDate?, hasNewRules: Bool
    ) {
        self.judgement = judgement
        self.accounts = accounts
        self.retries = retries
        self.businessDate = businessDate
        self.daysSinceLastNight = daysSinceLastNight
        self.creditsMissing = creditsMissing
        self.hasNewRules = hasNewRules
    }

    /// RULES §6.6: desk and job must never both give the goods. The first reason against it counts. What rejected rows of
    /// credits files mention is looked at besides, where nothing else speaks against it.
    var safety: LookupSafety {
        guard judgement.verdict == .paidNotCredited else { return .verdict }
        if judgement.cause == .reversedWithoutRefund { return .takenBack }
        if judgement.cause == .creditedShort { return .partlyGiven }
        if hasNewRules { return .rulesChanged }
        if isWaived { return .waived }
        if !creditsOnRecord.isEmpty { return .creditOnRecord(creditsOnRecord) }
        guard let owner = judgement.owner else { return .ownerUnknown }
        if hasForeignToken || !accounts.subtracting([owner]).isEmpty { return .ownerDisputed }
        return retrySafety ?? recordsSafety ?? (emissions > 0 ? .safeAfterTries(emissions) : .safe)
    }

    /// What the system was told, and what it answered.
    private var retrySafety: LookupSafety? {
        if retries.contains(where: isOut) { return .retryOut }
        if wasApplied { return .applied }
        if retries.contains(where: isUnclear) { return .retryUnclear }
        if retries.contains(where: { $0.state == .held && $0.isDemanded }) { return .held }
        return nil
    }

    /// What the records may not show.
    private var recordsSafety: LookupSafety? {
        if let day = creditsMissing { return .creditsMissing(day) }
        if let missing = recordsMissing { return .recordsMissing(missing.feed, missing.date) }
        if !unplacedCredits.isEmpty { return .creditUnplaced(unplacedCredits) }
        if isGuarded { return .guarded }
        return (0...2).contains(daysSinceLastNight) ? nil : .stale(daysSinceLastNight)
    }

    /// How often the system was told to give the goods.
    private var emissions: Int { retries.filter { $0.facts.action == .credit }.reduce(0) { $0 + $1.attempts } }

    /// Its consumer may act on it: it is on a list, or was when it was withdrawn, and lines hold for a day.
    private func isOut(_ entry: RetryEntry) -> Bool {
        guard entry.state == .waiting else { return false }
        return entry.isDemanded || entry.lastEmitted.map { $0 >= businessDate.advanced(by: -1) } == true
    }

    /// Its consumer said that its own records say otherwise, or was asked twice.
    private func isUnclear(_ entry: RetryEntry) -> Bool {
        guard entry.facts.movesGoods else { return false }
        let isDone = entry.answer == .applied || entry.answer == .alreadyApplied
        return isDone || entry.end == .preconditionFailed || entry.end == .anotherKey
    }
}
