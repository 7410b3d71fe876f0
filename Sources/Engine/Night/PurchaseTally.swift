public import Domain

/// How many purchases of each date reached the customer in which way, and what they are worth, by currency: what the
/// lost-order rate is computed from. See docs/spec/rules.md#lost-orders.
public struct PurchaseTally: Sendable {
    /// What purchases are counted by.
    public struct Key: Hashable, Comparable, Sendable {
        public var outcome: PurchaseOutcome
        /// `Currency.absent` for purchases without a known price.
        public var currency: Currency

        public init(_ outcome: PurchaseOutcome, _ currency: Currency) {
            self.outcome = outcome
            self.currency = currency
        }

        /// By date, then by what became of the purchase, then by currency.
        public static func < (left: Key, right: Key) -> Bool {
            (left.outcome, left.currency) < (right.outcome, right.currency)
        }
    }
    /// Count and sum, in minor units of the currency. A tally of changes may have negative counts.
    public var entries: [Key: CountAndAmount] = [:]

    public init() {}

    /// Adds purchases; a negative count removes them.
    public mutating func add(_ sum: CountAndAmount, to key: Key) {
        let entry = (entries[key] ?? CountAndAmount()) + sum
        entries[key] = entry == CountAndAmount() ? nil : entry
    }

    /// Adds all purchases of another tally.
    public mutating func add(_ other: PurchaseTally) {
        for (key, sum) in other.entries { add(sum, to: key) }
    }

    /// One line for each date and way, in the order of both. Dates without a purchase are left out.
    func lines(in dates: ClosedRange<BusinessDate>) -> [PurchaseLine] {
        Dictionary(grouping: entries.filter { dates.contains($0.key.outcome.date) }, by: \.key.outcome)
            .map { outcome, group in
                PurchaseLine(
                    date: outcome.date, fulfilment: outcome.fulfilment, count: group.reduce(0) { $0 + $1.value.count },
                    amounts: group.filter { $0.key.currency != .absent }.sorted { $0.key.currency < $1.key.currency }
                        .map { Money(minor: $0.value.minor, currency: $0.key.currency) })
            }
            .sorted { ($0.date, $0.fulfilment.rawValue) < ($1.date, $1.fulfilment.rawValue) }
    }
}

extension PurchaseTally {
    /// The lines of a night's report, where these purchases come on top of those on record.
    /// - Parameter history: nil if nothing on record counts any more.
    func lines(through date: BusinessDate, after history: (any History)?) throws -> [PurchaseLine] {
        let dates = date.advanced(by: 1 - NightReport.purchaseDays)...date
        var all = try history?.purchases(since: dates.lowerBound) ?? PurchaseTally()
        all.add(self)
        return all.lines(in: dates)
    }

    /// What tonight changes: these purchases, less those on record for the same cases.
    init(_ tonights: PurchaseTally, except recorded: [CaseID: [StoredVerdict]]) {
        self = tonights
        for verdict in recorded.values.joined() { add(verdict.outcome, verdict.amount, times: -1) }
    }

    /// Adds a purchase or, with `sign` -1, removes it. Without an outcome, it does not count.
    mutating func add(_ outcome: PurchaseOutcome?, _ amount: Money?, times sign: Int = 1) {
        guard let outcome else { return }
        let one = CountAndAmount(of: amount)
        add(sign > 0 ? one : CountAndAmount() - one, to: Key(outcome, amount?.currency ?? .absent))
    }
}
