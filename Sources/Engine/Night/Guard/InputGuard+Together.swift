internal import Glibc

/// From this hour on, the hours of a date are those of the next one.
private let dayHours = 24

/// Lost orders that have hours or a product in common: a part of the credits is missing, or delivery failed there.
extension InputGuard {
    /// Purchases that lack their goods together.
    private struct Together {
        var finding: GuardFinding
        /// See `chance`.
        var chance: Double
        /// Empty if it is their hours that they have in common.
        var product: String { if case .product(let name) = finding.detail { name } else { "" } }

        func explains(_ lost: Lost) -> Bool { finding.explains(lost.product, at: lost.hour, of: lost.date) }
    }

    /// What tonight's lost orders have in common, the strongest first: what it explains is left out of what follows.
    ///
    /// - Parameter told: other findings that say that goods of a date, or of its end, are missing.
    func lostTogether(
        on night: BusinessDate, _ deliveries: [Delivery], except told: [GuardFinding]
    ) throws -> [GuardFinding] {
        let doubted = head.guarded.filter { $0.kind == .lostTogether }.map(\.date)
        let since = (doubted + [night]).min()!.advanced(by: 1 - GuardLimit.togetherSpan)
        // A file that comes late may have been made by hand: what is lost by it is first found tonight.
        let onRecord = Set(known.lazy.filter { $0.verdict == .paidNotCredited }.flatMap(\.facts.transactions))
        func isTold(_ lost: Lost) -> Bool { told.contains { $0.explains(lost.product, at: lost.hour, of: lost.date) } }
        var left = demands.filter { demand in
            let isNew = demand.transaction.map { !onRecord.contains($0) } ?? false
            return isNew || zone.date(of: demand.paidAt) >= since
        }.map { Lost($0, zone) }.filter { !isTold($0) }
        if left.isEmpty { return [] }
        // To read what was sold on each date of a first night takes long.
        let standOut = head.lastRun == nil ? datesThatStandOut(among: left) : Set(left.map(\.date))
        let others = left.filter { !standOut.contains($0.date) }
        left.removeAll { !standOut.contains($0.date) }
        let open = Set(demands.map(\.key))
        left += try history.lostOrdersAsked(since: zone.start(of: since)).map(\.facts)
            .filter { $0.retryKey.map { !open.contains($0) } ?? true }.map { Lost(given: $0, zone) }
            .filter { $0.date >= since && !isTold($0) }
        let dates = (since.day...max(since.day, night.day)).map { BusinessDate(day: $0) }
        let whole = dates.filter { date in !told.contains { $0.explains(nil, at: 0, of: date) } }
        var sales = SoldByDate(tonights: tables, history: history, dates: whole)
        let accepted = try head.releasedFindings.filter {
            $0.since != nil && $0.date > night.advanced(by: -GuardLimit.usualSpan)
        }.map { try Accepted(released: $0, from: since, until: acceptedUntil($0, left, night, &sales)) }
        var found: [GuardFinding] = []
        while true {
            let hours = try lostHours(left, accepted, &sales)
            var next: [Together] = []
            for (product, lost) in Dictionary(grouping: left, by: \.product) {
                guard let product else { continue }
                let own = try lostProduct(product, lost, of: left.count, accepted, until: night, &sales)
                if let own, own.chance < hours?.chance ?? 0 { next.append(own) }
            }
            next.order { ($0.chance, $0.product) < ($1.chance, $1.product) }
            if next.isEmpty { next = [hours].compactMap(\.self) }
            if next.isEmpty {
                let isAccepted = accepted.contains { $0.released.detail == .ends }
                found += try isAccepted ? [] : lostAtEnds(left + others, deliveries, &sales)
                return found.filter { found in !accepted.contains { covers($0.released, until: $0.until, found) } }
            }
            found += next.map(\.finding)
            let explaining = Dictionary(next.map { ($0.product, $0) }) { first, _ in first }
            left.removeAll { (explaining[$0.product ?? ""] ?? explaining[""])?.explains($0) ?? false }
        }
    }

    /// The hours of a date, or of all dates, in which chance gives the fewest customers so many lost orders.
    private func lostHours(_ left: [Lost], _ accepted: [Accepted], _ sales: inout SoldByDate) throws -> Together? {
        let steady = left.filter { lost in
            sales.sums(lost.date) && !accepted.contains { $0.released.hours != nil && $0.explains(lost) }
        }
        let open = Dictionary(grouping: left.filter(\.isOpen), by: \.date)
        let days = open.keys.ordered().map { date in
            // A span of hours may end on the next date.
            let next = open[date.advanced(by: 1)] ?? []
            return ([date], open[date]! + next.filter { $0.hour < GuardLimit.midnightHours })
        }
        return try (days + [(sales.dates, steady)]).compactMap {
            try lostHours(on: $0, $1, &sales)
        }.min { $0.chance < $1.chance }
    }

    private func lostHours(on dates: [BusinessDate], _ lost: [Lost], _ sales: inout SoldByDate) throws -> Together? {
        guard lost.count >= GuardLimit.togetherMin, Set(lost.map(\.account)).count >= GuardLimit.customersMin else {
            return nil
        }
        let (sold, isSteady) = (try sales.settled(on: dates, by: .hour), dates.count > 1)
        // Of one date, the hours from 24 on are those of the next.
        let hours = Dictionary(grouping: lost) { $0.hour + (isSteady || $0.date == dates[0] ? 0 : dayHours) }
        let last = isSteady ? 2 * dayHours - 1 : hours.keys.max()!
        var best: Together?
        for first in hours.keys.ordered() where first < dayHours {
            var (lacking, total) = (Lacking(), 0)
            for hour in first...max(first, min(last, max(dayHours - 1, first + GuardLimit.midnightHours - 1))) {
                let isNext = hour >= dayHours && !isSteady
                let counted = try isNext ? sales.settled(on: [dates[0].advanced(by: 1)], by: .hour) : sold
                total += counted.of[CountedPurchase.hours[hour % dayHours]] ?? 0
                guard let more = hours[isNext ? hour : hour % dayHours] else { continue }
                more.forEach { lacking.add($0) }
                guard lacking.customers.count >= GuardLimit.customersMin, lacking.weight >= GuardLimit.togetherMin,
                    let next = try together(
                        .hours(first..<hour + 1), lacking, lacking.weight, of: total, on: dates,
                        tries: GuardLimit.hourWindows, elsewhere: (lost.count - lacking.count, sold.all - total),
                        &sales)
                else { continue }
                if next.chance < best?.chance ?? 0 { best = next }
            }
        }
        return best
    }

    /// The date on which chance gives the fewest customers who lack this product, or all dates.
    private func lostProduct(
        _ name: String, _ lost: [Lost], of all: Int, _ accepted: [Accepted], until night: BusinessDate,
        _ sales: inout SoldByDate
    ) throws -> Together? {
        let open = lost.filter(\.isOpen)
        guard let last = open.map(\.date).max(), Set(lost.map(\.account)).count >= GuardLimit.neverGivenMin else {
            return nil
        }
        let product = Identifier(name)
        var (date, total) = (night, 0)
        while date > last.advanced(by: -GuardLimit.usualSpan) {
            let sold = try sales.of(date, by: .product)[product]
            if let sold, sold[.withinHour] + sold[.withinDay] > 0 { break }
            total += sold?.settled ?? 0
            date = date.advanced(by: -1)
        }
        var tried = Dictionary(grouping: open, by: \.date).ordered { $0.key < $1.key }
            .map { (lost: $1, dates: [$0], least: GuardLimit.customersMin) }
        let fresh = lost.filter { lost in
            !accepted.contains { $0.released.detail == .product(name) && $0.explains(lost) }
        }
        tried.append((fresh.filter { sales.sums($0.date) }, sales.dates, GuardLimit.togetherMin))
        let isNew = date <= last.advanced(by: -GuardLimit.usualSpan)
        if isNew { tried = [(fresh.filter(\.isOpen), [tried[0].dates[0], last], GuardLimit.neverGivenMin)] }
        return try tried.compactMap { lost, dates, least -> Together? in
            let lacking = lost.reduce(into: Lacking()) { $0.add($1) }
            if lacking.customers.count < least { return nil }
            let sold: SoldByDate.Sold = isNew ? ([product: total], total) : try sales.settled(on: dates, by: .product)
            let own = sold.of[product] ?? 0
            return try together(
                .product(name), lacking, lacking.customers.count, of: own, on: dates, tries: sold.of.count,
                elsewhere: isNew ? nil : (all - lacking.count, sold.all - own), &sales)
        }.min { $0.chance < $1.chance }
    }

    /// Whether whoever paid before the first credit of each date, or after the last one, often lacks the goods: an export leaves out
    /// the first or the last row. On one date, that looks like a lost order.
    private func lostAtEnds(
        _ left: [Lost], _ deliveries: [Delivery], _ sales: inout SoldByDate
    ) throws -> [GuardFinding] {
        let (lost, summed) = (left.filter { sales.sums($0.date) }, sales.dates)
        guard Set(lost.map(\.account)).count >= GuardLimit.customersMin, let first = summed.first else { return [] }
        let share = try sales.usual(of: summed) { try usualShare(of: summed) }
        if share.dates < GuardLimit.usualDatesMin { return [] }
        let files = try files(of: .credits, since: first, deliveries)
        for feed in settings.feeds where feed.record.kind == .credits && feed.record.isRequired {
            var credits: [BusinessDate: ClosedRange<Instant>] = [:]
            for file in files where feed.matches(file.name) {
                guard let first = file.firstEvent, let last = file.lastEvent else { continue }
                let known = credits[file.fileDate]
                credits[file.fileDate] = min(first, known?.lowerBound ?? first)...max(last, known?.upperBound ?? last)
            }
            let dates = summed.filter { credits[$0] != nil }
            for isOutside in [{ $0 < $1.lowerBound }, { $0 > $1.upperBound }]
                as [(Instant, ClosedRange<Instant>) -> Bool]
            {
                let outside = lost.filter { lost in credits[lost.date].map { isOutside(lost.paidAt, $0) } ?? false }
                let lacking = outside.reduce(into: Lacking()) { $0.add($1) }
                let (count, usual) = (lacking.dates.count, (count: share.lost, of: share.purchases))
                let chance = chance(count, of: dates.count, usual: usual, ordinary: GuardLimit.togetherOrdinary)
                guard lacking.customers.count >= GuardLimit.customersMin, lacking.isSteady,
                    isHardlyEver(log(2) + chance)
                else { continue }
                return [finding(.ends, lacking, count, of: dates.count, usual: usual, isSteady: true)]
            }
        }
        return []
    }

    /// Nil if chance may give so many lost orders, or the shop often has so many.
    ///
    /// - Parameters:
    ///   - detail: what they have in common.
    ///   - weight: few purchases of one customer count.
    ///   - elsewhere: the others of several dates. Nil if the product is new.
    private func together(
        _ detail: GuardFinding.Detail, _ lacking: Lacking, _ weight: Int, of sold: Int, on dates: [BusinessDate],
        tries: Int, elsewhere: (lost: Int, purchases: Int)?, _ sales: inout SoldByDate
    ) throws -> Together? {
        let share = try sales.usual(of: dates) { try usualShare(of: dates) }
        var (usual, ordinary) = ((count: share.lost, of: share.purchases), GuardLimit.togetherOrdinary)
        let (count, total) = (weight, max(sold, lacking.count))
        if share.dates < GuardLimit.usualDatesMin { return nil }
        if dates.count > 1, let elsewhere {
            guard lacking.isSteady, total <= elsewhere.purchases else { return nil }
            if elsewhere.lost * share.purchases > share.lost * elsewhere.purchases {
                usual = (elsewhere.lost, elsewhere.purchases)
            }
            ordinary = GuardLimit.steadyOrdinary
        }
        guard count * usual.of > GuardLimit.togetherTimes * usual.count * total,
            case let chance = log(Double(max(tries, 1)))
                + chance(count, of: total, usual: usual, ordinary: ordinary),
            isHardlyEver(chance)
        else { return nil }
        let found = finding(detail, lacking, lacking.count, of: total, usual: usual, isSteady: dates.count > 1)
        return Together(finding: found, chance: chance)
    }

    private func finding(
        _ detail: GuardFinding.Detail, _ lacking: Lacking, _ count: Int, of total: Int, usual: (count: Int, of: Int),
        isSteady: Bool
    ) -> GuardFinding {
        let (dates, expected) = (lacking.dates.keys, (usual.count * total + usual.of - 1) / usual.of)
        return GuardFinding(
            kind: .lostTogether, feed: .credits, date: isSteady ? dates.max()! : dates.min()!, count: count,
            total: total, usual: [expected, expected], detail: detail, since: isSteady ? dates.min() : nil)
    }
}

extension InputGuard {
    /// Of a first night's dates, those to which chance hardly ever gives so many of the lost orders: of all, of an hour's or of a
    /// product's.
    private func datesThatStandOut(among lost: [Lost]) -> Set<BusinessDate> {
        let dates = Set(purchases.entries.map(\.key.outcome.date)).count
        let keys: [(Lost) -> String?] = [{ _ in "" }, { String($0.hour) }, \.product]
        let tried = keys.flatMap { Dictionary(grouping: lost, by: $0).values }
        return tried.reduce(into: []) { found, alike in
            for (date, own) in Dictionary(grouping: alike, by: \.date) {
                let chance = chance(own.count, of: alike.count, usual: (1, dates), ordinary: dates)
                if isHardlyEver(log(Double(tried.count)) + chance) { found.insert(date) }
            }
        }
    }

    /// The share that is usual apart from these dates and dates in doubt. A young shop has few others.
    private func usualShare(of dates: [BusinessDate]) throws -> SoldByDate.Share {
        // What the retry entries of a night gave may be within the day.
        let isLate = { (fate: Fulfilment) in fate != .withinHour }
        let doubted = head.guarded.filter { $0.kind == .lostTogether }.map { ($0.since ?? $0.date)...$0.date }
        let share = try usualShare(before: dates.last!, except: doubted, isLate)
        return try share.dates < GuardLimit.usualDatesMin ? usualShare(besides: dates, isLate) : share
    }

    /// The last date on which what a person released of several dates is accepted: after four weeks, or as soon as it has stopped, so
    /// that chance hardly spares so many purchases in a row. What begins after that is new.
    private func acceptedUntil(
        _ released: GuardFinding, _ left: [Lost], _ night: BusinessDate, _ sales: inout SoldByDate
    ) throws -> BusinessDate {
        let end = released.date.advanced(by: GuardLimit.usualSpan - 1)
        let (dimension, values): (Dimension, [Identifier])
        switch released.detail {
        case .hours(let hours): (dimension, values) = (.hour, hours.map { CountedPurchase.hours[$0 % dayHours] })
        case .product(let product): (dimension, values) = (.product, [Identifier(product)])
        default: return end
        }
        let all = Accepted(released: released, from: released.since!, until: end)
        let later = left.filter { $0.date > released.date && all.explains($0) }
        if Set(later.map(\.account)).count < GuardLimit.customersMin { return end }
        // The total is of more dates than those that lost.
        let dates = released.total * Int(released.date.day - released.since!.day + 1)
        let share = min(Double(released.count * GuardLimit.togetherSpan) / Double(max(dates, 1)), 0.5)
        var (date, spared) = (released.date, 0)
        while date < min(night, end) {
            date = date.advanced(by: 1)
            let sold = try sales.of(date, by: dimension)
            let own = values.compactMap { sold[$0] }
            let isSpared = own.allSatisfy { $0.settled == $0[.withinHour] }
            spared = isSpared ? own.reduce(spared) { $0 + $1.settled } : 0
            if pow(1 - share, Double(spared)) * GuardLimit.stoppedMax < 1 { return date }
        }
        return end
    }

    /// Whether a person who released what several dates have in common has released this, too. It is
    /// - of these dates; or
    /// - of a later date on which that is accepted, and chance may give so many, if so many are usual as were then.
    func covers(_ released: GuardFinding, until last: BusinessDate, _ finding: GuardFinding) -> Bool {
        guard let since = released.since, finding.since == nil, since <= finding.date,
            released.kind == finding.kind, released.count >= finding.count,
            released.isAlike(
                finding,
                areAlike: { $0.contains($1) || $0.contains($1.lowerBound + dayHours..<$1.upperBound + dayHours) })
        else { return false }
        let usual = (count: released.count, of: released.total)
        let chance = chance(finding.count, of: finding.total, usual: usual, ordinary: GuardLimit.togetherOrdinary)
        return finding.date <= released.date || finding.date <= last && !isHardlyEver(chance)
    }
}

/// What a person released of several dates.
private struct Accepted {
    let released: GuardFinding
    /// The last date on which it is accepted.
    let until: BusinessDate
    private var span: GuardFinding

    init(released: GuardFinding, from first: BusinessDate, until: BusinessDate) {
        (self.released, self.until, span) = (released, until, released)
        (span.since, span.date) = (min(first, released.since!), until)
    }

    func explains(_ lost: Lost) -> Bool { span.explains(lost.product, at: lost.hour, of: lost.date) }
}

/// A purchase that lacks its goods, or did until a machine was asked.
private struct Lost {
    var paidAt: Instant
    var date: BusinessDate
    var hour: Int
    var account: String?
    var product: String?
    var isOpen: Bool

    init(_ demand: InputGuard.Demand, _ zone: Zone) {
        (paidAt, date, hour) = (demand.paidAt, zone.date(of: demand.paidAt), zone.hour(of: demand.paidAt))
        (account, product, isOpen) = (demand.account, demand.product, true)
    }

    init(given facts: ExceptionFacts, _ zone: Zone) {
        (paidAt, date, hour) = (facts.eventAt, zone.date(of: facts.eventAt), zone.hour(of: facts.eventAt))
        (account, product, isOpen) = (facts.accounts.first, facts.product, false)
    }
}

private struct Lacking {
    var count = 0
    /// Few purchases of one customer count.
    var weight = 0
    var customers: [String?: Int] = [:]
    var dates: [BusinessDate: Int] = [:]
    private var isOpen = false

    mutating func add(_ lost: Lost) {
        count += 1
        customers[lost.account, default: 0] += 1
        if customers[lost.account]! <= GuardLimit.countedMost { weight += 1 }
        dates[lost.date, default: 0] += 1
        if lost.isOpen { isOpen = true }
    }

    /// Whether a purchase still lacks its goods, and two or more are of other dates than the worst one.
    var isSteady: Bool { isOpen && count - dates.values.max()! >= GuardLimit.otherDatesMin }
}
