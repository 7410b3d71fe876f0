internal import Domain
internal import Ledger
internal import Reports

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

    /// INTERFACES §4: desk and job must never both give the goods. The first reason against it counts.
    var safety: LookupSafety {
        guard judgement.verdict == .paidNotCredited else { return .verdict }
        if judgement.cause == .reversedWithoutRefund { return .takenBack }
        if hasNewRules { return .rulesChanged }
        guard let owner = judgement.owner else { return .ownerUnknown }
        if !accounts.subtracting([owner]).isEmpty { return .ownerDisputed }
        if retries.contains(where: isOut) { return .retryOut }
        if retries.contains(where: isUnclear) { return .retryUnclear }
        if let day = creditsMissing { return .creditsMissing(day) }
        if !(0...2).contains(daysSinceLastNight) { return .stale(daysSinceLastNight) }
        return .safe
    }

    /// Its consumer may act on it: it is on a list, or was when it was withdrawn, and lines hold for a day.
    private func isOut(_ entry: RetryEntry) -> Bool {
        guard entry.state == .waiting else { return false }
        return entry.isDemanded || entry.lastEmitted.map { $0 >= businessDate.advanced(by: -1) } == true
    }

    /// Its consumer said that the goods were given, or that its own records say otherwise, or was asked twice.
    private func isUnclear(_ entry: RetryEntry) -> Bool {
        guard entry.facts.movesGoods else { return false }
        let isDone = entry.answer == .applied || entry.answer == .alreadyApplied
        return isDone || entry.end == .preconditionFailed || entry.end == .anotherKey
    }
}
