public import Domain

/// How many subjects got a verdict and cause in one currency (empty: unpriced), and their worth in minor units.
public struct Tally: Sendable {
    public struct Key: Hashable, Sendable {
        public var verdict: Verdict
        public var cause: Cause
        /// Absent: subjects without a known worth.
        public var currency: Currency

        public init(verdict: Verdict, cause: Cause, currency: Currency) {
            self.verdict = verdict
            self.cause = cause
            self.currency = currency
        }

        public init(_ verdict: Verdict, _ cause: Cause, _ amount: Money?) {
            self.init(verdict: verdict, cause: cause, currency: amount?.currency ?? Money.absent.currency)
        }
    }
    public var entries: [Key: CountAndAmount] = [:]

    public init() {}

    /// Adds subjects, or takes them away where the count is negative.
    public mutating func add(_ sum: CountAndAmount, to key: Key) {
        var entry = entries[key] ?? CountAndAmount()
        entry.count += sum.count
        // Modulo 2^64, so that what is taken away again leaves what was there, however absurd an amount.
        entry.minor &+= sum.minor
        entries[key] = entry.count == 0 ? nil : entry
    }

    public mutating func add(_ verdict: Verdict, _ cause: Cause, _ amount: Money?) {
        add(CountAndAmount(count: 1, minor: amount?.minor ?? 0), to: Key(verdict, cause, amount))
    }

    public mutating func remove(_ verdict: Verdict, _ cause: Cause, _ amount: Money?) {
        add(CountAndAmount(count: -1, minor: 0 &- (amount?.minor ?? 0)), to: Key(verdict, cause, amount))
    }

    public var subjects: Int { entries.values.reduce(0) { $0 + $1.count } }

    /// One line a verdict and cause, in the catalogue's order.
    public var lines: [VerdictTally] {
        let groups = Dictionary(grouping: entries) { [$0.key.verdict.rawValue, $0.key.cause.rawValue] }
        let lines = groups.values.map { group in
            let priced = group.filter { $0.key.currency != Money.absent.currency }.sorted {
                $0.key.currency < $1.key.currency
            }
            return VerdictTally(
                verdict: group[0].key.verdict, cause: group[0].key.cause,
                subjects: group.reduce(0) { $0 + $1.value.count },
                amounts: priced.map { Amount(minor: $0.value.minor, currency: $0.key.currency.text) })
        }
        let rank = Dictionary(uniqueKeysWithValues: Verdict.allCases.enumerated().map { ($1, $0) })
        return lines.sorted {
            $0.verdict == $1.verdict ? $0.cause.rawValue < $1.cause.rawValue : rank[$0.verdict]! < rank[$1.verdict]!
        }
    }
}
