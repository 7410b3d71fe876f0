internal import Domain

/// Holds a manifest that is larger than anybody would expect: an attack or a fault upstream must not become a thousand
/// credits before a person has looked. It counts what gives or takes goods, and nothing else. RULES §5.
struct CircuitBreaker {
    let settings: RetrySettings
    /// Newest first.
    let history: [RetryTotals]

    /// Below that many entries nothing is out of proportion, whatever the nights before were.
    private static let entriesFloor = 100
    private static let factor: Int64 = 5
    /// So many runs say what is usual.
    private static let runsMin = 3

    /// Nil where the entries may go out; else why not, for people.
    func reason(toHold entries: [RetryFacts]) -> String? {
        let count = entries.count
        if count > settings.entriesMax {
            return "\(count) entries, more than retry.maxEntries (\(settings.entriesMax))"
        }
        let worth = worth(of: entries).sorted { $0.key < $1.key }
        for (currency, minor) in worth {
            guard let cap = settings.cap(of: currency) else {
                return "retry.maxAmount has no limit for \(currency.text)"
            }
            guard minor > cap else { continue }
            return "\(Money(minor: minor, currency: currency)), more than retry.maxAmount ("
                + Money(minor: cap, currency: currency).text + ")"
        }
        return history.count < Self.runsMin ? nil : disproportion(of: entries, worth)
    }

    private func disproportion(of entries: [RetryFacts], _ worth: [(key: Currency, value: Int64)]) -> String? {
        let usual = median(history.map { Int64($0.count) })
        if entries.count > Self.entriesFloor, Int64(entries.count) > Self.factor * usual {
            return "\(entries.count) entries, more than five times the usual \(usual)"
        }
        for (currency, minor) in worth {
            let count = entries.count { $0.amount?.currency == currency.text }
            let usual = median(history.map { $0.amounts[currency] ?? 0 })
            let (limit, isHuge) = usual.multipliedReportingOverflow(by: Self.factor)
            guard count > Self.entriesFloor, !isHuge, minor > limit else { continue }
            return "\(Money(minor: minor, currency: currency)), more than five times the usual "
                + Money(minor: usual, currency: currency).text
        }
        return nil
    }

    /// Of the last seven runs, or as many as there are; of an even number the lower one.
    private func median(_ values: [Int64]) -> Int64 {
        let last = values.prefix(7).sorted()
        return last[(last.count - 1) / 2]
    }
}

/// By currency, in minor units; at most what a number can hold.
func worth(of entries: [RetryFacts]) -> [Currency: Int64] {
    entries.reduce(into: [:]) { sums, entry in
        guard let amount = entry.amount?.money else { return }
        let (sum, isHuge) = sums[amount.currency, default: 0].addingReportingOverflow(amount.minor)
        sums[amount.currency] = isHuge ? .max : sum
    }
}
