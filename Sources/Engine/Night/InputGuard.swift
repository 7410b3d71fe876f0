extension GuardSettings {
    /// A date with fewer purchases says nothing about its feeds.
    static let purchasesMin = 20
    /// Fewer purchases without a credit, or with another fault, are an ordinary day's, regardless of their share.
    static let suspectsMin = 10
    /// A share of such purchases that is this many times the usual one is suspicious if it also exceeds a tenth.
    static let usualTimes = 5
    /// How many earlier dates say what is usual, and how many of them must have purchases.
    static let (usualSpan, usualDatesMin) = (28, 3)
    /// A feed with fewer rows has no usual number of rows.
    static let rowsMin = 30
    /// Fewer contradictions withhold the entries that they may concern, and no others.
    static let collisionsMin = 3
    /// This many contradictions hold the night, regardless of their share.
    static let collisionsMost = 20
    /// A date ended too early if its last purchase is more than `earlyMin` before that of each of at least `endsMin` dates.
    static let (earlyMin, endsMin) = (Milliseconds.hours(3), 7)
    /// How many days a person's release of a finding about few rows covers similar dates.
    static let acceptedSpan = 91
    /// How many earlier nights are searched for a precedent.
    static let nightsMost = 92
    /// How many earlier deliveries the rows are compared with. Of two, the smaller one is usual, because the first may
    /// hold the whole history. One alone can only make a file without rows suspicious.
    static let deliveries = 2...7
}

/// Finds figures of tonight's input that are so unusual that a person must look first. It changes no verdict.
///
/// A cut or empty credits file makes credited purchases look like lost orders. What the guard finds, it finds again
/// every night, until the figures change or a person releases the finding.
///
/// - *Uncredited*, *credited twice*, *credited to wrong account*, *value mismatch* and *invalid* compare counts for each
///   business date of purchase. The numerator (purchases without a credit, say) is complete in tonight's verdicts, because
///   such cases stay open and are judged every night. The denominator (all purchases of the date) is not: other cases are
///   not loaded unless tonight's evidence touches them. So a date is suspected by tonight's cases alone, which can only
///   overstate the share, and only for suspected dates are the purchases of all other cases read from the history.
/// - *Rows*, *new rows* and *parts* compare a required feed's rows and files of one date with up to seven deliveries before.
///   They also look again at the dates that the run before found unusual, because a further file may have arrived.
struct InputGuard {
    let settings: NightSettings
    let history: any History
    /// What the last night left behind.
    let head: HistoryHead
    /// The exceptions that earlier nights put on record.
    var known: [ExceptionRecord] = []
    /// See `Delivered`.
    var renamed: [(kind: FeedKind, name: String, date: BusinessDate, rows: RowCount)] = []

    var limits: GuardSettings { settings.guarding }
    private var zone: Zone { settings.policy.zone }

    /// The findings that no person has released, by date, feed and path; and the rows of required feeds on `date`.
    ///
    /// - Parameters:
    ///   - night: what judging tonight's cases found.
    ///   - loaded: the history's cases that `night` includes.
    ///   - deliveries: tonight's, with their accepted rows counted.
    func findings(
        _ night: Findings, loaded: Set<CaseID>, deliveries: [Delivery], arrivals: [Arrival], on date: BusinessDate
    ) throws -> (findings: [GuardFinding], rows: [FeedRows]) {
        let compared = try comparisons(deliveries, arrivals)
        let collisions = collisions(night.contradictions, deliveries)
        let usual = try findings(compared, deliveries, on: date) + noPurchases(night.dates, arrivals, on: date)
        // If Apple's file is already in doubt, goods that wait for its rows say nothing new.
        let told = Set(usual.filter { $0.feed == .transactions }.map(\.date))
        let purchases = try purchases(night.dates, night.observations, arrivals: arrivals, loaded: loaded).filter {
            $0.kind != .creditedNotPaid || $0.feed != .credits || !told.contains($0.date)
        }
        let findings = try
            (purchases + usual + statusOnly(night, on: date) + collisions + clocks(night.clockShifts, night.dates)
            + olderLedger + handOuts)
            .filter { finding in !head.releasedFindings.contains { $0.isSameMatter(as: finding) } }
            .ordered { ($0.date, $0.feed.rawValue, $0.path ?? "") < ($1.date, $1.feed.rawValue, $1.path ?? "") }
        let rows = compared.filter { $0.date == date }.map {
            FeedRows(feed: $0.feed.name, rows: $0.rows.usable, usual: $0.usual.usable)
        }
        return (findings, rows)
    }
}

/// A ledger that is older than the published reports.
extension InputGuard {
    /// The reports are replaced by later ones, so a finding stays until a person releases it.
    private var olderLedger: [GuardFinding] {
        let unknown = settings.unknownRun.map {
            GuardFinding(
                kind: .olderLedger, feed: .acks, date: $0.date, count: Int($0.run.rawValue),
                total: Int(head.lastRun?.id.rawValue ?? 0))
        }
        return standing(.olderLedger, with: unknown.map { [$0] } ?? [])
    }
}

/// Orders that say that the goods were given, where credits should say so.
extension InputGuard {
    /// Such orders arrive once and hide what is lost, so a finding stays until a person releases it. Where an earlier night
    /// had such purchases, they are usual.
    private func statusOnly(_ night: Findings, on date: BusinessDate) throws -> [GuardFinding] {
        let count = night.flagCounts["status_only"] ?? 0
        let isRequired = settings.feeds.contains { $0.record.kind == .credits && $0.record.isRequired }
        let nights = count > 0 && isRequired ? try history.flags(ofLast: GuardSettings.nightsMost) : []
        let isNew = nights.count >= GuardSettings.usualDatesMin && !nights.contains { $0["status_only"] ?? 0 > 0 }
        return standing(
            .statusOnly,
            with: isNew
                ? [GuardFinding(kind: .statusOnly, feed: .orders, date: date, count: count, total: night.judged)] : [])
    }
}

/// Hand-outs that the desk's files have lost. Those that no night has read may be lost with them.
extension InputGuard {
    private var handOuts: [GuardFinding] {
        settings.lostHandOuts.map {
            [GuardFinding(kind: .handOuts, feed: .credits, date: $0.date, count: $0.count, total: $0.known)]
        } ?? []
    }
}

/// Ids that two records share.
extension InputGuard {
    /// Such rows arrive once, so a finding stays until a person releases it.
    private func collisions(_ found: [FeedDate: Int], _ deliveries: [Delivery]) -> [GuardFinding] {
        standing(
            .collisions,
            with: found.compactMap { found, count in
                let rows = deliveries.filter { $0.kind == found.feed && $0.fileDate == found.date }
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

/// Goods that wait for their payment although Apple's records of the date came: a part of these is missing.
extension InputGuard {
    /// The dates whose Apple records come tonight, or that the last run doubted. Records of other dates may come later.
    private func datesWithApple(_ arrivals: [Arrival]) -> Set<BusinessDate> {
        if head.lastRun == nil { return [] }
        let names = Set(settings.feeds.map(\.record).filter { $0.kind == .transactions && $0.isRequired }.map(\.name))
        let doubted = head.guarded.filter { $0.kind == .creditedNotPaid && $0.feed == .credits }.map(\.date)
        return Set(arrivals.filter { names.contains($0.feed) }.map(\.date))
            .subtracting(names.flatMap { head.arrivals[$0] ?? [] }).union(doubted)
    }

    /// How many goods waited for their payment after the last night and wait no more. Where Apple's records always come
    /// late, so many are usual.
    private func paidLate(_ tonights: [BusinessDate: DateCounts]) throws -> Int {
        let waited = try history.tally().entries.reduce(0) { sum, entry in
            let (verdict, cause) = (entry.key.verdict, entry.key.cause)
            return sum + (verdict == .waiting && cause == .waitsCreditedNotPaid ? entry.value.count : 0)
        }
        let stillWaiting = tonights.filter { entry in head.lastRun.map { entry.key <= $0.businessDate } ?? false }
        return max(0, waited - stillWaiting.values.reduce(0) { $0 + $1.awaitingPayment })
    }
}

/// Purchases that look alike for one wrong file, and transactions of another app, by business date.
extension InputGuard {
    private func purchases(
        _ tonights: [BusinessDate: DateCounts], _ observations: [Observation], arrivals: [Arrival],
        loaded: Set<CaseID>
    ) throws -> [GuardFinding] {
        let few = GuardSettings.purchasesMin
        var counts = tonights
        let judged = datesWithApple(arrivals)
        for date in counts.keys where !judged.contains(date) { counts[date]?.awaitingPayment = 0 }
        counts = counts.filter { date, count in
            count.suspects(on: date).contains { $0.count >= GuardSettings.suspectsMin }
                || isAbove(count.invalid, limits.invalid, of: few)
        }
        // Such cases and those of another app are open, so the parts are complete. Other
        // cases are loaded only if tonight's evidence touches them. They are counted for the dates that tonight's cases
        // make suspect.
        counts = counts.filter { date, count in
            count.suspects(on: date).contains { $0.count * 10 > $0.total }
                || isAbove(count.uncredited, limits.uncredited, of: count.proven)
                || isAbove(count.invalid, limits.invalid, of: count.proven + count.foreign)
        }
        counts.merge(try countsOnRecord(Set(counts.keys), except: loaded), uniquingKeysWith: +)
        if counts.isEmpty { return [] }
        let repeats = repeats(observations)
        let late = try counts.values.contains { $0.awaitingPayment > 0 } ? paidLate(tonights) : 0
        return try counts.flatMap { date, count in
            let (other, all) = (count.invalid, count.proven + count.foreign)
            var findings = try count.suspects(on: date).filter {
                let isAwaited = $0.kind == .creditedNotPaid && $0.feed == .credits && count.awaitingPayment > 0
                return try isUnusual($0, repeats, awaited: isAwaited ? (count.awaitingPayment, late) : (0, 0))
            }
            let accounts = other - repeats[ExceptionDate(verdict: .invalidTransaction, date: date), default: 0]
            if all >= few, isAbove(accounts, limits.invalid, of: all) || other * 2 > all {
                findings.append(GuardFinding(kind: .invalid, feed: .transactions, date: date, count: other, total: all))
            }
            return findings
        }
    }

    /// Whether a fault is so common among a date's purchases that the files are the likelier culprit: a cut file with
    /// half of its rows looks like a bad day, and a file with new ids or another unit like a bad week. An account counts
    /// only once, because ten refunds of one customer do not show that a file is wrong.
    ///
    /// - Parameter awaited: how much of the finding only waits for a payment, and how much is usually paid late.
    private func isUnusual(
        _ finding: GuardFinding, _ repeats: [ExceptionDate: Int], awaited: (count: Int, late: Int)
    ) throws -> Bool {
        let (total, date) = (finding.total, finding.date)
        let verdict = Verdict(rawValue: finding.kind.rawValue)
        if verdict == nil {
            if total < GuardSettings.purchasesMin { return false }
            if isAbove(finding.count, limits.uncredited, of: total) { return true }
        }
        let count = finding.count - repeats[ExceptionDate(verdict: verdict ?? .paidNotCredited, date: date), default: 0]
        guard count >= GuardSettings.suspectsMin, count * 10 > total else { return false }
        // By the next night, the rows of a wrong file are usual.
        if verdict != nil, head.guarded.contains(where: finding.isSameMatter) { return true }
        let span = date.advanced(by: -GuardSettings.usualSpan)..<date
        var (dates, lost, purchases) = (Set<BusinessDate>(), 0, 0)
        for (key, sum) in try history.purchases(since: span.lowerBound).entries
        where span.contains(key.outcome.date) && key.outcome.fulfilment != .waiting && sum.count > 0 {
            dates.insert(key.outcome.date)
            purchases += sum.count
            if key.outcome.fulfilment.isLost { lost += sum.count }
        }
        if dates.count < GuardSettings.usualDatesMin { return verdict != nil && (count - awaited.count) * 2 > total }
        let usual = verdict.map { verdict in
            known.count {
                $0.verdict == verdict && $0.state != .resolved && span.contains(zone.date(of: $0.facts.eventAt))
            }
        }
        return count * purchases > GuardSettings.usualTimes * ((usual ?? lost) + awaited.late * dates.count) * total
    }

    private struct ExceptionDate: Hashable {
        var verdict: Verdict
        var date: BusinessDate
    }

    /// How many of tonight's exceptions are of accounts, or of none, that have another one of the same verdict and date.
    private func repeats(_ observations: [Observation]) -> [ExceptionDate: Int] {
        let counted = observations.lazy.filter { $0.verdict != .invalidTransaction || $0.cause == .wrongBundle }
        let dated = counted.compactMap { seen in
            seen.facts.map { (seen.verdict == .creditedNotPaid ? $0.eventAt : seen.purchasedAt ?? $0.eventAt, $0) }
        }
        return Dictionary(grouping: dated) { ExceptionDate(verdict: $1.verdict, date: zone.date(of: $0)) }
            .mapValues { $0.count - Set($0.map(\.1.accounts)).count }
    }

    /// Apple's records came for the night's date, or for one that the last run found so, and no purchase is of that date, as
    /// on no date before.
    private func noPurchases(
        _ tonights: [BusinessDate: DateCounts], _ arrivals: [Arrival], on date: BusinessDate
    ) throws -> [GuardFinding] {
        let feeds = settings.feeds.map(\.record).filter { $0.kind == .transactions && $0.isRequired && $0.isDated }
        let names = Set(feeds.map(\.name))
        let arrived = Set(arrivals.filter { names.contains($0.feed) }.map(\.date))
            .union(names.flatMap { head.arrivals[$0] ?? [] })
        let doubted = head.guarded.filter { $0.kind == .noPurchases }.map(\.date)
        let dates = Set(doubted + [date]).filter { arrived.contains($0) && tonights[$0]?.proven ?? 0 == 0 }.ordered()
        guard let first = dates.first else { return [] }
        var counts: [BusinessDate: Int] = [:]
        for (key, sum) in try history.purchases(since: first.advanced(by: -GuardSettings.usualSpan)).entries {
            counts[key.outcome.date, default: 0] += sum.count
        }
        return dates.compactMap { date in
            let span = date.advanced(by: -GuardSettings.usualSpan)..<date
            let usual = counts.filter { span.contains($0.key) && $0.value > 0 }.values.ordered()
            guard counts[date] ?? 0 == 0, usual.count >= GuardSettings.usualDatesMin,
                usual.lowerMedian >= GuardSettings.rowsMin
            else { return nil }
            return GuardFinding(
                kind: .noPurchases, feed: .transactions, date: date, count: 0, total: usual.lowerMedian,
                usual: [usual.first!, usual.last!])
        }
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
        try history.forEachPurchase(in: span, settings.policy, except: loaded) { instant, isForeign in
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

extension DateCounts {
    /// How many of the date's purchases have each fault that a wrong file gives to many.
    fileprivate func suspects(on date: BusinessDate) -> [GuardFinding] {
        [
            (.uncredited, .credits, uncredited, 0), (.creditedTwice, .credits, creditedTwice, 0),
            (.creditedToWrongAccount, .credits, creditedToWrongAccount, 0),
            (.valueMismatch, .orders, valueMismatch, 0), (.orderMissing, .orders, orderMissing, 0),
            (.refundedNotReversed, .transactions, refundedNotReversed, 0),
            (.creditedNotPaid, .transactions, creditedInTest, creditedInTest),
            (.creditedNotPaid, .credits, creditedNotPaid + awaitingPayment, creditedNotPaid + awaitingPayment),
        ]
        .map { GuardFinding(kind: $0, feed: $1, date: date, count: $2, total: proven + $3) }
    }
}
