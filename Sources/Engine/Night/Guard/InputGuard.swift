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
    /// What is not withheld.
    var demands: [Demand] = []
    /// The retry entries that the last night demanded, or that tonight's cases demand or answers are about, by key.
    var asked: [String: RetryEntry] = [:]
    /// What tonight's cases say of the purchases of each date.
    var purchases = PurchaseTally()
    /// The exceptions that earlier nights put on record.
    var known: [ExceptionRecord] = []
    /// How many more purchases than after the last night count as credited by their orders' status alone.
    var statusOnlyChange = 0
    /// See `Delivered`.
    var renamed: [(kind: FeedKind, name: String, date: BusinessDate, rows: RowCount)] = []
    /// The tables of counted purchases that tonight changes. Only read if several customers lack their goods.
    var tables: () throws -> [TableKey: EncodedTable] = { [:] }

    var limits: GuardSettings { settings.guarding }
    var zone: Zone { settings.policy.zone }

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
        var usual =
            try findings(compared, deliveries, night.dates, on: date)
            + noPurchases(night.dates, arrivals, on: date)
        // If Apple's file is already in doubt, goods that wait for its rows say nothing new.
        let told = Set(usual.filter { $0.feed == .transactions }.map(\.date))
        let judged = night.dates.filter { $0.key <= date }
        let faults = try faults(judged, night.observations, arrivals: arrivals, loaded: loaded).filter {
            $0.kind != .creditedNotPaid || $0.feed != .credits || !told.contains($0.date) && !isFirst($0.date)
        }
        // What else says that a date's goods are missing, or said so, says it already.
        let doubted = (faults + usual + head.releasedFindings).filter(\.isOfMissingGoods)
        let dates = Set(doubted.map(\.date))
        let ends = try creditsEndEarly(deliveries, arrivals).filter { !dates.contains($0.date) }
        usual += ends
        usual += try lostTogether(on: date, deliveries, except: doubted + ends)
        usual += try alreadyGiven(on: date)
        let findings = try
            (faults + usual + statusOnly(night, besides: usual, on: date) + collisions
            + clocks(night.clockShifts, night.dates) + olderLedger + settings.handOuts)
            .filter { !isReleased($0) }
            .ordered { ($0.date, $0.feed.rawValue, $0.path ?? "") < ($1.date, $1.feed.rawValue, $1.path ?? "") }
        let rows = compared.filter { $0.date == date }.map {
            FeedRows(feed: $0.feed.name, rows: $0.rows.usable, usual: $0.usual.usable)
        }
        return (findings, rows)
    }

    /// Goods of the first date may be for purchases of the day before.
    private func isFirst(_ date: BusinessDate) -> Bool {
        let first = settings.policy.historyFrom ?? head.arrivals.values.compactMap { $0.min() }.min()
        return first.map { date <= $0 } ?? false
    }

    func isAbove(_ count: Int, _ partsPerMillion: Int, of total: Int) -> Bool {
        count * 1_000_000 > total * partsPerMillion
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
    /// Such orders arrive once and hide what is lost, so a finding stays until a person releases it, or until the credits of
    /// all such purchases have come. Where rows of credits are missing, it says nothing about the orders. Purchases whose row
    /// may be in a file that is not due yet do not count: there are some at every midnight.
    private func statusOnly(
        _ night: Findings, besides others: [GuardFinding], on date: BusinessDate
    ) throws -> [GuardFinding] {
        let former = head.guarded.filter { $0.kind == .statusOnly && !isReleased($0) }
        if !former.isEmpty {
            return former.compactMap { finding in
                var finding = finding
                finding.count += statusOnlyChange
                return finding.count > 0 ? finding : nil
            }
        }
        let fresh = (night.flagCounts[.statusOnly] ?? 0) - night.statusOnlyAwaited
        // For some of them, the night before waited for rows.
        let count = max(fresh, min(statusOnlyChange, head.statusOnlyAwaited))
        let isRequired = settings.feeds.contains { $0.record.kind == .credits && $0.record.isRequired }
        guard count > 0, isRequired, !others.contains(where: { $0.isOfCreditRows && !isReleased($0) })
        else { return [] }
        let nights = try history.marks(ofLast: GuardLimit.nightsMost)
        if nights.count < GuardLimit.usualDatesMin || nights.contains(where: isUsual) { return [] }
        return [GuardFinding(kind: .statusOnly, feed: .orders, date: date, count: count, total: night.judged)]
    }

    /// Whether an earlier night had such purchases as the shop usually has. A night that was held for missing rows of credits
    /// had an accident. So had one that was held for such purchases, unless a person released it and there still are some.
    private func isUsual(_ night: NightMarks) -> Bool {
        let isHeld = night.guarded.contains {
            $0.isOfCreditRows || $0.kind == .statusOnly && !(isReleased($0) && head.statusOnly > 0)
        }
        return night.flags[.statusOnly] ?? 0 > 0 && !isHeld
    }

    private func isReleased(_ finding: GuardFinding) -> Bool {
        head.releasedFindings.contains { $0.isSameMatter(as: finding) }
    }
}

extension GuardFinding {
    /// Whether rows of credits are missing.
    fileprivate var isOfCreditRows: Bool { feed == .credits && [.rows, .newRows, .parts, .endsEarly].contains(kind) }
    /// Whether goods of the date are missing.
    fileprivate var isOfMissingGoods: Bool { isOfCreditRows || kind == .uncredited }
}

extension NightSettings {
    /// Hand-outs that the desk's files have lost; empty without any. Those that no night has read may be lost with them.
    var handOuts: [GuardFinding] {
        lostHandOuts.map {
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
                let isMany = count >= GuardLimit.collisionsMost || isAbove(count, limits.collisions, of: total)
                guard count >= GuardLimit.collisionsMin, isMany else { return nil }
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
        var sums: [ShiftedDate: (rows: Int, accounts: Int)] = [:]
        for (var found, count) in shifts {
            found.account = .absent
            sums[found, default: (0, 0)].rows += count
            sums[found]!.accounts += 1
        }
        return standing(
            .clock,
            with: sums.compactMap { found, sum in
                let (count, total) = (sum.rows, counts[found.date]?.proven ?? 0)
                guard count >= GuardLimit.purchasesMin, count * 5 >= total * 4,
                    sum.accounts >= GuardLimit.shiftedMin
                else { return nil }
                return GuardFinding(
                    kind: .clock, feed: found.feed, date: found.date, count: count, total: total,
                    detail: .shift(found.shift))
            })
    }
}
