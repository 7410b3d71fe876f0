/// How the columns that a feed's files fill are followed.
public enum ColumnRuns {
    /// After this many files with a column, later files are expected to have it.
    static let usual = 3
    /// The number of nights in which its loss is reported.
    static let toldMost = 7
}

/// A listed price that is a hundred times what Apple's records say, or a hundredth.
public struct PriceDoubt: Hashable, Sendable, Codable {
    public var product: String
    public var listed: Money
    /// What Apple's records usually say.
    public var apples: Money

    public init(product: String, listed: Money, apples: Money) {
        (self.product, self.listed, self.apples) = (product, listed, apples)
    }
}

/// What the first rows of tonight's files show. It holds nothing; a person should look.
extension NightReport {
    mutating func note(
        _ samples: [String: RowSample], after head: HistoryHead, by basis: Basis, feeds: [String]
    ) {
        columns = head.columns.filter { feeds.contains($0.key) }
        for (feed, sample) in samples {
            var runs = columns?[feed] ?? [:]
            for (column, run) in runs where sample.hasColumns && !sample.filled.contains(column) {
                let isTold = run < 0 ? run > -ColumnRuns.toldMost : run >= ColumnRuns.usual
                runs[column] = isTold && sample.empty.contains(column) ? min(run, 0) - 1 : nil
            }
            for column in sample.filled { runs[column] = min(max(runs[column] ?? 0, 0) + 1, ColumnRuns.usual) }
            columns?[feed] = runs
        }
        let apples = samples.values.flatMap(\.prices)
        let compared = Set(apples.map(\.product.text))
        let found = apples.flatMap { apple in
            basis.policy.products.prices(of: apple.product, on: businessDate)
                .filter { $0.currency == apple.price.currency && $0.isHundredfold(apple.price) }
                .map { PriceDoubt(product: apple.product.text, listed: $0, apples: apple.price) }
        }
        let standing = head.doubtfulPrices.filter { doubt in
            !compared.contains(doubt.product)
                && basis.policy.products.prices(of: Identifier(doubt.product), on: businessDate).contains(doubt.listed)
        }
        let doubts = distinct(found + standing) { ($0.product, $0.listed.currency) < ($1.product, $1.listed.currency) }
        doubtfulPrices = doubts.isEmpty ? nil : doubts
    }

    /// The columns that no row of a feed's files has any more.
    public var lostColumns: [(feed: String, columns: [String])] {
        (columns ?? [:]).ordered().compactMap { feed, runs in
            let lost = runs.filter { $1 < 0 }.keys.sorted()
            return lost.isEmpty ? nil : (feed, lost)
        }
    }

    var sampleWarnings: [NightWarning] {
        lostColumns.map { .columnsLost(feed: $0.feed, columns: $0.columns) }
            + (doubtfulPrices.map { [.pricesDoubted(count: $0.count, $0[0])] } ?? [])
    }
}

extension Money {
    /// Whether one is about a hundred times the other.
    fileprivate func isHundredfold(_ other: Money) -> Bool {
        let (low, high) = (min(minor, other.minor), max(minor, other.minor))
        return low > 0 && (50...200).contains(high / low)
    }
}
