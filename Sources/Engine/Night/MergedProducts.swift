/// Keeps one row for each product, currency and first day of validity: the row with the latest file date, then with the greatest
/// file name, then of the latest delivery, then with the greatest line number. The order of import therefore decides
/// only between deliveries of the same name and date.
///
/// Of rows without a first day, the first holds from the beginning. A later one with another price begins on the date of
/// its file: a price that changes never changes what was bought before.
func merged(_ all: [Product], names: [DeliveryID: String]) -> [Product] {
    func precedes(_ left: Product, _ right: Product) -> Bool {
        let (left, right) = (left.source, right.source)
        if left.fileDate != right.fileDate { return left.fileDate < right.fileDate }
        let (mine, theirs) = (names[left.delivery] ?? "", names[right.delivery] ?? "")
        return mine == theirs
            ? (left.delivery, left.line) < (right.delivery, right.line)
            : mine.isBefore(theirs)
    }
    return Dictionary(grouping: all, by: \.id).ordered().flatMap { _, rows in
        let currencies = Dictionary(grouping: rows.ordered(by: precedes)) { $0.price?.currency ?? .absent }
        let kept = currencies.ordered().flatMap { _, rows in
            var list = MergedRows()
            for row in rows where row.validFrom != nil { list.rows[row.validFrom] = row }
            for row in rows where row.validFrom == nil { list.addUndated(row) }
            return Array(list.rows.values)
        }
        return kept.ordered { ($0.validFrom ?? .absent) < ($1.validFrom ?? .absent) }
    }
}

/// The rows of one product in one currency by their first day; nil: from the beginning.
private struct MergedRows {
    var rows: [BusinessDate?: Product] = [:]

    /// Adds a row without a first day. Rows are added in the order of their files.
    mutating func addUndated(_ row: Product) {
        guard let first = rows[nil], first.source.fileDate < row.source.fileDate else {
            rows[nil] = row
            return
        }
        let date = row.source.fileDate
        // It ended before its file, so it can only repeat what is known: a list never changes what was bought before.
        if let end = row.validTo, end < date { return }
        let current = rows.values.filter { ($0.validFrom ?? date) <= date && date <= ($0.validTo ?? date) }
            .max { ($0.validFrom ?? .absent) < ($1.validFrom ?? .absent) }
        var step = row
        if let current, current.price == row.price, current.validTo == row.validTo {
            // The same price: it holds since it did before.
            (step.validFrom, step.source) = (current.validFrom, current.source)
        } else {
            step.validFrom = date
        }
        rows[step.validFrom] = step
    }
}
