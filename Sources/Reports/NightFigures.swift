internal import Domain

/// What is counted of a night's exceptions, in one pass.
struct NightFigures {
    private(set) var states: [ExceptionState: Int] = [:]
    /// Of each verdict: exceptions that somebody has still to act on, and how many of them are new.
    private(set) var open: [Verdict: (count: Int, new: Int)] = [:]
    /// What is new tonight, one sum a currency, sorted by currency.
    private(set) var newWorth: [Amount] = []
    /// By verdict, severest first, then by currency.
    private(set) var aging: [AgingLine] = []

    init(_ rows: [ExceptionRow]) {
        var worth: [String: Int64] = [:]
        // Of few kinds: found faster one by one than by a hash.
        var lines: [AgingLine] = []
        for row in rows {
            let (state, verdict, amount) = (row.fields.state, row.fields.verdict, row.fields.amount)
            states[state, default: 0] += 1
            if state == .new, let amount { worth[amount.currency, default: 0].add(amount.minor) }
            guard state != .resolved, state != .waived else { continue }
            let currency = amount?.currency ?? ""
            let known = lines.indices.first { lines[$0].verdict == verdict && lines[$0].currency == currency }
            if known == nil { lines.append(AgingLine(verdict: verdict, currency: currency)) }
            lines[known ?? lines.count - 1]
                .add(amount?.minor ?? 0, ageDays: max(0, row.fields.ageDays), isNew: state == .new)
        }
        for line in lines {
            let known = open[line.verdict] ?? (0, 0)
            open[line.verdict] = (known.count + line.total.count, known.new + line.new)
        }
        newWorth = worth.sorted { $0.key < $1.key }.map { Amount(minor: $0.value, currency: $0.key) }
        aging = exceptionVerdicts.flatMap { verdict in
            lines.filter { $0.verdict == verdict }.sorted { $0.currency < $1.currency }
        }
    }

    /// Those that have open exceptions, severest first.
    var openVerdicts: [Verdict] { exceptionVerdicts.filter { open[$0] != nil } }
}

/// The verdicts that are exceptions, severest first: the order in which people meet them.
let exceptionVerdicts: [Verdict] = Severity.allCases.flatMap { severity in
    Verdict.allCases.filter { $0.severity(cause: .none) == severity }
}

/// The ages, in whole days, that open exceptions are counted by. INTERFACES §3; the last has no end.
let agingBuckets: [ClosedRange<Int>] = [
    0...1, 2...3, 4...7, 8...14, 15...30, 31...60, 61...90, 91...Int.max,
]

/// Open exceptions of one verdict and currency by age.
struct AgingLine {
    var verdict: Verdict
    /// Empty for exceptions without a known worth.
    var currency: String
    /// One for each of `agingBuckets`.
    private(set) var buckets = [CountAndAmount](repeating: CountAndAmount(), count: agingBuckets.count)
    private(set) var total = CountAndAmount()
    /// How many of them are new.
    private(set) var new = 0
    /// The age of the oldest.
    private(set) var ageDaysMax = 0

    init(verdict: Verdict, currency: String) {
        self.verdict = verdict
        self.currency = currency
    }

    mutating func add(_ minor: Int64, ageDays: Int, isNew: Bool) {
        let bucket = agingBuckets.firstIndex { $0.contains(ageDays) }!
        buckets[bucket].count += 1
        buckets[bucket].minor.add(minor)
        total.count += 1
        if isNew { new += 1 }
        total.minor.add(minor)
        ageDaysMax = max(ageDaysMax, ageDays)
    }
}
