/// The columns of the aging sheet: open exceptions by verdict, currency and age.
func agingColumns(_ texts: Texts) -> [Column<AgingLine>] {
    var columns: [Column<AgingLine>] = [
        Column("verdict") { texts.verdict($0.verdict) },
        Column("currency") { Cell($0.currency.text) },
    ]
    for (index, bucket) in agingBuckets.enumerated() {
        let days = bucket.upperBound == .max ? ">\(bucket.lowerBound - 1)" : "\(bucket.lowerBound)–\(bucket.upperBound)"
        columns += pair(texts.label(.daysOld, days), texts, currency: { $0.currency }, value: { $0.buckets[index] })
    }
    columns += pair(texts.label(.total), texts, currency: { $0.currency }, value: { $0.total })
    return columns + [Column("verdict_code") { .text($0.verdict.rawValue) }]
}

/// A column of counts and one of amounts. Zero is shown as an empty cell; without a currency there is no amount.
func pair<Row>(
    _ title: String, _ texts: Texts, currency: @escaping @Sendable (Row) -> Currency,
    value: @escaping @Sendable (Row) -> CountAndAmount
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
                let isEmpty = code == .absent || worth == CountAndAmount()
                return isEmpty ? .empty : .money(Money(minor: worth.minor, currency: code))
            }),
    ]
}
