public import Domain
public import ReportData

/// How many subjects have each verdict and cause, and what they are worth, by currency.
public struct Tally: Sendable {
    /// What subjects are counted by.
    public struct Key: Hashable, Sendable {
        public var verdict: Verdict
        public var cause: Cause
        /// `Currency.absent` for subjects of unknown worth.
        public var currency: Currency

        public init(verdict: Verdict, cause: Cause, currency: Currency) {
            self.verdict = verdict
            self.cause = cause
            self.currency = currency
        }

        /// - Parameter amount: nil for a subject of unknown worth.
        public init(_ verdict: Verdict, _ cause: Cause, worth amount: Money?) {
            self.init(verdict: verdict, cause: cause, currency: amount?.currency ?? .absent)
        }
    }
    /// Count and sum, in minor units of the currency. Keys without subjects are left out.
    public var entries: [Key: CountAndAmount] = [:]

    public init() {}

    /// Adds subjects; a negative count removes them.
    public mutating func add(_ sum: CountAndAmount, to key: Key) {
        let entry = (entries[key] ?? CountAndAmount()) + sum
        entries[key] = entry.count == 0 ? nil : entry
    }

    /// The number of all subjects.
    public var subjects: Int { entries.values.reduce(0) { $0 + $1.count } }

    /// One line for each verdict and cause, in the order of the catalogue.
    public var lines: [VerdictTally] {
        let groups = Dictionary(grouping: entries) { [$0.key.verdict.rawValue, $0.key.cause.rawValue] }
        let lines = groups.values.map { group in
            let priced = group.filter { $0.key.currency != .absent }.sorted {
                $0.key.currency < $1.key.currency
            }
            return VerdictTally(
                verdict: group[0].key.verdict, cause: group[0].key.cause,
                subjects: group.reduce(0) { $0 + $1.value.count },
                amounts: priced.map { Money(minor: $0.value.minor, currency: $0.key.currency) })
        }
        return lines.sorted { ($0.verdict, $0.cause.rawValue) < ($1.verdict, $1.cause.rawValue) }
    }
}
