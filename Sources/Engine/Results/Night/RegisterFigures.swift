/// The counts and sums of the exceptions of a night or of a month's end, computed in one pass.
public struct RegisterFigures: Sendable {
    /// For each verdict, the number of exceptions by state.
    public private(set) var states: [Verdict: [ExceptionState: Int]] = [:]
    /// For each verdict, the number of open exceptions of each cause.
    public private(set) var causes: [Verdict: [Cause: Int]] = [:]
    /// The value of the new exceptions, one sum per currency, sorted by currency.
    public private(set) var newWorth: [Money] = []
    /// Open exceptions by verdict, most severe first, then by currency.
    public private(set) var aging: [AgingLine] = []

    public init(_ rows: [ExceptionRow]) {
        var worth = MoneySum()
        // There are few lines, so a linear search is faster than hashing.
        var lines: [AgingLine] = []
        for row in rows {
            let (state, verdict, amount) = (row.state, row.verdict, row.amount)
            states[verdict, default: [:]][state, default: 0] += 1
            if state == .new, let amount { worth.add(amount) }
            guard state.isOpen else { continue }
            causes[verdict, default: [:]][row.cause, default: 0] += 1
            let currency = amount?.currency ?? .absent
            let known = lines.indices.first { lines[$0].verdict == verdict && lines[$0].currency == currency }
            if known == nil { lines.append(AgingLine(verdict: verdict, currency: currency)) }
            lines[known ?? lines.count - 1].add(amount?.minor ?? 0, ageDays: max(0, row.ageDays))
        }
        newWorth = worth.amounts
        aging = exceptionVerdicts.flatMap { verdict in
            lines.filter { $0.verdict == verdict }.ordered { $0.currency < $1.currency }
        }
    }

    public func count(_ state: ExceptionState) -> Int { states.values.reduce(0) { $0 + ($1[state] ?? 0) } }

    /// How many exceptions of this verdict have one of the states that `belongs` accepts.
    public func count(of verdict: Verdict, where belongs: (ExceptionState) -> Bool) -> Int {
        (states[verdict] ?? [:]).reduce(0) { belongs($1.key) ? $0 + $1.value : $0 }
    }

    /// The verdicts with open exceptions, most severe first.
    public var openVerdicts: [Verdict] { exceptionVerdicts.filter { causes[$0] != nil } }
}

/// The verdicts that are exceptions, most severe first: the order in all reports.
public let exceptionVerdicts: [Verdict] = Severity.allCases.flatMap { severity in
    Verdict.allCases.filter { $0.severity(cause: .none) == severity }
}

/// The age groups of open exceptions, in whole days. See docs/spec/interfaces.md#night-workbook; the last has no end.
public let agingBuckets: [ClosedRange<Int>] = [
    0...1, 2...3, 4...7, 8...14, 15...30, 31...60, 61...90, 91...Int.max,
]

/// The open exceptions of one verdict and currency, by age.
public struct AgingLine: Sendable {
    public var verdict: Verdict
    /// Empty for exceptions without a known value.
    public var currency: Currency
    /// One element for each of `agingBuckets`.
    public private(set) var buckets = [CountAndAmount](repeating: CountAndAmount(), count: agingBuckets.count)
    public private(set) var total = CountAndAmount()
    /// The age of the oldest, in days.
    public private(set) var ageDaysMax = 0

    mutating func add(_ minor: Int64, ageDays: Int) {
        let bucket = agingBuckets.firstIndex { $0.contains(ageDays) }!
        buckets[bucket] += CountAndAmount(count: 1, minor: minor)
        total += CountAndAmount(count: 1, minor: minor)
        ageDaysMax = max(ageDaysMax, ageDays)
    }
}
