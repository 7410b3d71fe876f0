extension GuardSettings {
    /// A date with fewer purchases says nothing about its feeds.
    static let purchasesMin = 20
    /// Fewer purchases without a credit are lost orders of an ordinary day, whatever their share.
    static let uncreditedMin = 10
    /// So many times the usual share of lost orders is unusual, and so is a tenth of the purchases.
    static let usualTimes = 5
    /// How many earlier dates say what is usual, and how many of them must have purchases.
    static let (usualSpan, usualDatesMin) = (28, 3)
    /// A feed with fewer rows has no usual number of rows.
    static let rowsMin = 30
    /// Fewer contradictions withhold the entries that they may concern, and no others.
    static let collisionsMin = 3
    /// So many contradictions hold the night, whatever their share.
    static let collisionsMost = 20
    /// How many earlier deliveries the rows are compared with. Of two, the smaller one is usual, because the first may
    /// hold the whole history. One alone can only make a file without rows suspicious.
    static let deliveries = 2...7
}

/// Finds figures of tonight's input that are so unusual that a person must look first. It changes no verdict.
///
/// A cut or empty credits file makes credited purchases look like lost orders. What the guard finds, it finds again
/// every night, until the figures change or a person releases the finding.
///
/// - *Uncredited* and *invalid* compare counts for each business date of purchase. The numerator (purchases without a
///   credit, transactions of another app) is complete in tonight's verdicts, because such cases stay open and are
///   judged every night. The denominator (all purchases of the date) is not: other cases are not loaded unless
///   tonight's evidence touches them. So a date is suspected by tonight's cases alone, which can only overstate the
///   share, and only for suspected dates are the purchases of all other cases read from the history.
/// - *Rows* compares a required feed's usable rows of one date with the median of up to seven deliveries before. It
///   also looks again at the dates that the run before found unusual, because a further file may have arrived.
struct InputGuard {
    let settings: NightSettings
    let history: any History
    /// What the last night left behind.
    let head: HistoryHead

    private var limits: GuardSettings { settings.guarding }
    private var zone: Zone { settings.policy.zone }

    /// The findings that no person has released, by date, feed and path; and the rows of required feeds on `date`.
    ///
    /// - Parameters:
    ///   - night: what judging tonight's cases found.
    ///   - loaded: the history's cases that `night` includes.
    func findings(
        _ night: Findings, loaded: Set<CaseID>, delivered: Delivered, on date: BusinessDate
    ) throws -> (findings: [GuardFinding], rows: [FeedRows]) {
        let compared = try comparisons(delivered)
        let collisions = collisions(night.contradictions, delivered)
        let usual = try purchases(night.dates, loaded: loaded) + compared.compactMap(finding)
        let findings = (usual + collisions + clocks(night.clockShifts, night.dates))
            .filter { finding in !head.releasedFindings.contains { $0.isSameMatter(as: finding) } }
            .ordered { ($0.date, $0.feed.rawValue, $0.path ?? "") < ($1.date, $1.feed.rawValue, $1.path ?? "") }
        let rows = compared.filter { $0.date == date }.map {
            FeedRows(feed: $0.feed.name, rows: $0.count, usual: $0.usual)
        }
        return (findings, rows)
    }
}

/// Ids that two records share.
extension InputGuard {
    /// Such rows arrive once, so a finding stays until a person releases it.
    private func collisions(_ found: [FeedDate: Int], _ delivered: Delivered) -> [GuardFinding] {
        standing(
            .collisions,
            with: found.compactMap { found, count in
                let rows = delivered.deliveries.filter { $0.kind == found.feed && $0.fileDate == found.date }
                let total = rows.reduce(0) { $0 + $1.totals.rows }
                let isMany = count >= GuardSettings.collisionsMost || isAbove(count, limits.collisions, of: total)
                guard count >= GuardSettings.collisionsMin, isMany else { return nil }
                return GuardFinding(kind: .collisions, feed: found.feed, date: found.date, count: count, total: total)
            })
    }

    /// The last run's findings of this kind, with tonight's in place of those about the same matter.
    private func standing(_ kind: GuardFinding.Kind, with tonights: [GuardFinding]) -> [GuardFinding] {
        tonights.reduce(into: head.guarded.filter { $0.kind == kind }) { findings, finding in
            findings.removeAll { $0.isSameMatter(as: finding) }
            findings.append(finding)
        }
    }
}

/// Times that are off by the same whole number of half hours.
extension InputGuard {
    /// Such rows arrive once, so a finding stays until a person releases it.
    private func clocks(_ shifts: [ShiftedDate: Int], _ counts: [BusinessDate: DateCounts]) -> [GuardFinding] {
        standing(
            .clock,
            with: shifts.compactMap { found, count in
                let total = counts[found.date]?.proven ?? 0
                guard count >= GuardSettings.purchasesMin, count * 5 >= total * 4 else { return nil }
                var finding = GuardFinding(kind: .clock, feed: found.feed, date: found.date, count: count, total: total)
                finding.halfHours = found.shift.halfHours
                return finding
            })
    }
}

/// Purchases without a credit, and transactions of another app, by business date.
extension InputGuard {
    private func purchases(_ tonights: [BusinessDate: DateCounts], loaded: Set<CaseID>) throws -> [GuardFinding] {
        let few = GuardSettings.purchasesMin
        var counts = tonights.filter { _, count in
            count.uncredited >= GuardSettings.uncreditedMin || isAbove(count.invalid, limits.invalid, of: few)
        }
        // Cases without a credit and those of another app are open, so both counts are complete. Other
        // cases are loaded only if tonight's evidence touches them. They are counted for the dates that tonight's cases
        // make suspect.
        counts = counts.filter { _, count in
            count.uncredited * 10 > count.proven
                || isAbove(count.uncredited, limits.uncredited, of: count.proven)
                || isAbove(count.invalid, limits.invalid, of: count.proven + count.foreign)
        }
        counts.merge(try countsOnRecord(Set(counts.keys), except: loaded), uniquingKeysWith: +)
        return try counts.flatMap { date, count in
            let (lacking, other) = (count.uncredited, count.invalid)
            let all = count.proven + count.foreign
            var findings: [GuardFinding] = []
            if count.proven >= few, try lacksCredits(count, on: date) {
                findings.append(
                    GuardFinding(kind: .uncredited, feed: .credits, date: date, count: lacking, total: count.proven))
            }
            if all >= few, isAbove(other, limits.invalid, of: all) {
                findings.append(GuardFinding(kind: .invalid, feed: .transactions, date: date, count: other, total: all))
            }
            return findings
        }
    }

    /// Whether so many of a date's purchases have no credit that the credits are in doubt, rather than the purchases: a
    /// cut file with half of its rows looks like a bad day.
    private func lacksCredits(_ count: DateCounts, on date: BusinessDate) throws -> Bool {
        if isAbove(count.uncredited, limits.uncredited, of: count.proven) { return true }
        guard count.uncredited >= GuardSettings.uncreditedMin, count.uncredited * 10 > count.proven else {
            return false
        }
        let span = date.advanced(by: -GuardSettings.usualSpan)..<date
        var (dates, lost, purchases) = (Set<BusinessDate>(), 0, 0)
        for (key, sum) in try history.purchases(since: span.lowerBound).entries
        where span.contains(key.outcome.date) && key.outcome.fulfilment != .waiting && sum.count > 0 {
            dates.insert(key.outcome.date)
            purchases += sum.count
            if key.outcome.fulfilment.isLost { lost += sum.count }
        }
        return dates.count >= GuardSettings.usualDatesMin
            && count.uncredited * purchases > GuardSettings.usualTimes * lost * count.proven
    }

    private func isAbove(_ count: Int, _ partsPerMillion: Int, of total: Int) -> Bool {
        count * 1_000_000 > total * partsPerMillion
    }

    /// The purchases of these dates in all cases that were not loaded.
    private func countsOnRecord(
        _ dates: Set<BusinessDate>, except loaded: Set<CaseID>
    ) throws -> [BusinessDate: DateCounts] {
        guard let first = dates.min(), let last = dates.max() else { return [:] }
        var counts: [BusinessDate: DateCounts] = [:]
        let span = zone.start(of: first)..<zone.end(of: last)
        try history.forEachPurchase(in: span, settings.policy.environment, except: loaded) { instant, isForeign in
            let date = zone.date(of: instant)
            guard dates.contains(date) else { return }
            if isForeign {
                counts[date, default: DateCounts()].foreign += 1
            } else {
                counts[date, default: DateCounts()].proven += 1
            }
        }
        return counts
    }
}

/// Rows of required feeds, compared with earlier deliveries.
extension InputGuard {
    private typealias Comparison = (feed: FeedRecord, date: BusinessDate, count: Int, usual: [Int])

    private func comparisons(_ delivered: Delivered) throws -> [Comparison] {
        try settings.feeds.filter(\.record.isRequired).flatMap { feed -> [Comparison] in
            let name = feed.record.name
            let tonight = delivered.arrivals.filter { $0.feed == name }.map(\.date)
            let doubted = head.guarded.filter { $0.kind == .rows && $0.path == name }
            let judged = Set(tonight + doubted.map(\.date))
            if judged.isEmpty { return [] }
            let days = (head.arrivals[name] ?? []).union(tonight).ordered()
            let most = GuardSettings.deliveries.upperBound
            let compared = judged.map { date in (date, days.filter { $0 < date }.suffix(most)) }
            let rows = try rows(of: feed, on: judged.union(compared.flatMap(\.1)), delivered)
            return compared.map { date, earlier in
                (feed.record, date, rows[date] ?? 0, earlier.map { rows[$0] ?? 0 }.ordered())
            }
        }
    }

    private func finding(_ compared: Comparison) -> GuardFinding? {
        let (feed, date, count, usual) = compared
        guard GuardSettings.deliveries.contains(usual.count) || !usual.isEmpty && count == 0 else { return nil }
        let median = usual[(usual.count - 1) / 2]
        guard median >= GuardSettings.rowsMin, count * 1_000_000 < median * limits.rows else { return nil }
        return GuardFinding(
            kind: .rows, feed: feed.kind, path: feed.name, date: date, count: count, total: median,
            usual: [usual.first!, usual.last!])
    }

    /// The usable rows of all files of a feed, by date: tonight's and those on record.
    private func rows(of feed: ExpectedFeed, on dates: Set<BusinessDate>, _ delivered: Delivered) throws
        -> [BusinessDate: Int]
    {
        var rows: [BusinessDate: Int] = [:]
        for delivery in delivered.deliveries
        where delivery.kind == feed.record.kind && dates.contains(delivery.fileDate) && feed.matches(delivery.name) {
            rows[delivery.fileDate, default: 0] += delivery.totals.rows - delivery.totals.rejected
        }
        for delivery in try history.rowCounts(of: feed.record.kind, on: dates) where feed.matches(delivery.name) {
            rows[delivery.date, default: 0] += delivery.rows
        }
        return rows
    }
}
