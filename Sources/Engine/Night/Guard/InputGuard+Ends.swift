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
    func creditsEndEarly(_ deliveries: [Delivery], _ arrivals: [Arrival]) throws -> [GuardFinding] {
        let names = Set(settings.feeds.filter { $0.record.kind == .credits }.map(\.record.name))
        let tonights = arrivals.filter { names.contains($0.feed) }.map(\.date)
        let doubted = head.guarded.filter { $0.kind == .endsEarly }.map(\.date)
        // The purchases of an evening may wait for a night.
        let dates = Set(tonights + doubted + tonights.map { $0.advanced(by: -1) }).filter {
            count(demands, in: zone.start(of: $0)..<zone.end(of: $0), least: 3) != nil
        }
        guard let first = dates.min()?.advanced(by: -GuardLimit.usualSpan) else { return [] }
        let files = try files(of: .credits, since: first, deliveries)
        var bought: [BusinessDate: Int] = [:]
        for (key, sum) in [try history.purchases(since: first), purchases].flatMap(\.entries) {
            bought[key.outcome.date, default: 0] += sum.count
        }
        return dates.compactMap { creditsEndEarly(on: $0, files, bought) }
    }

    /// How many of the purchases were paid in this span. Nil if they are of so few customers that it is chance.
    private func count(_ purchases: [Demand], in span: Range<Instant>, least: Int) -> Int? {
        let paid = purchases.filter { span.contains($0.paidAt) }
        return Set(paid.map(\.account)).count >= least ? paid.count : nil
    }

    private func creditsEndEarly(
        on date: BusinessDate, _ files: [FileLine], _ bought: [BusinessDate: Int]
    ) -> GuardFinding? {
        let usualDates = date.advanced(by: -GuardLimit.usualSpan)..<date
        // The desk's list may end at any hour.
        let feeds = settings.feeds.filter { feed in
            let own = files.filter { usualDates.contains($0.fileDate) && feed.matches($0.name) }
            let sold = Set(own.map(\.fileDate)).reduce(0) { $0 + bought[$1, default: 0] }
            return feed.record.kind == .credits && own.reduce(0) { $0 + $1.counts.accepted } * 3 >= sold
        }
        if !feeds.contains(where: \.record.isRequired) { return nil }
        return feeds.lazy.compactMap { feed in
            creditsEndEarly(of: feed.record, files.filter { feed.matches($0.name) }, on: date)
        }.first
    }

    private func creditsEndEarly(
        of feed: FeedRecord, _ files: [FileLine], on date: BusinessDate
    ) -> GuardFinding? {
        var ends = ends(of: files, upTo: date)
        guard let end = ends.removeValue(forKey: date), ends.count >= GuardLimit.endsMin else { return nil }
        let usual = ends.values.ordered().lowerMedian
        let (last, until) = (instant(end, of: date), instant(usual, of: date))
        // A later file may bring the rest: one that begins before the date's end.
        let silent = last..<max(last, min(until, zone.end(of: date)))
        let isMadeUpFor = files.contains { $0.fileDate > date && $0.firstEvent.map { $0 < silent.upperBound } == true }
        guard !isMadeUpFor,
            let least = GuardLimit.lackingMin.first(where: { usual - end > $0.silence.count })?.customers,
            let count = count(demands, in: silent, least: least)
        else { return nil }
        let minutes = [end, usual].map { Int($0.flooredDivision(by: 60_000)) }
        return GuardFinding(
            kind: .endsEarly, feed: .credits, path: feed.name, date: date, count: count, total: count,
            detail: .silence(minutes[0]..<minutes[1]))
    }

    /// By the clock: a day may have 23 or 25 hours.
    private func instant(_ time: Int64, of date: BusinessDate) -> Instant {
        zone.instant(local: Int64(date.day) * 86_400_000 + time)
    }

    /// Whether the date's last purchase is hours earlier than the last one of every date before: all exports were made too
    /// early, so none of them is complete.
    func purchasesEndEarly(_ compared: Comparison, _ deliveries: [Delivery]) throws -> Bool {
        let (new, usual) = (compared.rows.new, compared.usual.new)
        guard compared.feed.kind == .transactions, usual.count >= GuardLimit.usualDatesMin,
            usual.lowerMedian >= GuardLimit.rowsMin, new * 10 < usual.lowerMedian * 9, !isAccepted(compared)
        else { return false }
        var ends = try ends(of: compared, deliveries)
        guard let end = ends.removeValue(forKey: compared.date), ends.count >= GuardLimit.endsMin,
            let earliest = ends.values.min()
        else { return false }
        return earliest - end > GuardLimit.earlyMin.count
    }

    func ends(of compared: Comparison, _ deliveries: [Delivery]) throws -> [BusinessDate: Int64] {
        guard let feed = settings.feeds.first(where: { $0.record.name == compared.feed.name }) else { return [:] }
        let first = compared.date.advanced(by: -GuardLimit.usualSpan)
        let files = try files(of: feed.record.kind, since: first, deliveries)
        return ends(of: files.filter { feed.matches($0.name) }, upTo: compared.date)
    }

    /// When the last row of the date is, and of each of the dates before, in milliseconds of the clock since the date's midnight.
    private func ends(of files: [FileLine], upTo date: BusinessDate) -> [BusinessDate: Int64] {
        files.reduce(into: [:]) { ends, file in
            guard let last = file.lastEvent, date.advanced(by: -GuardLimit.usualSpan)...date ~= file.fileDate else {
                return
            }
            let end = last.milliseconds + zone.offset(at: last) - Int64(file.fileDate.day) * 86_400_000
            ends[file.fileDate] = max(end, ends[file.fileDate] ?? end)
        }
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
