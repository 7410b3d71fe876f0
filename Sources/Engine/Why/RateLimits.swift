/// Whether a date's rate is more than usual: Laney's p′ chart (Quality Engineering, 2002), for rates of large counts that
/// vary more than chance alone explains. See docs/spec/why.md#limits.
public struct RateLimits: Hashable, Sendable {
    /// The purchases of a settled date, and how many of them are lost.
    public struct Day: Hashable, Sendable {
        public var purchases: Int
        public var lost: Int

        public var rate: Double { Double(lost) / Double(purchases) }
        /// Enough purchases for a rate to say something.
        var counts: Bool { purchases >= 50 }
    }

    /// Why a date stands out.
    public enum Rule: String, Hashable, Sendable, Codable, CaseIterable {
        case aboveLimit = "above_limit"
        /// The eighth date in a row above the usual rate, or a later one.
        case eightAboveUsual = "eight_above_usual"
    }

    /// The date's share of lost orders, 0 to 1, as are the other two.
    public let rate: Double
    /// The rate of the dates before it, together.
    public let usual: Double
    /// What chance and the usual variation keep the rate of this many purchases below.
    public let limit: Double
    /// The rule that the date breaks; nil if it does not stand out.
    public let rule: Rule?

    /// How many dates before the judged one are looked at.
    public static let span = 28
    static let fewestDates = 14
    static let row = 8
    /// Fewer lost orders are never above the limit: the exceptions tell of each.
    static let fewestLost = 5

    /// Whether enough customers got goods for a delay to say something.
    static func counts(_ delays: DelayHistogram) -> Bool { Day(purchases: delays.count, lost: 0).counts }

    /// Nil if the date has too few purchases, or too few of the dates before it have enough.
    /// - Parameter before: the settled dates before it, ascending; the last 28 of them count.
    public init?(of day: Day, before: [Day]) {
        let days = before.suffix(Self.span).filter(\.counts)
        guard day.counts, days.count >= Self.fewestDates else { return nil }
        let centre = Day(
            purchases: days.reduce(0) { $0 + $1.purchases }, lost: days.reduce(0) { $0 + $1.lost }
        ).rate
        func sigma(_ day: Day) -> Double { (centre * (1 - centre) / Double(day.purchases)).squareRoot() }
        let scores = days.map { sigma($0) == 0 ? 0 : ($0.rate - centre) / sigma($0) }
        let ranges = zip(scores, scores.dropFirst()).reduce(0) { $0 + abs($1.0 - $1.1) }
        // 1.128 is the mean range of two values of a normal distribution. Chance alone gives a spread of 1.
        let spread = max(1, ranges / Double(days.count - 1) / 1.128)
        rate = day.rate
        usual = centre
        limit = min(1, centre + 3 * spread * sigma(day))
        if rate > limit, day.lost >= Self.fewestLost {
            rule = .aboveLimit
        } else if (days.suffix(Self.row - 1) + [day]).allSatisfy({ $0.rate > centre }) {
            rule = .eightAboveUsual
        } else {
            rule = nil
        }
    }
}
