/// Why orders of some dates were lost, as reports show it. See docs/spec/why.md#report.
public struct LossReport: Hashable, Sendable, Codable {
    /// The dates that have purchases, ascending.
    public var days: [LossDay] = []
    /// The newest settled date, against those before it. Nil if too little is known to compare it.
    public var rate: LossRate?
    /// The same for the time from payment to goods.
    public var delay: GoodsDelay?
    /// What purchases in trouble have in common: first of the last date, then of all dates that are explained; of each, first
    /// lost orders; the strongest first.
    public var explanations: [ExplanationLine] = []
    /// How often orders were lost by each value, in the order of dimensions; of each, the most frequent value first.
    public var values: [ValueLine] = []

    public var withoutLabels: LossReport {
        var report = self
        report.values.removeAll(where: \.isLabel)
        report.explanations.removeAll { $0.values.contains(where: \.isLabel) }
        return report
    }
}

/// The purchases of one date.
public struct LossDay: Hashable, Sendable, Codable {
    public var date: BusinessDate
    public var purchases: Int
    /// How many of them are lost orders.
    public var lost: Int
    /// Whether no purchase of the date can become a lost order by time alone any more.
    public var isSettled: Bool
    /// The share of lost orders of the dates before it, 0 to 1. Nil where too little is known, or the date is not settled.
    public var usual: Double?
    /// The share that is still as usual.
    public var limit: Double?
    /// The given percentile of the time from payment to goods. Nil without goods.
    public var p50: Milliseconds?
    public var p90: Milliseconds?
    public var p99: Milliseconds?

    public var rate: Double { purchases == 0 ? 0 : Double(lost) / Double(purchases) }
    /// Whether it has enough purchases for the rate to say something.
    public var hasEnough: Bool { RateLimits.Day(purchases: purchases, lost: lost).counts }
}

/// The rate of a date, and what is usual. See docs/spec/why.md#rate-limits.
public struct LossRate: Hashable, Sendable, Codable {
    public var date: BusinessDate
    /// Shares, 0 to 1.
    public var rate: Double
    public var usual: Double
    public var limit: Double
    /// Why the date stands out; nil if it does not.
    public var rule: RateLimits.Rule?
}

/// The delay of a date, and what is usual. See docs/spec/why.md#delay.
public struct GoodsDelay: Hashable, Sendable, Codable {
    public var date: BusinessDate
    public var p90: Milliseconds
    public var usual: Milliseconds
    public var limit: Milliseconds
    public var isAbove: Bool { p90 >= limit }
}

/// An explanation as reports show it. See docs/spec/why.md#explanations.
public struct ExplanationLine: Hashable, Sendable, Codable {
    /// What the purchases have in common is sought for.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case lost = "paid_not_credited"
        case creditedTwice = "credited_twice"
        case orphanReceipt = "orphan_receipt"
        case late
    }

    /// The dates that were looked at.
    public enum Span: String, Hashable, Sendable, Codable {
        /// A night's business date.
        case night
        /// The seven dates up to it.
        case week
        case month
        /// The dates that `reconcile why` was asked for.
        case asked
    }

    public struct Value: Hashable, Sendable, Codable {
        /// `app_version`; a label's own name.
        public var dimension: String
        public var value: String
        /// Whether the dimension is a label of the configuration.
        public var isLabel: Bool
    }

    public var of: Kind
    public var span: Span
    /// One value, or two.
    public var values: [Value]
    /// The purchases in trouble that have the values.
    public var count: Int
    /// All purchases in trouble.
    public var ofCount: Int
    /// The purchases that have the values.
    public var purchases: Int
    /// `count` of `ofCount`, 0 to 1.
    public var support: Double
    /// The share of purchases with the values that are in trouble, 0 to 1.
    public var rate: Double
    /// The share of the other purchases.
    public var rateElsewhere: Double
    public var riskRatio: Double

    /// Whether the weekday is what they have in common, or a part of it.
    public var namesWeekday: Bool { values.contains { !$0.isLabel && $0.dimension == Dimension.weekday.name } }
}

/// The purchases with one value of a dimension.
public struct ValueLine: Hashable, Sendable, Codable {
    /// `app_version`; a label's own name.
    public var dimension: String
    public var isLabel: Bool
    /// Empty for purchases without a value. Nil for all that have a value which is not listed.
    public var value: String?
    public var purchases: Int
    /// Of these, the lost orders: those of the three below together.
    public var lost: Int
    public var later: Int
    public var byHand: Int
    public var notGiven: Int
    /// What the lost orders are worth, sorted by currency.
    public var lostAmounts: [Money]
}
