/// Files whose last row of a date is earlier than usual.
extension InputGuard {
    /// A purchase without any credit whose goods a machine would give, were it asked to.
    struct Demand {
        /// The retry entry's.
        var key: String
        var paidAt: Instant
        var account: String?
        var product: String?
        var transaction: String?
    }

    /// Dates whose credits end earlier than usual, while customers who paid since then lack their goods: the file was cut,
    /// its database is behind, or delivery has failed since then. Each such purchase alone looks like a lost order.
    func earlyEnds(_ deliveries: [Delivery], _ arrivals: [Arrival]) throws -> [GuardFinding] {
        let names = Set(settings.feeds.filter { $0.record.kind == .credits }.map(\.record.name))
        let tonights = arrivals.filter { names.contains($0.feed) }.map(\.date)
        let doubted = head.guarded.filter { $0.kind == .endsEarly }.map(\.date)
        // The purchases of an evening may wait for a night.
        let dates = Set(tonights + doubted + tonights.map { $0.advanced(by: -1) }).filter {
            count(demands, in: zone.start(of: $0)..<zone.end(of: $0), least: 3) != nil
        }
        guard let first = dates.min()?.advanced(by: -GuardSettings.usualSpan) else { return [] }
        let files = try files(of: .credits, since: first, deliveries)
        var bought: [BusinessDate: Int] = [:]
        for (key, sum) in [try history.purchases(since: first), purchases].flatMap(\.entries) {
            bought[key.outcome.date, default: 0] += sum.count
        }
        return dates.compactMap { earlyEnd(on: $0, demands, files, bought) }
    }

    /// How many of the purchases were paid in this span. Nil if they are of so few customers that it is chance.
    private func count(_ purchases: [Demand], in span: Range<Instant>, least: Int) -> Int? {
        let paid = purchases.filter { span.contains($0.paidAt) }
        return Set(paid.map(\.account)).count >= least ? paid.count : nil
    }

    private func earlyEnd(
        on date: BusinessDate, _ lacking: [Demand], _ files: [FileLine], _ bought: [BusinessDate: Int]
    ) -> GuardFinding? {
        let usualDates = date.advanced(by: -GuardSettings.usualSpan)..<date
        // The desk's list may end at any hour.
        let feeds = settings.feeds.filter { feed in
            let own = files.filter { usualDates.contains($0.fileDate) && feed.matches($0.name) }
            let sold = Set(own.map(\.fileDate)).reduce(0) { $0 + bought[$1, default: 0] }
            return feed.record.kind == .credits && own.reduce(0) { $0 + $1.counts.accepted } * 3 >= sold
        }
        if !feeds.contains(where: \.record.isRequired) { return nil }
        return feeds.lazy.compactMap { feed in
            earlyEnd(of: feed.record, files.filter { feed.matches($0.name) }, on: date, lacking)
        }.first
    }

    private func earlyEnd(
        of feed: FeedRecord, _ files: [FileLine], on date: BusinessDate, _ lacking: [Demand]
    ) -> GuardFinding? {
        // By the clock: a day may have 23 or 25 hours.
        func midnight(_ date: BusinessDate) -> Int64 { Int64(date.day) * 86_400_000 }
        var ends: [BusinessDate: Int64] = [:]
        for file in files where file.fileDate <= date && file.fileDate >= date.advanced(by: -GuardSettings.usualSpan) {
            guard let last = file.lastEvent else { continue }
            let end = last.milliseconds + zone.offset(at: last) - midnight(file.fileDate)
            ends[file.fileDate] = max(end, ends[file.fileDate] ?? end)
        }
        guard let end = ends.removeValue(forKey: date), ends.count >= GuardSettings.endsMin else { return nil }
        let usual = ends.values.ordered().lowerMedian
        let (last, until) = (zone.instant(local: midnight(date) + end), zone.instant(local: midnight(date) + usual))
        // A later file may bring the rest: one that begins before the date's end.
        let silent = last..<max(last, min(until, zone.end(of: date)))
        let isMadeUpFor = files.contains { $0.fileDate > date && $0.firstEvent.map { $0 < silent.upperBound } == true }
        guard !isMadeUpFor,
            let least = GuardSettings.lackingMin.first(where: { usual - end > $0.silence.count })?.customers,
            let count = count(lacking, in: silent, least: least)
        else { return nil }
        var finding = GuardFinding(
            kind: .endsEarly, feed: .credits, path: feed.name, date: date, count: count, total: count)
        finding.ends = [last, until].map { clock($0, on: date) }
        return finding
    }

    /// `20:22`, or `11-03 03:30` where that is another day than `date`.
    private func clock(_ instant: Instant, on date: BusinessDate) -> String {
        let local = Instant(milliseconds: instant.milliseconds + zone.offset(at: instant)).text.prefix(16)
        return String(zone.date(of: instant) == date ? local.suffix(5) : local.suffix(11)).replacing("T", with: " ")
    }

    /// Whether the date's last purchase is hours earlier than the last one of every date before: all exports were made too
    /// early, so none of them is complete.
    func endsEarly(_ compared: Comparison, _ deliveries: [Delivery]) throws -> Bool {
        let (new, usual) = (compared.rows.new, compared.usual.new)
        guard compared.feed.kind == .transactions, usual.count >= GuardSettings.usualDatesMin,
            usual.lowerMedian >= GuardSettings.rowsMin, new * 10 < usual.lowerMedian * 9, !isAccepted(compared)
        else { return false }
        var ends = try ends(of: compared, deliveries)
        guard let end = ends.removeValue(forKey: compared.date), ends.count >= GuardSettings.endsMin,
            let earliest = ends.values.min()
        else { return false }
        return earliest.count - end.count > GuardSettings.earlyMin.count
    }

    /// When the last row of the date is, and of each of the dates before, counted from the date's begin.
    func ends(of compared: Comparison, _ deliveries: [Delivery]) throws -> [BusinessDate: Milliseconds] {
        guard let feed = settings.feeds.first(where: { $0.record.name == compared.feed.name }) else { return [:] }
        let span = compared.date.advanced(by: -GuardSettings.usualSpan)...compared.date
        var ends: [BusinessDate: Milliseconds] = [:]
        for file in try files(of: feed.record.kind, since: span.lowerBound, deliveries)
        where span.contains(file.fileDate) && feed.matches(file.name) {
            guard let last = file.lastEvent else { continue }
            let end = last - zone.start(of: file.fileDate)
            ends[file.fileDate] = max(end, ends[file.fileDate] ?? end)
        }
        return ends
    }

    /// The files of the nights since `date`, and tonight's.
    func files(of kind: FeedKind, since date: BusinessDate, _ deliveries: [Delivery]) throws -> [FileLine] {
        try history.files(of: kind, since: date)
            + deliveries.filter { $0.kind == kind }.map { FileLine($0, businessDate: $0.fileDate) }
    }
}

extension [Observation] {
    var demands: [InputGuard.Demand] {
        compactMap { seen in
            guard seen.verdict == .paidNotCredited, let retry = seen.retry, retry.action == .credit,
                ![.creditedShort, .reversedWithoutRefund].contains(seen.cause)
            else { return nil }
            return seen.purchasedAt.map {
                InputGuard.Demand(
                    key: retry.key, paidAt: $0, account: retry.account, product: retry.product,
                    transaction: retry.transaction)
            }
        }
    }
}
