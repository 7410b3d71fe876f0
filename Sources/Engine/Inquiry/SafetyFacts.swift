/// The facts that decide whether the desk may give a subject's goods by hand.
struct SafetyFacts {
    var judgement: Judgement
    /// Accounts named by the subject's orders and by the receipts that count.
    var accounts: Set<Identifier>
    var retries: [RetryEntry]
    var daysSinceLastNight: Int
    /// The first day without a credits file. Nil if every day has one.
    var creditsMissing: BusinessDate?
    /// A later period whose goods are withheld, because too few renewals of the product have goods on record.
    var isUnrecordedRenewal = false
    var hasNewRules: Bool
    var isWaived = false
    /// A credits feed is required, so a row should say of all goods that they were given.
    var areCreditsRequired = false
    /// The keys of entries whose last line was still valid at the time up to which the facts are known.
    var validKeys: Set<String> = []
    /// The keys of entries that a user of the desk's page released since the last night.
    var releasedKeys: Set<String> = []
    /// The purchase carries a token that is not known to be the owner's, and no order names the owner.
    var hasForeignToken = false
    /// A receipt of another account was once accepted for the purchase, or for it in another spelling.
    var isClaimed = false
    /// Credits that name one of the subject's orders or transactions in any spelling.
    var creditsOnRecord: [String] = []
    /// The payments by which the account has the product already, and cannot have it twice.
    var earlierPayments: [String] = []
    /// Credits of the same account and product that belong to no payment.
    var unplacedCredits: [String] = []
    /// The first day without records, and the feed. Nil if every day has them.
    var recordsMissing: (feed: FeedKind, date: BusinessDate)?
    /// The guard found the last night's input unusual, which may concern the subject, and no person has released its findings.
    var isGuarded = false
    /// Reports of a later run are published, and its entries may have been acted on: the ledger was put back.
    var isRolledBack = false
    /// When the ledger was restored, if a night that it does not know may have sent an entry whose credit is not known yet.
    var restoredAt: Instant?
    /// A person recorded that the goods were given by hand.
    var given: HandOut?
    /// The consumer of the retry manifest has answered one of the entries.
    var wasAnswered = false
    /// What the consumer ever answered to the entries that would give the goods, whatever became of them.
    var answers: Set<AckOutcome> = []

    /// What tells of a refund, if something does.
    var refundSign = RefundSign.record

    /// docs/spec/rules.md#safe-to-compensate: the desk and the retry job must never both give the goods. The first
    /// reason against it counts. Rejected rows of credits files are searched later, and only if nothing else speaks
    /// against it.
    var safety: LookupSafety {
        guard judgement.verdict == .paidNotCredited else {
            if isWaived, judgement.verdict.isException { return .waived }
            // A faulty file must not lead anyone to accuse a customer.
            if isGuarded, GuardFinding.Kind.allCases.contains(where: { $0.verdict == judgement.verdict }) {
                return .guarded
            }
            // Nobody judges it again.
            if judgement.verdict == .waiting, let staleSafety { return staleSafety }
            let isDoubted = judgement.verdict == .matched && judgement.flags.contains(.statusOnly)
            return isDoubted && areCreditsRequired ? .statusOnly : .verdict
        }
        if judgement.cause == .reversedWithoutRefund { return .takenBack }
        if judgement.cause == .creditedShort { return .partlyGiven }
        if judgement.cause == .crossedOrder { return .orderCrossed }
        if judgement.cause == .paidTwice { return .paidTwice }
        if judgement.flags.contains(.refundReported) { return .refundReported(refundSign) }
        if judgement.flags.contains(.recordsDisagree) { return .recordsDisagree }
        if let given { return .given(given) }
        if hasNewRules { return .rulesChanged }
        if isWaived { return .waived }
        if !creditsOnRecord.isEmpty { return .creditOnRecord(creditsOnRecord) }
        guard judgement.owner != nil else { return .ownerUnknown }
        if isOwnerDisputed { return .ownerDisputed }
        return besidesOwner ?? (emissions > 0 ? .safeAfterTries(emissions) : .safe)
    }

    /// Something speaks for another owner than the one that is known.
    var isOwnerDisputed: Bool {
        judgement.owner.map { hasForeignToken || isClaimed || !accounts.subtracting([$0]).isEmpty } ?? false
    }

    /// What speaks against it whoever the owner is.
    var besidesOwner: LookupSafety? { retrySafety ?? recordsSafety }

    /// What speaks against it because of retry entries and their answers.
    private var retrySafety: LookupSafety? {
        if !answers.isDisjoint(with: [.applied, .alreadyApplied]) { return .retryApplied }
        let out = retries.filter(isOut)
        if !out.isEmpty {
            // Its last line expired a day after its night, and no night has asked again.
            if let staleSafety { return staleSafety }
            let tries = out.map(\.attempts).max() ?? 0
            if tries >= RetryEntry.silentFrom, !wasAnswered { return .retrySilent(tries) }
            return out.contains { $0.facts.movesGoods } ? .retryOut : .retryFetch
        }
        if answers.contains(.preconditionFailed) || retries.contains(where: isUnclear) { return .retryUnclear }
        if retries.contains(where: { $0.state == .held && $0.isDemanded }) { return .held }
        return restoredAt.map { .restored($0) }
    }

    /// What speaks against it because records are missing.
    private var recordsSafety: LookupSafety? {
        if let day = creditsMissing { return .creditsMissing(day) }
        if let missing = recordsMissing { return .recordsMissing(missing.feed, missing.date) }
        if !earlierPayments.isEmpty { return .alreadyOwned(earlierPayments) }
        if !unplacedCredits.isEmpty { return .creditUnplaced(unplacedCredits) }
        if isUnrecordedRenewal { return .renewalsUnrecorded }
        if isGuarded { return .guarded }
        return staleSafety
    }

    private var staleSafety: LookupSafety? {
        (0...2).contains(daysSinceLastNight) && !isRolledBack ? nil : .stale(daysSinceLastNight)
    }

    /// How often an entry to give the goods was emitted.
    private var emissions: Int { retries.filter { $0.facts.action == .credit }.reduce(0) { $0 + $1.attempts } }

    /// The consumer may act on the entry, or may have acted on its last line without a credit on record: the line was
    /// valid longer than the facts are known. Whether the entry is withdrawn or dead since changes nothing about that.
    private func isOut(_ entry: RetryEntry) -> Bool {
        if entry.state == .waiting && entry.isDemanded || releasedKeys.contains(entry.key) { return true }
        let isRefused = entry.answer == .permanentError || entry.answer == .preconditionFailed
        return validKeys.contains(entry.key) && !isRefused
    }

    /// The consumer answered that its records contradict the entry, or it was asked under two keys.
    private func isUnclear(_ entry: RetryEntry) -> Bool {
        guard entry.facts.movesGoods else { return false }
        let isDone = entry.answer == .applied || entry.answer == .alreadyApplied
        return isDone || entry.end == .preconditionFailed || entry.end == .anotherKey
    }
}
