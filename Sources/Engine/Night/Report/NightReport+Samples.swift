/// Columns that the files of a feed had, and have no longer.
public struct LostColumns: Hashable, Sendable {
    public var feed: String
    /// Sorted.
    public var columns: [String]
}

/// A listed price that is a hundred times what Apple's records say, or a hundredth.
public struct PriceDoubt: Hashable, Sendable, Codable {
    public var product: String
    public var listed: Money
    /// What Apple's records usually say.
    public var apples: Money
    public var span: DoubtSpan
}

/// What the first rows of tonight's files show. It holds nothing; a person should look.
extension NightReport {
    mutating func noteSamples(
        of delivered: Delivered, after head: HistoryHead, by basis: Basis, feeds: [ExpectedFeed]
    ) {
        columnRuns = head.columnRuns.continued(from: head.feeds, by: feeds.map(\.record))
        let lists = Set(feeds.map(\.record).filter { $0.kind.isList }.map(\.name))
        for (feed, sample) in delivered.samples {
            var runs = columnRuns[feed] ?? [:]
            for column in Set(runs.keys).union(sample.named ?? []).union(sample.filled.keys) {
                runs[column, default: ColumnRun()].add(sample, column, on: businessDate, isList: lists.contains(feed))
            }
            columnRuns[feed] = runs
        }
        for feed in feeds { for column in feed.unread { columnRuns[feed.record.name]?[column] = nil } }
        let known = head.kindRuns.filter { run in feeds.contains { $0.record.name == run.key } }
        noteKinds(delivered.kindSamples, after: known)
        notePrices(delivered.samples.values.flatMap(\.prices), after: head.doubtfulPrices, by: basis.policy.products)
    }

    /// Keeps which listed prices are in doubt.
    ///
    /// - Parameter all: what Apple's records of tonight usually say.
    private mutating func notePrices(
        _ all: [RowSample.ProductPrice], after doubts: [PriceDoubt], by products: ProductList
    ) {
        let apples = all.filter { products.type(of: $0.product) != .autoRenewable }
        let compared = Set(apples.map(\.product.text))
        let known = doubts.filter {
            products.prices(of: Identifier($0.product), on: businessDate).contains($0.listed)
        }
        let found = apples.flatMap { apple in
            products.prices(of: apple.product, on: businessDate)
                .filter { $0.currency == apple.price.currency && $0.isHundredfold(apple.price) }
                .map {
                    PriceDoubt(
                        product: apple.product.text, listed: $0, apples: apple.price,
                        span: DoubtSpan(since: businessDate))
                }
        }
        let others = known.filter { known in
            !found.contains { $0.product == known.product && $0.listed == known.listed }
        }
        let doubtful = distinct(found + others) { ($0.product, $0.listed.currency) < ($1.product, $1.listed.currency) }
        let lasting = doubtful.compactMap { doubt -> PriceDoubt? in
            var doubt = doubt
            let former = known.first { $0.product == doubt.product && $0.listed == doubt.listed }
            let isWrong = compared.contains(doubt.product) ? found.contains(doubt) : nil
            guard let span = DoubtSpan.updated(former?.span, isWrong: isWrong, on: businessDate) else { return nil }
            doubt.span = span
            return doubt
        }
        doubtfulPrices = lasting
    }

    /// Keeps how each part of a credits feed has `kind`. Where one has none, the feed as a whole cannot lose it.
    private mutating func noteKinds(
        _ samples: [String: [String: RowSample]], after known: [String: [String: ColumnRun]]
    ) {
        var kinds = known
        for (feed, parts) in samples {
            // Names that never come again are forgotten.
            if kinds[feed]?.count ?? 0 > Self.partsMost { kinds[feed] = kinds[feed]?.filter { parts[$0.key] != nil } }
            for (part, sample) in parts where sample.rows > 0 || sample.named != nil {
                kinds[feed, default: [:]][part, default: ColumnRun()].add(sample, ColumnRun.kind, on: businessDate)
                if sample.unread.contains(ColumnRun.kind) { kinds[feed] = nil }
            }
        }
        for (feed, runs) in kinds where runs.values.contains(where: \.isAbsent) {
            columnRuns[feed]?[ColumnRun.kind] = nil
        }
        kindRuns = kinds
    }

    private static let partsMost = 100

    /// The columns that a feed's files have lost and that are still told.
    public var lostColumns: [LostColumns] { lost { $0.isTold(on: businessDate) } }
    /// All columns that a feed's files have lost.
    public var allLostColumns: [LostColumns] { lost(where: \.isLost) }

    private func lost(where isMeant: (ColumnRun) -> Bool) -> [LostColumns] {
        columnRuns.ordered().compactMap { feed, runs in
            let lost = runs.filter { isMeant($1) }.keys.sorted()
            return lost.isEmpty ? nil : LostColumns(feed: feed, columns: lost)
        }
    }

    /// The prices in doubt that are still told.
    public var toldPrices: [PriceDoubt] {
        doubtfulPrices.filter { $0.span.isTold(on: businessDate) }
    }

    /// Tonight's warnings about doubts. `Withholding` makes the one about renewals.
    var doubtWarnings: [NightWarning] {
        (toldBreak.map { [.goodsBreak($0)] } ?? []) + lostColumns.map(NightWarning.columnsLost)
            + (toldPrices.first.map { [.pricesDoubted(count: toldPrices.count, $0)] } ?? [])
    }
}

extension [String: [String: ColumnRun]] {
    /// The runs of tonight's feeds. A credits feed that comes in place of another one has had its `kind`.
    public func continued(from known: [FeedRecord], by feeds: [FeedRecord]) -> Self {
        var kept = filter { run in feeds.contains { $0.name == run.key } }
        func credits(_ feeds: [FeedRecord], without others: [FeedRecord]) -> [String] {
            feeds.filter { feed in feed.kind == .credits && !others.contains { $0.name == feed.name } }.map(\.name)
        }
        let replaced = credits(known, without: feeds).compactMap { self[$0]?[ColumnRun.kind] }
        for (run, feed) in zip(replaced, credits(feeds, without: known)) { kept[feed] = [ColumnRun.kind: run] }
        return kept
    }
}

extension Money {
    /// Whether one is about a hundred times the other.
    fileprivate func isHundredfold(_ other: Money) -> Bool {
        let (low, high) = (min(minor, other.minor), max(minor, other.minor))
        return low > 0 && (50...200).contains(high / low)
    }
}
