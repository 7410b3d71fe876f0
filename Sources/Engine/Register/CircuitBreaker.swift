/// Holds a manifest that moves far more goods than usual, so that a person looks at it first: an attack, or a fault
/// upstream, must not turn into a thousand credits. Entries that move no goods are not counted.
/// See docs/spec/rules.md#circuit-breaker.
struct CircuitBreaker {
    let settings: RetrySettings
    /// What earlier runs emitted, newest first.
    let history: [RetryTotals]

    /// This many entries or fewer are never out of proportion, whatever earlier nights emitted.
    private static let entriesFloor = 100
    /// More than this many times the usual is out of proportion.
    private static let factor: Int64 = 5
    /// With fewer runs than this, nothing is usual yet.
    private static let runsMin = 3

    /// Why the entries must be held. Nil if they may go out.
    func reason(toHold entries: [RetryFacts]) -> HoldReason? {
        if entries.count > settings.entriesMax { return HoldReason(.entries, entries.count, settings.entriesMax) }
        if settings.amountMaxOfOthers == nil, case let unknown = entries.count(where: { $0.amount == nil }), unknown > 0
        {
            return HoldReason(.unknownWorth, unknown)
        }
        let worth = worth(of: entries).amounts
        for sum in worth {
            guard let cap = settings.cap(of: sum.currency) else { return HoldReason(.noLimit, sum.currency.text) }
            guard sum.minor > cap else { continue }
            return HoldReason(.worth, sum, Money(minor: cap, currency: sum.currency).text)
        }
        return history.count < Self.runsMin ? nil : disproportion(of: entries, worth)
    }

    /// Why the entries are out of proportion to earlier runs. Nil if they are not.
    private func disproportion(of entries: [RetryFacts], _ worth: [Money]) -> HoldReason? {
        let usual = median(history.map { Int64($0.count) })
        if entries.count > Self.entriesFloor, Int64(entries.count) > Self.factor * usual {
            return HoldReason(.manyEntries, entries.count, usual)
        }
        for sum in worth {
            let count = entries.count { $0.amount?.currency == sum.currency }
            let usual = median(history.map { $0.worth[sum.currency] })
            let (limit, isHuge) = usual.multipliedReportingOverflow(by: Self.factor)
            guard count > Self.entriesFloor, !isHuge, sum.minor > limit else { continue }
            return HoldReason(.muchWorth, sum, Money(minor: usual, currency: sum.currency).text)
        }
        return nil
    }

    /// The median of the last seven values, or of as many as there are.
    private func median(_ values: [Int64]) -> Int64 { values.prefix(7).ordered().lowerMedian }
}

func worth(of entries: [RetryFacts]) -> MoneySum { MoneySum(entries.compactMap { $0.amount }) }
