/// What a tally counts by.
public protocol TallyKey: Codable, Hashable, Sendable {
    /// `Currency.absent` where no price is known.
    var currency: Currency { get }
}

/// Counts, and sums in minor units of the key's currency. A tally of changes may have negative counts.
public struct Tally<Key: TallyKey>: Codable, Sendable {
    /// Keys without a count and a sum are left out.
    public var entries: [Key: CountAndAmount] = [:]

    public init() {}

    /// Adds to a key's count and sum; a negative count removes from them.
    public mutating func add(_ sum: CountAndAmount, to key: Key) {
        func isNothing(_ entry: inout CountAndAmount) -> Bool {
            entry = entry + sum
            return entry == CountAndAmount()
        }
        if isNothing(&entries[key, default: CountAndAmount()]) { entries[key] = nil }
    }

    /// Adds everything that another tally counts.
    public mutating func add(_ other: Tally) {
        for (key, sum) in other.entries { add(sum, to: key) }
    }

    /// The count of each group of keys, and its worth by currency. What has no price adds nothing to the worth.
    fileprivate func groups<Group: Hashable>(
        by group: (Key) -> Group
    ) -> [(group: Group, count: Int, amounts: [Money])] {
        Dictionary(grouping: entries) { group($0.key) }.map { group, entries in
            let priced = entries.filter { $0.key.currency != .absent }.ordered { $0.key.currency < $1.key.currency }
            return (
                group, entries.reduce(0) { $0 + $1.value.count },
                priced.map { Money(minor: $0.value.minor, currency: $0.key.currency) }
            )
        }
    }
}

/// How many subjects have each verdict and cause, and what they are worth, by currency.
public typealias SubjectTally = Tally<VerdictKey>

/// What subjects are counted by.
public struct VerdictKey: TallyKey {
    public var verdict: Verdict
    public var cause: Cause
    public var currency: Currency

    public init(verdict: Verdict, cause: Cause, currency: Currency) {
        (self.verdict, self.cause, self.currency) = (verdict, cause, currency)
    }

    init(_ verdict: StoredVerdict) {
        self.init(
            verdict: verdict.verdict, cause: verdict.cause, currency: verdict.amount?.currency ?? .absent)
    }
}

extension SubjectTally {
    /// Takes a subject out again. A key without subjects is left out, whatever its sum is: no night writes such a row.
    mutating func remove(_ verdict: StoredVerdict) {
        let key = VerdictKey(verdict)
        add(CountAndAmount() - CountAndAmount(of: verdict.amount), to: key)
        if entries[key]?.count == 0 { entries[key] = nil }
    }

    /// One line for each verdict and cause, in the order of the catalogue.
    public var lines: [VerdictTally] {
        groups { VerdictKey(verdict: $0.verdict, cause: $0.cause, currency: .absent) }.map {
            VerdictTally(verdict: $0.verdict, cause: $0.cause, subjects: $1, amounts: $2)
        }
        .ordered { ($0.verdict, $0.cause.rawValue) < ($1.verdict, $1.cause.rawValue) }
    }
}

/// How many purchases of each date reached the customer in which way, and what they are worth, by currency: what the
/// lost-order rate is computed from. See docs/spec/rules.md#lost-orders.
public typealias PurchaseTally = Tally<PurchaseKey>

/// What purchases are counted by.
public struct PurchaseKey: TallyKey, Comparable {
    public var outcome: PurchaseOutcome
    public var currency: Currency

    public init(_ outcome: PurchaseOutcome, _ currency: Currency) {
        self.outcome = outcome
        self.currency = currency
    }

    /// By date, then by what became of the purchase, then by currency.
    public static func < (left: PurchaseKey, right: PurchaseKey) -> Bool {
        (left.outcome, left.currency) < (right.outcome, right.currency)
    }
}

extension PurchaseTally {
    /// One line for each date and way, in the order of both. Dates without a purchase are left out.
    func lines(in dates: ClosedRange<BusinessDate>) -> [PurchaseLine] {
        groups(by: \.outcome).filter { dates.contains($0.group.date) }.map {
            PurchaseLine(date: $0.date, fulfilment: $0.fulfilment, count: $1, amounts: $2)
        }
        .ordered { ($0.date, $0.fulfilment.rawValue) < ($1.date, $1.fulfilment.rawValue) }
    }

    /// The lines of a night's report, where these purchases come on top of those on record.
    /// - Parameter history: nil if nothing on record counts any more.
    func lines(through date: BusinessDate, after history: (any History)?) throws -> [PurchaseLine] {
        let dates = date.advanced(by: 1 - NightReport.purchaseDays)...date
        var all = try history?.purchases(since: dates.lowerBound) ?? PurchaseTally()
        all.add(self)
        return all.lines(in: dates)
    }

    /// Adds a purchase or, with `sign` -1, removes it. Without an outcome, it does not count.
    mutating func add(_ outcome: PurchaseOutcome?, _ amount: Money?, times sign: Int = 1) {
        guard let outcome else { return }
        let one = CountAndAmount(of: amount)
        add(sign > 0 ? one : CountAndAmount() - one, to: PurchaseKey(outcome, amount?.currency ?? .absent))
    }
}

extension SubjectTally {
    init(_ verdicts: [SubjectVerdict]) {
        // There are few keys, so a linear search beats hashing.
        var sums: [(key: VerdictKey, sum: CountAndAmount)] = []
        for verdict in verdicts {
            let key = VerdictKey(verdict.stored)
            let known = sums.firstIndex { $0.key == key }
            if known == nil { sums.append((key, CountAndAmount())) }
            sums[known ?? sums.count - 1].sum += CountAndAmount(of: verdict.stored.amount)
        }
        for (key, sum) in sums { add(sum, to: key) }
    }
}
