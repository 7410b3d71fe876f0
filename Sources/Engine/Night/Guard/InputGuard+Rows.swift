/// Rows of required feeds, compared with earlier deliveries.
extension InputGuard {
    /// A required feed's rows of one date, beside those of the deliveries before, ascending.
    struct Comparison {
        var feed: FeedRecord
        var date: BusinessDate
        var rows: RowCount
        var usual: (usable: [Int], new: [Int], files: [Int])
        /// The new rows of the deliveries that `usual` is made of, by date, ascending.
        var before: [(date: BusinessDate, new: Int)] = []
        /// Those of the deliveries after it, ascending.
        var after: [(date: BusinessDate, new: Int)] = []
        /// Whether every one of several deliveries before had usable rows.
        var alwaysHasRows = false
        /// How many files brought nothing new, though files of their names do.
        var silentFiles = 0

        /// The feed brought about as much news as usual.
        var hasUsualNews: Bool { rows.new * 10 >= usual.new.lowerMedian * 9 }
        var isComplete: Bool { usual.new.lowerMedian >= GuardLimit.rowsMin && hasUsualNews }
    }

    /// Of each date for which a required feed delivered tonight, or which the last run doubted.
    func comparisons(_ deliveries: [Delivery], _ arrivals: [Arrival]) throws -> [Comparison] {
        let feeds = settings.feeds.filter(\.record.isRequired)
        let names = Set(feeds.map(\.record.name))
        let doubted = head.guarded.filter { [.rows, .newRows, .parts].contains($0.kind) }
        let judged = Set(arrivals.filter { names.contains($0.feed) }.map(\.date) + doubted.map(\.date))
        if judged.isEmpty { return [] }
        return try feeds.flatMap { feed -> [Comparison] in
            let name = feed.record.name
            let tonight = arrivals.filter { $0.feed == name }.map(\.date)
            let days = (head.arrivals[name] ?? []).union(tonight).ordered()
            let most = GuardLimit.deliveries.upperBound
            let compared = days.filter(judged.contains).map { date in
                (
                    date, days.filter { $0 < date }.suffix(GuardLimit.alwaysMost),
                    days.filter { $0 > date }.prefix(most)
                )
            }
            let rows = try rows(of: feed, on: Set(compared.flatMap { [$0.0] + $0.1 + $0.2 }), deliveries)
            return compared.map { date, earlier, later in
                let all = earlier.map { rows[$0] ?? RowCount() }
                let usual = all.suffix(most)
                return Comparison(
                    feed: feed.record, date: date, rows: rows[date] ?? RowCount(),
                    usual: (
                        usual.map(\.usable).ordered(), usual.map(\.new).ordered(), usual.map(\.files.count).ordered()
                    ),
                    before: zip(earlier, all).suffix(most).map { ($0, $1.new) },
                    after: later.map { ($0, rows[$0]?.new ?? 0) },
                    alwaysHasRows: all.count >= GuardLimit.deliveries.lowerBound
                        && all.allSatisfy { $0.usable > 0 },
                    silentFiles: silentFiles(rows[date] ?? RowCount(), usual))
            }
        }
    }

    private func silentFiles(_ rows: RowCount, _ usual: some Collection<RowCount>) -> Int {
        rows.files.count { file, new in
            let before = usual.compactMap { $0.files[file] }.ordered()
            return rows.files.count > 1 && new == 0 && before.count >= GuardLimit.usualDatesMin && before[0] > 0
                && before.lowerMedian >= GuardLimit.noneMin
        }
    }

    func findings(
        _ compared: [Comparison], _ deliveries: [Delivery], _ purchases: [BusinessDate: DateCounts],
        on date: BusinessDate
    ) throws -> [GuardFinding] {
        let complete = Dictionary(grouping: compared.filter(\.isComplete), by: \.date)
        let found: [GuardFinding] = try compared.compactMap { comparison in
            let others = (complete[comparison.date] ?? []).filter { $0.feed.name != comparison.feed.name }
            let missed = purchases[comparison.date]?.suspects(on: comparison.date) ?? []
            let isMissed = missed.contains {
                $0.feed == comparison.feed.kind && $0.count > 0 && $0.count * 2 >= $0.total
            }
            let isSure = limits.rows > 0 && comparison.usual.usable.lowerMedian >= GuardLimit.noneMin
            if lacksAllRows(comparison) && (isMissed || isSure)
                || lacksRows(comparison) && (!others.isEmpty || !isAccepted(comparison))
            {
                return finding(.rows, comparison, count: comparison.rows.usable, usual: comparison.usual.usable)
            }
            if lacksParts(comparison) {
                let count = comparison.rows.files.count - comparison.silentFiles
                return finding(.parts, comparison, count: count, usual: comparison.usual.files)
            }
            let isHeld =
                try lacksNews(comparison) && (!others.isEmpty || isStale(comparison) && !isAccepted(comparison))
                && !isForestalled(comparison, deliveries)
            guard try isHeld || purchasesEndEarly(comparison, deliveries), try !isMadeUpFor(comparison, deliveries)
            else { return nil }
            return finding(.newRows, comparison, count: comparison.rows.new, usual: comparison.usual.new)
        }
        return try found
            + shrunk(deliveries, on: date).filter { finding in !found.contains { $0.isSameMatter(as: finding) } }
    }

    /// Files without a date in their names that repeat earlier rows and have fewer than in the delivery before. A
    /// file that only dropped its oldest rows has lost nothing: its first row is later, and its last one is not earlier.
    private func shrunk(_ deliveries: [Delivery], on date: BusinessDate) throws -> [GuardFinding] {
        try settings.feeds.map { ($0, $0.record) }.filter { $1.isRequired && !$1.isDated }.flatMap {
            feed, record -> [GuardFinding] in
            let doubted = head.guarded.filter { $0.kind == .rows && $0.path == record.name }
            let tonights = deliveries.filter { $0.kind == record.kind && feed.matches($0.name) }
            if tonights.isEmpty { return doubted }
            let known = try history.files(of: record.kind, since: date.advanced(by: -GuardLimit.usualSpan))
            return tonights.compactMap { file in
                guard let before = known.last(where: { $0.name == file.name }) else { return nil }
                let (rows, last) = (file.rowCount.usable, before.counts.rows - before.counts.rejected)
                // What was found of the delivery before is compared with the one before that.
                let usual = doubted.first { $0.count == last }?.total ?? last
                let repeats = file.duplicates * 2 >= max(rows, 1) || before.counts.duplicates * 2 >= max(last, 1)
                guard rows < usual, repeats, !file.totals.hasAged(since: before) else { return nil }
                return GuardFinding(
                    kind: .rows, feed: record.kind, path: record.name, date: date, count: rows, total: usual,
                    usual: [usual, usual])
            }
        }
    }

    /// Whether the rest of the date's news is in the files of dates before, which were made late: an export without an end has
    /// all rows so far. So it is after a night that was missed, or repaired in the evening.
    private func isForestalled(_ compared: Comparison, _ deliveries: [Delivery]) throws -> Bool {
        let ends = try ends(of: compared, deliveries)
        let late = ends.values.ordered().lowerMedian + GuardLimit.earlyMin.count
        var (spare, filled) = (0, compared)
        for (date, new) in compared.before {
            let (end, start) = (ends[date] ?? 0, Int64(compared.date.day - date.day) * 86_400_000)
            guard spare > 0 || end > late && end > start else { continue }
            spare = max(0, spare + new - compared.usual.new.lowerMedian)
        }
        filled.rows.new += spare
        return !lacksNews(filled)
    }

    /// Whether the rest of the date's news is in files of dates after, which begin before the date's end and repeat its rows: a
    /// database that stood still is back, and its export has the rows of some days.
    private func isMadeUpFor(_ compared: Comparison, _ deliveries: [Delivery]) throws -> Bool {
        guard !compared.after.isEmpty, let feed = settings.feeds.first(where: { $0.record.name == compared.feed.name })
        else { return false }
        let end = zone.end(of: compared.date)
        let repeating = try files(of: feed.record.kind, since: compared.date, deliveries).filter {
            feed.matches($0.name) && $0.firstEvent ?? end < end && $0.counts.duplicates >= max(compared.rows.new, 1)
        }
        let dates = Set(repeating.map(\.fileDate))
        var (spare, filled) = (0, compared)
        for (date, new) in compared.after.reversed() where spare > 0 || dates.contains(date) {
            spare = max(0, spare + new - compared.usual.new.lowerMedian)
        }
        filled.rows.new += spare
        return filled.hasUsualNews
    }

    /// Whether a feed that always has rows has none. A small shop may have a day without sales, and a second feed a day without
    /// rows: fewer than `noneMin` say something only if half of the date's purchases have a fault that such rows would mend.
    private func lacksAllRows(_ compared: Comparison) -> Bool {
        compared.rows.usable == 0 && compared.alwaysHasRows
    }

    private func lacksRows(_ compared: Comparison) -> Bool {
        let (usable, usual) = (compared.rows.usable, compared.usual.usable)
        guard GuardLimit.deliveries.contains(usual.count) || !usual.isEmpty && usable == 0 else { return false }
        let median = usual.lowerMedian
        return median >= GuardLimit.rowsMin && isFar(usable, below: usual)
    }

    /// The count must also be well below the second smallest one, because ordinary days after a promotion are normal; and by
    /// three standard deviations, because days of rest leave few rows, of which chance may well take a third.
    private func isFar(_ count: Int, below usual: [Int]) -> Bool {
        let second = usual.prefix(2).last!
        let lacking = second - count
        return count * 1_000_000 < usual.lowerMedian * limits.rows && count * 3 < second * 2
            && (count == 0 || lacking * lacking > 9 * second)
    }

    /// Whether a person accepted about as few rows, or new rows, of a recent date: a quiet weekday, say, or the days after a
    /// promotion. Less than a tenth of the usual number is accepted for one date only, because a database may stand still.
    func isAccepted(_ compared: Comparison) -> Bool {
        let dates = compared.date.advanced(by: -GuardLimit.acceptedSpan)..<compared.date
        return head.releasedFindings.contains { released in
            guard (released.feed, released.path) == (compared.feed.kind, compared.feed.name),
                dates.contains(released.date)
            else { return false }
            let (count, usual): (Int, [Int])
            switch released.kind {
            case .rows: (count, usual) = (compared.rows.usable, compared.usual.usable)
            case .newRows: (count, usual) = (compared.rows.new, compared.usual.new)
            default: return false
            }
            return count * 3 >= released.count * 2 && count * 10 >= usual.lowerMedian
        }
    }

    /// Whether a part of an export is missing, which on earlier dates always came in as many files; or has nothing new.
    private func lacksParts(_ compared: Comparison) -> Bool {
        let usual = compared.usual.files
        if compared.silentFiles > 0 { return true }
        // A date without any file is a gap.
        return usual.count >= GuardLimit.deliveries.lowerBound && usual.first == usual.last && usual[0] > 1
            && 1..<usual[0] ~= compared.rows.files.count
    }

    /// Whether a feed brought as little news as would be too few rows: exports that overlap hide that nothing is added.
    private func isStale(_ compared: Comparison) -> Bool {
        isFar(compared.rows.new, below: compared.usual.new)
    }

    /// Whether so little is new that the file is a part of what it should be, or another date's. Where it is not next to
    /// nothing, only meaningful if another feed of the date is complete: on a quiet day all feeds have less.
    private func lacksNews(_ compared: Comparison) -> Bool {
        let (new, usual) = (compared.rows.new, compared.usual.new)
        let median = usual.lowerMedian
        guard usual.count >= GuardLimit.usualDatesMin, median >= (new == 0 ? GuardLimit.noneMin : GuardLimit.rowsMin)
        else {
            return false
        }
        if new == 0 { return true }
        // Four standard deviations of a count: by chance, 30 rows may well be 20.
        let lacking = median - new
        return new * 4 < median * 3 && lacking * lacking > 16 * median
    }

    private func finding(
        _ kind: GuardFinding.Kind, _ compared: Comparison, count: Int, usual: [Int]
    ) -> GuardFinding {
        GuardFinding(
            kind: kind, feed: compared.feed.kind, path: compared.feed.name, date: compared.date, count: count,
            total: usual.lowerMedian, usual: [usual.first!, usual.last!])
    }

    /// The rows of all files of a feed, by date: tonight's and those on record.
    private func rows(of feed: ExpectedFeed, on dates: Set<BusinessDate>, _ deliveries: [Delivery]) throws
        -> [BusinessDate: RowCount]
    {
        if dates.isEmpty { return [:] }
        var rows: [BusinessDate: RowCount] = [:]
        func add(_ count: RowCount, of file: String, on date: BusinessDate) {
            rows[date, default: RowCount()].add(count, of: feed.part(file, date) ?? file)
        }
        for delivery in deliveries
        where delivery.kind == feed.record.kind && dates.contains(delivery.fileDate) && feed.matches(delivery.name) {
            add(delivery.rowCount, of: delivery.name, on: delivery.fileDate)
        }
        let renamed = renamed.filter { $0.kind == feed.record.kind && dates.contains($0.date) }.map {
            (name: $0.name, date: $0.date, rows: $0.rows)
        }
        for delivery in try history.rowCounts(of: feed.record.kind, on: dates) + renamed
        where feed.matches(delivery.name) {
            add(delivery.rows, of: delivery.name, on: delivery.date)
        }
        return rows
    }
}

extension ControlTotals {
    /// Whether the file only dropped its oldest rows.
    fileprivate func hasAged(since before: FileLine) -> Bool {
        guard let first = firstEvent, let last = lastEvent, let former = before.firstEvent, let end = before.lastEvent
        else { return false }
        return first > former && last >= end
    }
}
