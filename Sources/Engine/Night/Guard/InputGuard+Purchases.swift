internal import Glibc

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
    func faults(
        _ tonights: [BusinessDate: DateCounts], _ observations: [Observation], arrivals: [Arrival],
        loaded: Set<CaseID>
    ) throws -> [GuardFinding] {
        let few = GuardLimit.purchasesMin
        var counts = tonights
        let judged = datesWithApple(arrivals)
        for date in counts.keys where !judged.contains(date) { counts[date]?.awaitingPayment = 0 }
        let common = head.lastRun == nil ? commonFaults(counts) : []
        let onRecord = try purchasesOnRecord(counts)
        counts = counts.filter { date, count in
            count.suspects(on: date).contains {
                $0.count >= GuardLimit.suspectsMin || common.contains(FaultKind($0)) || isKnown($0)
                    || isBeyondChance($0.count, of: max($0.total, onRecord[date] ?? 0))
            } || isAbove(count.invalid, limits.invalid, of: few)
        }
        // Such cases and those of another app are open, so the parts are complete. Other
        // cases are loaded only if tonight's evidence touches them. They are counted for the dates that tonight's cases
        // make suspect.
        counts = counts.filter { date, count in
            count.suspects(on: date).contains { $0.count * 10 > $0.total }
                || isAbove(count.uncredited, limits.uncredited, of: count.proven - count.inBreak)
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
                return try isUnusual(
                    $0, repeats, awaited: isAwaited ? (count.awaitingPayment, late) : (0, 0),
                    isCommon: common.contains(FaultKind($0)))
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
    /// - Parameters:
    ///   - awaited: how much of the finding only waits for a payment, and how much is usually paid late.
    ///   - isCommon: whether most purchases of the first night have the fault.
    private func isUnusual(
        _ finding: GuardFinding, _ repeats: [ExceptionDate: Int], awaited: (count: Int, late: Int), isCommon: Bool
    ) throws -> Bool {
        let (total, date) = (finding.total, finding.date)
        let (verdict, isUncredited) = (finding.kind.verdict, finding.kind == .uncredited)
        let isMost = isMost(finding)
        if isUncredited, total >= GuardLimit.purchasesMin, isMost { return true }
        let count = finding.count - repeats[ExceptionDate(verdict: verdict ?? .paidNotCredited, date: date), default: 0]
        guard count * 10 > total else { return false }
        let isMany = count >= GuardLimit.suspectsMin
        // By the next night, the rows of a wrong file are usual.
        if isKnown(finding), isMost || isMany && !isUncredited { return true }
        let span = usualDates(before: date)
        if isUncredited, isMost, isCommon { return true }
        let (lost, purchases, dates) =
            try isUncredited
            ? usualShare(besides: [date], \.isLost) : usualShare(before: date, \.isLost)
        if dates < GuardLimit.usualDatesMin {
            return isMost && isCommon || isMany && !isUncredited && (count - awaited.count) * 2 > total
        }
        let usual = verdict.map { verdict in
            known.count {
                $0.verdict == verdict && $0.state != .resolved && span.contains(zone.date(of: $0.facts.eventAt))
            }
        }
        let isChance = !isBeyondChance(count - awaited.count, of: total, usual: (usual ?? lost, purchases))
        if isChance, !isMany { return false }
        return count * purchases > GuardLimit.usualTimes * ((usual ?? lost) + awaited.late * dates) * total
    }

    private func usualDates(before date: BusinessDate) -> Range<BusinessDate> {
        date.advanced(by: -GuardLimit.usualSpan)..<date
    }

    /// How many such purchases of how many, on how many dates, are usual.
    func usualShare(
        before date: BusinessDate, except doubted: [ClosedRange<BusinessDate>] = [], _ counts: (Fulfilment) -> Bool
    ) throws -> (lost: Int, purchases: Int, dates: Int) {
        let span = usualDates(before: date)
        return try share(of: history.purchases(since: span.lowerBound), counts) { date in
            span.contains(date) && !doubted.contains { $0.contains(date) }
        }
    }

    /// The same. No night before the first says what is usual, but its other dates do.
    func usualShare(
        besides dates: [BusinessDate], _ counts: (Fulfilment) -> Bool
    ) throws -> (lost: Int, purchases: Int, dates: Int) {
        let before = try usualShare(before: dates.last!, counts)
        if head.lastRun != nil || before.dates >= GuardLimit.usualDatesMin { return before }
        return share(of: purchases, counts) { !dates.contains($0) }
    }

    /// How many such purchases of how many, on how many of the dates that are asked for.
    func share(
        of tally: PurchaseTally, _ counts: (Fulfilment) -> Bool, on isAsked: (BusinessDate) -> Bool
    ) -> (lost: Int, purchases: Int, dates: Int) {
        var (dates, lost, purchases) = (Set<BusinessDate>(), 0, 0)
        for (key, sum) in tally.entries
        where key.outcome.fulfilment != .waiting && sum.count > 0 && isAsked(key.outcome.date) {
            dates.insert(key.outcome.date)
            purchases += sum.count
            if counts(key.outcome.fulfilment) { lost += sum.count }
        }
        // Otherwise whoever writes the credits could leave out a few more each night.
        return (min(lost, purchases / GuardLimit.ordinary), purchases, dates.count)
    }

    private func isMost(_ finding: GuardFinding) -> Bool {
        isAbove(finding.count, finding.kind == .uncredited ? limits.uncredited : 500_000, of: finding.total)
    }

    /// Whether the last run found the same.
    private func isKnown(_ finding: GuardFinding) -> Bool { head.guarded.contains(where: finding.isSameMatter) }

    /// Whether chance hardly ever gives a date so many purchases with a fault that `usual.count` of `usual.of` have.
    private func isBeyondChance(_ count: Int, of total: Int, usual: (count: Int, of: Int) = (0, 1)) -> Bool {
        isHardlyEver(chance(count, of: total, usual: usual, ordinary: GuardLimit.ordinary))
    }

    func isHardlyEver(_ chance: Double) -> Bool { chance < -log(GuardLimit.chanceMax) }

    /// The logarithm of the sum of the probabilities of all ways to choose `count` purchases, which is at least the probability
    /// of so many or more.
    func chance(_ count: Int, of total: Int, usual: (count: Int, of: Int), ordinary: Int) -> Double {
        let share = max(Double(usual.count) / Double(usual.of), 1 / Double(ordinary))
        return (0..<max(count, 0)).reduce(0) { $0 + log(share * Double(total - $1) / Double($1 + 1)) }
    }

    /// What finding a fault is.
    private struct FaultKind: Hashable {
        var kind: GuardFinding.Kind
        var feed: FeedKind

        init(_ finding: GuardFinding) { (kind, feed) = (finding.kind, finding.feed) }
    }

    /// The faults that most of the first night's purchases have, whatever their dates: a small shop has few a date.
    private func commonFaults(_ counts: [BusinessDate: DateCounts]) -> Set<FaultKind> {
        let dates = counts.map { $1.suspects(on: $0) }
        guard let first = dates.first else { return [] }
        return Set(
            first.indices.map { index in
                dates.dropFirst().reduce(into: first[index]) { sum, suspects in
                    sum.count += suspects[index].count
                    sum.total += suspects[index].total
                }
            }.filter { $0.total >= GuardLimit.purchasesMin && isMost($0) }.map(FaultKind.init))
    }

    /// How many purchases the nights before counted on the dates that tonight's few cases make suspect.
    private func purchasesOnRecord(_ counts: [BusinessDate: DateCounts]) throws -> [BusinessDate: Int] {
        let suspected = counts.filter { date, count in
            count.suspects(on: date).contains {
                $0.count < GuardLimit.suspectsMin && isBeyondChance($0.count, of: $0.total)
            }
        }
        guard let first = suspected.keys.min() else { return [:] }
        return try history.purchases(since: first).entries.reduce(into: [:]) {
            $0[$1.key.outcome.date, default: 0] += $1.value.count
        }
    }

    private struct ExceptionDate: Hashable {
        var verdict: Verdict
        var date: BusinessDate
    }

    /// How many of tonight's exceptions are of accounts that have another one of the same verdict and date. One client can
    /// send any number of another app's records without an account. Every other exception without an account
    /// counts as a customer of its own, but the periods of one subscription count as one.
    private func repeats(_ observations: [Observation]) -> [ExceptionDate: Int] {
        let counted = observations.lazy.filter { $0.verdict != .invalidTransaction || $0.cause == .wrongBundle }
        let dated = counted.compactMap { seen -> (at: Instant, verdict: Verdict, owner: [String])? in
            guard let facts = seen.facts else { return nil }
            let isForeign = seen.verdict == .invalidTransaction
            let owner = facts.accounts.isEmpty && !isForeign ? facts.originals : facts.accounts
            if owner.isEmpty, !isForeign { return nil }
            let at = seen.verdict == .creditedNotPaid ? facts.eventAt : seen.purchasedAt ?? facts.eventAt
            return (at, facts.verdict, owner)
        }
        return Dictionary(grouping: dated) { ExceptionDate(verdict: $0.verdict, date: zone.date(of: $0.at)) }
            .mapValues { $0.count - Set($0.map(\.owner)).count }
    }

    /// Apple's records came for the night's date, or for one that the last run found so, and no purchase is of that date, as
    /// on no date before.
    func noPurchases(
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
        for (key, sum) in try history.purchases(since: first.advanced(by: -GuardLimit.usualSpan)).entries {
            counts[key.outcome.date, default: 0] += sum.count
        }
        return dates.compactMap { date in
            let span = date.advanced(by: -GuardLimit.usualSpan)..<date
            let usual = counts.filter { span.contains($0.key) && $0.value > 0 }.values.ordered()
            guard counts[date] ?? 0 == 0, usual.count >= GuardLimit.usualDatesMin,
                usual.lowerMedian >= GuardLimit.rowsMin
            else { return nil }
            return GuardFinding(
                kind: .noPurchases, feed: .transactions, date: date, count: 0, total: usual.lowerMedian,
                usual: [usual.first!, usual.last!])
        }
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
    func suspects(on date: BusinessDate) -> [GuardFinding] {
        [
            (.uncredited, .credits, uncredited, -inBreak), (.creditedTwice, .credits, creditedTwice, 0),
            (.creditedToWrongAccount, .credits, creditedToWrongAccount, 0),
            (.valueMismatch, .orders, valueMismatch, 0), (.orderMissing, .orders, orderMissing, 0),
            (.refundedNotReversed, .transactions, refundedNotReversed, 0),
            (.creditedNotPaid, .transactions, creditedInTest, creditedInTest),
            (.creditedNotPaid, .credits, creditedNotPaid + awaitingPayment, creditedNotPaid + awaitingPayment),
        ]
        .map { GuardFinding(kind: $0, feed: $1, date: date, count: $2, total: proven + $3) }
    }
}
