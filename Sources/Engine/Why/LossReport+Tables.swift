/// What is known of some dates before and after tonight, to make a loss report from.
struct LossSources: Sendable {
    var zone: Zone
    /// "Now" for the rules.
    var horizon: Instant
    /// The purchases of the dates shown, and of `RateLimits.span` dates before them.
    var purchases: PurchaseTally
    /// How long the customers of the same dates waited.
    var delays: [BusinessDate: DelayHistogram]

    /// By time alone, no purchase of the date becomes a lost order any more.
    func isSettled(_ date: BusinessDate) -> Bool { zone.end(of: date) + .hours(24) <= horizon }
}

extension LossReport {
    /// How many values of a dimension a night's or a month's report lists.
    static let valuesMax = 50

    /// The days, and whether the newest settled one stands out.
    init(of dates: ClosedRange<BusinessDate>, from sources: LossSources) {
        var settled: [(day: RateLimits.Day, delays: DelayHistogram)] = []
        for (date, day) in sources.days where date <= dates.upperBound {
            let delays = sources.delays[date] ?? DelayHistogram()
            let limits = sources.isSettled(date) ? RateLimits(of: day, before: settled.map(\.day)) : nil
            if dates.contains(date) {
                days.append(
                    LossDay(
                        date: date, purchases: day.purchases, lost: day.lost, isSettled: sources.isSettled(date),
                        usual: limits?.usual, limit: limits?.limit, p50: delays.percentile(50),
                        p90: delays.percentile(90), p99: delays.percentile(99)))
            }
            if sources.isSettled(date) {
                if dates.contains(date) {
                    note(date, limits, waited: DelayLimit(of: delays, before: settled.map(\.delays)))
                }
                settled.append((day, delays))
            }
        }
    }

    /// Keeps what is said of the newest settled date.
    private mutating func note(_ date: BusinessDate, _ limits: RateLimits?, waited: DelayLimit?) {
        rate = limits.map { LossRate(date: date, rate: $0.rate, usual: $0.usual, limit: $0.limit, rule: $0.rule) }
        delay = waited.map { GoodsDelay(date: date, p90: $0.p90, usual: $0.usual, limit: $0.limit) }
    }

    /// Adds what the purchases of a window of dates have in common.
    /// - Parameter usual: how long the customers of the dates before it waited, for what counts as late; nil if too little is known.
    mutating func explain(_ window: [DateTable], as span: ExplanationLine.Span, usual: DelayHistogram?, threads: Int) {
        let late = usual?.bucket(ofPercentile: 99)
        let troubles: [(kind: ExplanationLine.Kind, trouble: Trouble)] =
            [(.lost, .lost), (.creditedTwice, .creditedTwice), (.orphanReceipt, .orphanReceipt)]
            + (late.map { [(.late, .late(than: $0))] } ?? [])
        let found = concurrently(threads: threads, troubles.count) { index in
            Explanations.find(in: window, of: troubles[index].trouble)
        }
        for (trouble, found) in zip(troubles, found) {
            explanations += found.map { ExplanationLine($0, of: trouble.kind, in: span) }
        }
    }

    /// Counts the purchases of these dates by the values of each dimension, or of the one with this name.
    mutating func count(_ window: [DateTable], by name: String? = nil, limit: Int = valuesMax, threads: Int) {
        let dimensions = Set(window.flatMap(\.dimensions)).union([.weekday]).ordered()
            .filter { name == nil || $0.name == name }
        let lines = concurrently(threads: threads, dimensions.count) { index in
            window.tallies(by: dimensions[index], limit: limit).map { ValueLine($0, of: dimensions[index]) }
        }
        // A dimension of which no purchase has a value says nothing.
        values += lines.filter { $0.contains { $0.value != "" } }.joined()
    }
}

extension LossSources {
    /// The purchases of each date that has one, ascending.
    fileprivate var days: [(date: BusinessDate, day: RateLimits.Day)] {
        var days: [BusinessDate: RateLimits.Day] = [:]
        for (key, sum) in purchases.entries {
            days[key.outcome.date, default: RateLimits.Day(purchases: 0, lost: 0)].purchases += sum.count
            if key.outcome.fulfilment.isLost { days[key.outcome.date]!.lost += sum.count }
        }
        return days.ordered().map { ($0.key, $0.value) }
    }

    /// The delays of the settled dates before `date` that a limit would look at, together. Nil if these are too few.
    func usualDelays(before date: BusinessDate) -> DelayHistogram? {
        let days = delays.filter { $0.key < date && isSettled($0.key) }.ordered()
        let known = days.suffix(RateLimits.span).map(\.value).filter(RateLimits.counts)
        return known.count < RateLimits.fewestDates ? nil : known.reduce(into: DelayHistogram()) { $0.add($1) }
    }
}

extension ExplanationLine {
    fileprivate init(_ found: Explanation, of kind: Kind, in span: Span) {
        of = kind
        self.span = span
        values = found.values.map {
            Value(dimension: $0.dimension.name, value: $0.value.text, isLabel: $0.dimension.isLabel)
        }
        (count, ofCount, purchases) = (found.count, found.ofCount, found.purchases)
        (support, rate, rateElsewhere, riskRatio) = (found.support, found.rate, found.rateElsewhere, found.riskRatio)
    }
}

extension ValueLine {
    fileprivate init(_ tally: ValueTally, of dimension: Dimension) {
        self.dimension = dimension.name
        isLabel = dimension.isLabel
        value = tally.value.map { $0 == .absent ? "" : $0.text }
        purchases = tally.purchases
        (later, byHand, notGiven) = (tally[.later], tally[.byHand], tally[.lost])
        lost = later + byHand + notGiven
        lostAmounts = tally.lostWorth.amounts
    }
}
