internal import Glibc

/// Lost orders that have hours or a product in common: a part of the credits is missing, or delivery failed there.
extension InputGuard {
    /// Purchases that lack their goods together.
    private struct Together {
        var finding: GuardFinding
        /// See `chance`.
        var chance: Double
        /// The hours of the clock; nil if it is about a product.
        var hours: ClosedRange<Int>?
        var dates: ClosedRange<BusinessDate>
    }

    /// The purchases of dates by hour and product.
    private struct Sales {
        let tonights: () throws -> [TableKey: EncodedTable]
        let history: any History
        var dates: [BusinessDate: [Dimension: [Identifier: ValueTally]]] = [:]

        mutating func of(_ date: BusinessDate, by dimension: Dimension) throws -> [Identifier: ValueTally] {
            if let known = dates[date] { return known[dimension]! }
            let tables = try history.tables(in: date...date).merging(tonights().filter { $0.key.date == date }) { $1 }
                .decoded(threads: 1)
            let read = [Dimension.hour, .product].map { dimension in
                let tallies = tables.tallies(by: dimension, limit: .max)
                return (dimension, Dictionary(uniqueKeysWithValues: tallies.map { ($0.value!, $0) }))
            }
            dates[date] = Dictionary(uniqueKeysWithValues: read)
            return dates[date]![dimension]!
        }
    }

    /// What tonight's lost orders have in common, the strongest first: what it explains is left out of what follows.
    ///
    /// - Parameter told: dates of which another finding says that goods are missing.
    func lostTogether(
        on night: BusinessDate, _ arrivals: [Arrival], except told: Set<BusinessDate>
    ) throws -> [GuardFinding] {
        let doubted = head.guarded.filter { $0.kind == .lostTogether }.map(\.date)
        let since = (doubted + [night]).min()!.advanced(by: -GuardSettings.togetherSpan)
        // A file that comes late may have been made by hand.
        let names = Set(settings.feeds.map(\.record).filter { $0.kind == .credits }.map(\.name))
        let late = Set(arrivals.filter { names.contains($0.feed) }.map(\.date))
        var left = Dictionary(grouping: demands) { zone.date(of: $0.paidAt) }
            .filter { ($0.key > since || late.contains($0.key)) && !told.contains($0.key) }
        guard left.values.reduce(0, { $0 + $1.count }) >= GuardSettings.newMin else { return [] }
        var (sales, found) = (Sales(tonights: tables, history: history), [GuardFinding]())
        while true {
            let byHours = try left.keys.ordered().filter { date in
                !found.contains { $0.date == date && $0.product == nil }
            }.compactMap { try lostHours(on: $0, left[$0]!, &sales) }
            let byProduct = try Set(left.values.joined().compactMap(\.product)).ordered { $0 < $1 }
                .flatMap { try lostProduct($0, left, until: night, &sales) }
            guard let next = (byHours + byProduct).min(by: { $0.chance < $1.chance }) else { return found }
            found.append(next.finding)
            for date in left.keys where next.dates.contains(date) {
                left[date]!.removeAll {
                    next.hours?.contains(zone.hour(of: $0.paidAt)) ?? ($0.product == next.finding.product)
                }
            }
        }
    }

    /// The hours of the date in which chance gives the fewest customers so many lost orders.
    private func lostHours(
        on date: BusinessDate, _ lacking: [Demand], _ sales: inout Sales
    ) throws -> Together? {
        guard Set(lacking.map(\.account)).count >= GuardSettings.productMin else { return nil }
        let sold = try sales.of(date, by: .hour)
        let hours = Dictionary(grouping: lacking) { zone.hour(of: $0.paidAt) }
        var best: Together?
        for first in hours.keys.ordered() {
            var (count, total, customers) = (0, 0, [String?: Int]())
            for hour in first..<24 {
                total += sold[CountedPurchase.hours[hour]]?.settled ?? 0
                guard let more = hours[hour] else { continue }
                for lost in more { customers[lost.account, default: 0] += 1 }
                count += more.count
                let weight = customers.values.reduce(0) { $0 + min($1, GuardSettings.countedMost) }
                guard customers.count >= GuardSettings.productMin, weight >= GuardSettings.hoursMin,
                    var next = try together((weight, count), of: total, on: date, tries: GuardSettings.hourWindows)
                else { continue }
                next.hours = first...hour
                next.finding.ends = [first, hour + 1].map { "\($0 < 10 ? "0" : "")\($0):00" }
                if next.chance < best?.chance ?? 0 { best = next }
            }
        }
        return best
    }

    /// The dates on which so many customers lack this product, and all dates together, if the backend never gave it.
    private func lostProduct(
        _ name: String, _ lacking: [BusinessDate: [Demand]], until night: BusinessDate, _ sales: inout Sales
    ) throws -> [Together] {
        let lacking = lacking.mapValues { $0.filter { $0.product == name } }.filter { !$0.value.isEmpty }
        let all = lacking.values.joined()
        guard Set(all.map(\.account)).count >= GuardSettings.newMin, let last = lacking.keys.max() else { return [] }
        let product = Identifier(name)
        var (date, total) = (night, 0)
        while date > last.advanced(by: -GuardSettings.usualSpan) {
            let sold = try sales.of(date, by: .product)[product]
            if let sold, sold[.withinHour] + sold[.withinDay] > 0 { break }
            total += sold?.settled ?? 0
            date = date.advanced(by: -1)
        }
        if date <= last.advanced(by: -GuardSettings.usualSpan) {
            let customers = Set(all.map(\.account)).count
            guard var found = try together((customers, all.count), of: total, on: last, tries: 1) else { return [] }
            found.finding.product = name
            found.dates = lacking.keys.min()!...last
            return [found]
        }
        return try lacking.ordered { $0.key < $1.key }.compactMap { date, lacking in
            let customers = Set(lacking.map(\.account)).count
            let sold = try sales.of(date, by: .product)
            guard customers >= GuardSettings.productMin,
                var found = try together(
                    (customers, lacking.count), of: sold[product]?.settled ?? 0, on: date, tries: sold.count)
            else { return nil }
            found.finding.product = name
            return found
        }
    }

    /// Nil if chance may give so many lost orders, or the shop often has so many.
    ///
    /// - Parameter lacking: `weight` counts few purchases of one customer; `count` counts all.
    private func together(
        _ lacking: (weight: Int, count: Int), of sold: Int, on date: BusinessDate, tries: Int
    ) throws -> Together? {
        // What the retry entries of a night gave may be within the day.
        let (lost, purchases, dates) = try usualShare(before: date) { $0 != .withinHour }
        let (count, total) = (lacking.weight, max(sold, lacking.count))
        guard dates >= GuardSettings.usualDatesMin,
            count * purchases > GuardSettings.togetherTimes * lost * total,
            case let chance = log(Double(max(tries, 1)))
                + chance(count, of: total, usual: (lost, purchases), ordinary: GuardSettings.togetherOrdinary),
            isHardlyEver(chance)
        else { return nil }
        let usual = (lost * total + purchases - 1) / purchases
        let finding = GuardFinding(
            kind: .lostTogether, feed: .credits, date: date, count: lacking.count, total: total, usual: [usual, usual])
        return Together(finding: finding, chance: chance, dates: date...date)
    }
}

extension ValueTally {
    /// The purchases that do not wait.
    fileprivate var settled: Int { purchases - self[.waiting] }
}
