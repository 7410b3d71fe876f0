/// The counts and sums of a night's exceptions, computed in one pass.
struct NightFigures {
    /// For each verdict, the number of exceptions by state.
    private(set) var states: [Verdict: [ExceptionState: Int]] = [:]
    /// For each verdict, the number of open exceptions of each cause.
    private(set) var causes: [Verdict: [Cause: Int]] = [:]
    /// The value of the new exceptions, one sum per currency, sorted by currency.
    private(set) var newWorth: [Money] = []
    /// Open exceptions by verdict, most severe first, then by currency.
    private(set) var aging: [AgingLine] = []

    init(_ rows: [ExceptionRow]) {
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

    func count(_ state: ExceptionState) -> Int { states.values.reduce(0) { $0 + ($1[state] ?? 0) } }

    /// How many exceptions of this verdict have one of the states that `belongs` accepts.
    func count(of verdict: Verdict, where belongs: (ExceptionState) -> Bool) -> Int {
        (states[verdict] ?? [:]).reduce(0) { belongs($1.key) ? $0 + $1.value : $0 }
    }

    /// The verdicts with open exceptions, most severe first.
    var openVerdicts: [Verdict] { exceptionVerdicts.filter { causes[$0] != nil } }
}

/// The verdicts that are exceptions, most severe first: the order in all reports.
let exceptionVerdicts: [Verdict] = Severity.allCases.flatMap { severity in
    Verdict.allCases.filter { $0.severity(cause: .none) == severity }
}

/// The age groups of open exceptions, in whole days. See docs/spec/interfaces.md#night-workbook; the last has no end.
let agingBuckets: [ClosedRange<Int>] = [
    0...1, 2...3, 4...7, 8...14, 15...30, 31...60, 61...90, 91...Int.max,
]

/// The open exceptions of one verdict and currency, by age.
struct AgingLine {
    var verdict: Verdict
    /// Empty for exceptions without a known value.
    var currency: Currency
    /// One element for each of `agingBuckets`.
    private(set) var buckets = [CountAndAmount](repeating: CountAndAmount(), count: agingBuckets.count)
    private(set) var total = CountAndAmount()
    /// The age of the oldest, in days.
    private(set) var ageDaysMax = 0

    mutating func add(_ minor: Int64, ageDays: Int) {
        let bucket = agingBuckets.firstIndex { $0.contains(ageDays) }!
        buckets[bucket] += CountAndAmount(count: 1, minor: minor)
        total += CountAndAmount(count: 1, minor: minor)
        ageDaysMax = max(ageDaysMax, ageDays)
    }
}
