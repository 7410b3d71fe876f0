internal import Domain

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
    var buckets = [CountAndAmount](repeating: CountAndAmount(), count: agingBuckets.count)

    var total: CountAndAmount {
        buckets.reduce(CountAndAmount()) { CountAndAmount(count: $0.count + $1.count, minor: $0.minor + $1.minor) }
    }
}

/// The verdicts that are exceptions, severest first: the order in which people meet them.
let exceptionVerdicts: [Verdict] = Severity.allCases.flatMap { severity in
    Verdict.allCases.filter { $0.severity(cause: .none) == severity }
}

/// By verdict, severest first, then by currency.
func agingLines(_ rows: [ExceptionRow]) -> [AgingLine] {
    var lines: [Verdict: [String: AgingLine]] = [:]
    for row in rows where row.state.isOpen {
        let currency = row.amount?.currency ?? ""
        let bucket = agingBuckets.firstIndex { $0.contains(max(0, row.ageDays)) }!
        var line = lines[row.verdict]?[currency] ?? AgingLine(verdict: row.verdict, currency: currency)
        line.buckets[bucket].count += 1
        line.buckets[bucket].minor += row.amount?.minor ?? 0
        lines[row.verdict, default: [:]][currency] = line
    }
    return exceptionVerdicts.flatMap { verdict in
        (lines[verdict] ?? [:]).values.sorted { $0.currency < $1.currency }
    }
}

extension ExceptionState {
    /// Whether somebody has still to act.
    var isOpen: Bool { self != .resolved && self != .waived }
}

func agingColumns(_ texts: Texts) -> [Column<AgingLine>] {
    let words = WordTable(texts)
    var columns: [Column<AgingLine>] = [
        Column("verdict") { words.verdict($0.verdict) },
        Column("currency") { Cell($0.currency) },
    ]
    for (index, bucket) in agingBuckets.enumerated() {
        let days = bucket.upperBound == .max ? ">\(bucket.lowerBound - 1)" : "\(bucket.lowerBound)–\(bucket.upperBound)"
        columns += pair(texts.label(.daysOld, days), texts, { $0.currency }, { $0.buckets[index] })
    }
    columns += pair(texts.label(.total), texts, { $0.currency }, { $0.total })
    return columns + [Column("verdict_code") { .text($0.verdict.rawValue) }]
}

/// A column of numbers and one of amounts, both empty for none; no amount where there is no currency.
func pair<Row>(
    _ title: String, _ texts: Texts, _ currency: @escaping @Sendable (Row) -> String,
    _ value: @escaping @Sendable (Row) -> CountAndAmount
) -> [Column<Row>] {
    [
        Column(
            title,
            figure: { row in
                let count = value(row).count
                return count == 0 ? .empty : .integer(Int64(count))
            }),
        Column(
            title + " " + texts.label(.amount),
            figure: { row in
                let (worth, code) = (value(row), currency(row))
                let isEmpty = code.isEmpty || worth == CountAndAmount()
                return isEmpty ? .empty : .money(Amount(minor: worth.minor, currency: code))
            }),
    ]
}
