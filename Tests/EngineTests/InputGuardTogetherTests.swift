import Domain
import Testing

@testable import Engine
@testable import Reference

private let date = ScenarioWorld.date
private let zone = ScenarioWorld.policy.zone

/// Lost orders that have hours or a product in common. See docs/spec/rules.md#guard.
extension InputGuardTests {
    /// Of a shop that sells ten an hour: the lost orders by hour, how many of a hundred usually are, on how many dates before,
    /// and the hours that are found.
    @Test(
        arguments: [
            ([19: 9], 1, 7, 19..<20),  // an hour's rows are missing
            ([20: 5, 21: 5, 22: 5, 23: 5], 1, 7, 20..<24),  // one of two servers, since 20:00
            ([7: 9, 8: 9, 12: 1], 1, 7, 7..<9),
            ([19: 9], 8, 7, 19..<20), ([19: 9], 30, 7, 19..<20),
            ([19: 5], 8, 7, nil), ([19: 4], 1, 7, nil), ([19: 9], 1, 2, nil),
            ([1: 1, 4: 1, 9: 1, 10: 1, 15: 1, 20: 1], 1, 7, nil),  // each alone
        ] as [([Int: Int], Int, Int, Range<Int>?)])
    func hoursThatLackTheirGoodsAreHeld(lost: [Int: Int], usual: Int, days: Int, hours: Range<Int>?) throws {
        let night = lost.flatMap { Array(repeating: Int64($0.key), count: $0.value) }
        let sold = (0..<24).map { Sold(date, $0, "coins", lost: lost[$0] ?? 0, of: 10) }
        let before = history(days: days, lost: usual)
        var head = HistoryHead()
        let found = try together(unserved(night, of: "coins"), sold, head, in: before)
        #expect(found.map(\.hours) == (hours.map { [$0] } ?? []) && found.allSatisfy { $0.kind == .lostTogether })
        guard hours != nil else { return }
        // It stays until a person releases it,
        head.guarded = found
        #expect(try together(unserved(night, of: "coins"), sold, head, in: before) == found)
        head.releasedFindings = found
        #expect(try together(unserved(night, of: "coins"), sold, head, in: before) == [])
        // or until the goods are on record. What another finding has told is not told again, but one about gifts tells of others.
        head.releasedFindings = [GuardFinding(kind: .creditedNotPaid, feed: .credits, date: date, count: 1, total: 2)]
        #expect(try together([], sold, head, in: before) == [])
        #expect(try together(unserved(night, of: "coins"), sold, head, in: before) == found)
        head.releasedFindings = [GuardFinding(kind: .newRows, feed: .credits, date: date, count: 1, total: 2)]
        #expect(try together(unserved(night, of: "coins"), sold, head, in: before) == [])
    }

    @Test func theFindingCountsTheHours() throws {
        let sold = (0..<24).map { Sold(date, $0, "coins", lost: $0 == 19 ? 9 : 0, of: 10) }
        let hours = Array(repeating: Int64(19), count: 9)
        let before = history(days: 7, lost: 1)
        let found = try #require(try together(unserved(hours, of: "coins"), sold, in: before).first)
        #expect((found.count, found.total, found.usual) == (9, 10, [1, 1]))
        // One customer's purchases are none of a file.
        var night = unserved(hours, of: "coins")
        for index in night.indices { night[index].retry?.account = index < 3 ? "two customers" : "a second one" }
        #expect(try together(night, sold, in: before) == [])
        // Those of three are, if they bought several times.
        for index in night.indices { night[index].retry?.account = "customer \(index % 3)" }
        #expect(try together(night, sold, in: before).map(\.count) == [9])
    }

    /// Otherwise what is held for days would be usual after a few.
    @Test func whatIsInDoubtIsNotUsual() throws {
        let sold = (0..<24).map { Sold(date, $0, "coins", lost: $0 == 19 ? 5 : 0, of: 10) }
        let (night, before) = (unserved(Array(repeating: 19, count: 5), of: "coins"), history(days: 6, lost: 1))
        for day in 1...3 {
            let outcome = PurchaseOutcome(date.advanced(by: -day), .later)
            for _ in 0..<60 { before.knownPurchases.add(outcome, nil) }
        }
        #expect(try together(night, sold, in: before) == [])
        var (head, doubt) = (
            HistoryHead(), GuardFinding(kind: .lostTogether, feed: .credits, date: date, count: 1, total: 2)
        )
        (doubt.since, doubt.date) = (date.advanced(by: -3), date.advanced(by: -1))
        head.guarded = [doubt]
        #expect(try together(night, sold, head, in: before).map(\.hours) == [19..<20])
    }

    /// Each of some days, so many lack their goods at 23:00, of so many sold each hour of the last seven; and how many of a hundred
    /// lost orders are usual.
    @Test(
        arguments: [
            ([3, 3, 3], 10, 1, true), ([2, 2, 2, 2], 10, 1, true), ([2, 2, 2], 10, 1, false),
            ([3, 3, 3], 10, 5, false), ([3, 2], 2, 1, true),
            ([1, 4], 2, 1, false),  // one bad day
        ])
    func aFewOfEachDayAreHeld(lost: [Int], hourly: Int, usual: Int, isHeld: Bool) throws {
        let sold = week(of: hourly, lost)
        let night = unserved(hours(23, lost), of: "coins")
        let before = history(days: 7, lost: usual)
        var head = HistoryHead()
        let found = try together(night, sold, head, in: before)
        #expect(found.map(\.hours) == (isHeld ? [23..<24] : []))
        guard isHeld else { return }
        #expect(found[0].since == date.advanced(by: 1 - lost.count) && found[0].date == date)
        #expect(found[0].count == lost.reduce(0, +) && found[0].total == hourly * 7)
        head.guarded = found
        #expect(try together(night, sold, head, in: before) == found)
        // The shop goes on as the person said, for four weeks.
        (head.guarded, head.releasedFindings) = ([], found)
        #expect(try together(night, sold, head, in: before) == [])
        #expect(try together(night, sold, head, in: before, on: date.advanced(by: 1)) == [])
        let next = night + unserved(hours(47, [1]), of: "coins")
        #expect(try together(next, sold, head, in: before, on: date.advanced(by: 1)) == [])
        head.releasedFindings[0].date = date.advanced(by: -28)
        #expect(try together(night, sold, head, in: before) == found)
        // Of a date alone, so many are looked at all the same.
        head.releasedFindings = found
        let more = unserved(hours(23, [hourly]), of: "coins")
        #expect(try together(more, sold, head, in: before).map(\.since) == (hourly > 2 ? [nil] : []))
        guard hourly > 2 else { return }
        // Those of the release are not told again as those of a date.
        let some = unserved(hours(23, [6]), of: "coins")
        #expect(try together(some, sold, in: before).map(\.since) == [nil])
        #expect(try together(some, sold, head, in: before) == [])
    }

    /// A person released 12 of 27 purchases of 03:00 to 05:00 of three dates. Then a date so many days later has so many.
    @Test(
        arguments: [
            (0, 3, 5, 12, 12, true), (-2, 4, 5, 5, 7, true), (-3, 4, 5, 5, 7, false), (0, 3, 5, 13, 20, false),
            (0, 4, 6, 5, 7, false),  // other hours
            (5, 3, 5, 7, 23, true), (27, 3, 5, 7, 23, true), (28, 3, 5, 7, 23, false),
            (5, 3, 5, 12, 12, false),  // hardly ever, if 12 of 27 are usual
        ])
    func whatWasReleasedOfSeveralDatesIsReleasedOfOne(
        day: Int, from: Int, until: Int, count: Int, total: Int, isCovered: Bool
    ) {
        var released = GuardFinding(kind: .lostTogether, feed: .credits, date: date, count: 12, total: 27)
        (released.since, released.detail) = (date.advanced(by: -2), .hours(3..<5))
        var found = GuardFinding(
            kind: .lostTogether, feed: .credits, date: date.advanced(by: day), count: count, total: total)
        found.detail = .hours(from..<until)
        let settings = NightSettings(policy: ScenarioWorld.policy, feeds: [])
        let inputGuard = InputGuard(settings: settings, history: MemoryHistory(), head: HistoryHead())
        #expect(inputGuard.covers(released, until: date.advanced(by: 27), found) == isCovered)
        (released.detail, found.detail) = (.product("pack"), .product("pack"))
        #expect(inputGuard.covers(released, until: date.advanced(by: 27), found) == (isCovered || until == 6))
        found.detail = .product("gem")
        #expect(!inputGuard.covers(released, until: date.advanced(by: 27), found))
        (released.since, found.detail) = (nil, .product("pack"))
        #expect(!inputGuard.covers(released, until: date.advanced(by: 27), found))
    }

    /// No night before the first says what is usual. Its other dates do, if there are three.
    @Test(arguments: [(4, 1, true), (4, 30, true), (3, 1, false)])
    func anHourOfTheFirstNightIsHeld(dates: Int, usual: Int, isHeld: Bool) throws {
        let long = date.advanced(by: 60)
        let sold = (0..<24).map { Sold(date, $0, "coins", lost: $0 == 19 ? 9 : 0, of: 10) }
        let night = unserved(Array(repeating: 19, count: 9), of: "coins")
        var purchases = PurchaseTally()
        for day in 0..<dates {
            for number in 0..<100 {
                let fate = number < (day == 0 ? 9 : usual) ? Fulfilment.later : .withinHour
                purchases.add(PurchaseOutcome(date.advanced(by: day), fate), nil)
            }
        }
        let found = try together(night, sold, in: MemoryHistory(), on: long, isFirst: true, purchases)
        #expect(found.map(\.hours) == (isHeld ? [19..<20] : []))
        // It stays in the nights after that.
        var head = HistoryHead()
        head.guarded = found
        let known = onRecord(night)
        #expect(try together(night, sold, head, in: history(days: 7, lost: 1), on: long, known: known) == found)
        // So is a date that lacks many.
        var counts = Findings()
        (counts.purchases, counts.dates[date]) = (purchases, DateCounts(uncredited: 45, proven: 100))
        #expect(try findings(counts, on: long).map(\.kind) == (isHeld ? [.uncredited] : []))
    }

    /// On each of ten dates of a first night nine are lost. On one of them, they are of an hour or a product.
    @Test(arguments: [(19, "coins", true), (nil, "pack", true), (nil, "coins", false)] as [(Int64?, String, Bool)])
    func whatStandsOutOnTheFirstNightIsLookedAt(hour: Int64?, product: String, isHeld: Bool) throws {
        var (purchases, night, sold): (PurchaseTally, [Observation], [Sold]) = (PurchaseTally(), [], [])
        for day in 0..<10 {
            let (date, isHole) = (date.advanced(by: day), day == 4)
            for _ in 0..<231 { purchases.add(PurchaseOutcome(date, .withinHour), nil) }
            for _ in 0..<9 { purchases.add(PurchaseOutcome(date, .lost), nil) }
            let hours = (0..<9).map { (isHole ? hour : nil) ?? Int64($0 * 2 + day % 5) }
            night += unserved(hours.map { $0 + 24 * Int64(day) }, of: isHole ? product : "coins")
            sold += (0..<24).map { Sold(date, $0, "coins", lost: 0, of: 10) }
        }
        let (hole, last) = (date.advanced(by: 4), date.advanced(by: 60))
        sold.append(Sold(hole, 3, "pack", lost: 9, of: 9))
        let found = try together(night, sold, in: MemoryHistory(), on: last, isFirst: true, purchases)
        #expect(found.map(\.date) == (isHeld ? [hole] : []))
    }

    @Test func aShopThatLosesAsManyAtAllHoursIsNotHeld() throws {
        let sold = week(of: 10, [3, 3, 3])
        let all = (0..<24).flatMap { hours(Int64($0), [3, 3, 3]) }
        let found = try together(unserved(all, of: "coins"), sold, in: history(days: 7, lost: 1))
        #expect(found.allSatisfy { $0.since == nil })
    }

    /// A machine gave the goods of the days before, so these lack them no more.
    @Test(arguments: [true, false]) func whatWasAskedForCounts(isOpen: Bool) throws {
        let (sold, before) = (week(of: 10, [3, 3, 3]), history(days: 7, lost: 1))
        before.lostOrdersAsked = unserved(hours(23, [0, 3, 3]), of: "coins").map { seen in
            var record = ExceptionRecord.blank
            record.facts = ExceptionFacts(
                verdict: .paidNotCredited, cause: .none, severity: .high, eventAt: seen.purchasedAt!)
            (record.facts.accounts, record.facts.product) = (["b\(seen.retry?.account ?? "")"], "coins")
            return record
        }
        var night = unserved(isOpen ? hours(23, [3]) : [], of: "coins")
        #expect(try together(night, sold, in: before).map(\.count) == (isOpen ? [9] : []))
        guard isOpen else { return }
        // What still lacks its goods counts once.
        night[0].retry?.key = "R1"
        before.lostOrdersAsked[0].facts.retryKey = "R1"
        #expect(try together(night, sold, in: before).map(\.count) == [8])
    }

    @Test(arguments: [([2, 2, 2], true), ([2, 2], false)])
    func aFewOfAProductEachDayAreHeld(lost: [Int], isHeld: Bool) throws {
        let sold = week(of: 10, []) + (0..<7).map { Sold(date.advanced(by: -$0), 5, "pack", lost: 0, of: 12) }
        let night = unserved(lost.indices.flatMap { day in [3, 17].map { Int64($0 - 24 * day) } }, of: "pack")
        var head = HistoryHead()
        let found = try together(night, sold, head, in: history(days: 7, lost: 1))
        #expect(found.map(\.detail) == (isHeld ? [.product("pack")] : []))
        guard isHeld else { return }
        #expect((found[0].since, found[0].count, found[0].total) == (date.advanced(by: -2), 6, 84))
        head.releasedFindings = found
        #expect(try together(night, sold, head, in: history(days: 7, lost: 1)) == [])
    }

    @Test func eachOfManyProductsIsFound() throws {
        let names = (100..<300).map { "p\($0)" }
        var night: [Observation] = []
        for (number, name) in names.enumerated() {
            night += unserved([0, -24].map { $0 + Int64(number % 24) }, of: name)
        }
        for index in night.indices { night[index].retry?.account = "a\(index)" }
        let sold = week(of: 400, []) + names.map { Sold(date, 3, $0, lost: 2, of: 2) }
        #expect(try together(night, sold, in: history(days: 7, lost: 1)).map(\.detail) == names.map { .product($0) })
    }

    @Test(
        arguments: [
            (19, "coins", true), (18, "coins", true), (20, "pack", true), (17, "coins", false), (21, "coins", false),
            (19 - 24, "coins", false), (23, "coins", false),
        ] as [(Int64, String, Bool)])
    func hoursConcernWhatWasPaidThenOrAnHourFromThen(hour: Int64, product: String, isConcerned: Bool) {
        var finding = GuardFinding(kind: .lostTogether, feed: .credits, date: date, count: 9, total: 9)
        finding.detail = .hours(19..<20)
        let paidAt = zone.start(of: date) + .hours(hour)
        #expect(finding.mayConcern(product, paidAt: paidAt, in: zone) == isConcerned)
        #expect(finding.mayConcern(product, paidAt: nil, in: zone))
        // Of several dates together, those of any date.
        finding.since = date.advanced(by: -3)
        #expect(finding.mayConcern(product, paidAt: paidAt, in: zone) == (isConcerned || hour < 0))
        finding.detail = .product("pack")
        #expect(finding.mayConcern("pack", paidAt: paidAt + .days(-9), in: zone))
        #expect(finding.mayConcern(product, paidAt: paidAt, in: zone) == (product == "pack"))
        #expect(finding.mayConcern(nil, paidAt: paidAt, in: zone))
        finding.since = nil
        #expect(finding.mayConcern("pack", paidAt: paidAt, in: zone) == (hour >= 0))
        finding.kind = .uncredited
        #expect(finding.mayConcern(product, paidAt: paidAt, in: zone))
        // So many hours are the whole date.
        (finding.kind, finding.detail) = (.lostTogether, .hours(10..<22))
        #expect(finding.mayConcern(product, paidAt: zone.start(of: date), in: zone))
        #expect(!finding.mayConcern(product, paidAt: zone.start(of: date) + .hours(-2), in: zone))
        finding.detail = .hours(10..<21)
        #expect(!finding.mayConcern(product, paidAt: zone.start(of: date), in: zone))
    }

    /// A file of an old date came tonight, or one without a date, and an hour's credits are missing.
    @Test func whatIsFirstFoundTonightIsLookedAt() throws {
        let sold = (0..<24).map { Sold(date, $0, "coins", lost: $0 == 19 ? 9 : 0, of: 10) }
        let night = unserved(Array(repeating: 19, count: 9), of: "coins")
        let (before, later) = (history(days: 7, lost: 1), date.advanced(by: 9))
        let found = try together(night, sold, in: before, on: later)
        #expect(found.map(\.hours) == [19..<20])
        // What is on record since an earlier night was looked at then,
        let known = onRecord(night)
        #expect(try together(night, sold, in: before, on: later, known: known) == [])
        // but for what was in doubt.
        var head = HistoryHead()
        head.guarded = found
        #expect(try together(night, sold, head, in: before, on: later.advanced(by: 1), known: known) == found)
    }

    /// So many customers lack the product, the backend gave it so many times on a date so many days ago, and so many of a
    /// hundred lost orders are usual.
    @Test(
        arguments: [
            (2, 0, 0, 1, true), (1, 0, 0, 1, false),  // it is new
            (2, 0, 0, 8, false), (3, 0, 0, 8, true),  // the shop often loses orders
            (2, 1, 5, 1, false), (3, 1, 5, 1, true), (3, 1, 27, 1, true), (2, 1, 28, 1, true),
            (3, 20, 0, 1, false), (8, 20, 0, 1, true),
        ])
    func aProductThatLacksItsGoodsIsHeld(lost: Int, given: Int, daysAgo: Int, usual: Int, isHeld: Bool) throws {
        var sold = (0..<24).map { Sold(date, $0, "coins", lost: 0, of: 10) }
        sold.append(Sold(date.advanced(by: -daysAgo), 5, "pack", lost: 0, of: given))
        sold.append(Sold(date, 6, "pack", lost: lost, of: lost))
        let night = unserved((0..<lost).map { Int64($0 * 3) }, of: "pack")
        let before = history(days: 7, lost: usual)
        var head = HistoryHead()
        let found = try together(night, sold, head, in: before)
        #expect(found.map(\.detail) == (isHeld ? [.product("pack")] : []))
        #expect(found.allSatisfy { $0.count == lost && $0.date == date })
        guard isHeld else { return }
        head.releasedFindings = found
        #expect(try together(night, sold, head, in: before) == [])
        // The release says nothing about another product.
        head.releasedFindings[0].detail = .product("gem")
        #expect(try together(night, sold, head, in: before) == found)
    }

    /// Goods of the first date may be for payments of the day before, which are not on record.
    @Test(arguments: [(0, false), (-1, true)])
    func goodsOfTheFirstDateAreNotHeldForTheirPayments(first: Int, isHeld: Bool) throws {
        var head = HistoryHead()
        head.arrivals = ["c": [date.advanced(by: first)]]
        let found = try findings(counts(DateCounts(creditedNotPaid: 60, proven: 40)), head: head)
        #expect(found.map(\.kind) == (isHeld ? [.creditedNotPaid] : []))
        // With `historyFrom`, the first date is that one.
        head.arrivals = ["c": [date.advanced(by: -9)]]
        let begun = try findings(
            counts(DateCounts(creditedNotPaid: 60, proven: 40)), head: head, from: date.advanced(by: first))
        #expect(begun.map(\.kind) == (isHeld ? [.creditedNotPaid] : []))
    }

    /// The night ran at noon of the next day, and feeds end at different hours.
    @Test func aDateThatIsNotJudgedYetIsNotHeld() throws {
        let night = counts(DateCounts(uncredited: 25, proven: 30))
        #expect(try findings(night, on: date).count == 1 && findings(night, on: date.advanced(by: -1)) == [])
    }

    struct Sold {
        var date: BusinessDate
        var hour: Int
        var product: String
        var lost: Int
        var count: Int

        init(_ date: BusinessDate, _ hour: Int, _ product: String, lost: Int, of count: Int) {
            (self.date, self.hour, self.product, self.lost, self.count) = (date, hour, product, lost, count)
        }
    }

    func together(
        _ demands: [Observation], _ sold: [Sold], _ head: HistoryHead = HistoryHead(), in history: MemoryHistory,
        on night: BusinessDate = date, isFirst: Bool = false, _ purchases: PurchaseTally = PurchaseTally(),
        known: [ExceptionRecord] = []
    ) throws -> [GuardFinding] {
        var head = head
        if !isFirst {
            head.lastRun = RunRecord(
                id: 1, businessDate: date, asOf: ScenarioWorld.horizon.instant,
                horizon: ScenarioWorld.horizon.instant, policy: "", version: "")
        }
        let credits = FeedRecord(name: "c", kind: .credits, isRequired: false, isDated: true)
        let tables = Dictionary(grouping: sold, by: \.date).map { date, sold in
            var rows = PurchaseRows()
            for sold in sold {
                for number in 0..<sold.count {
                    var purchase = CountedPurchase(fate: PurchaseFate(number < sold.lost ? .lost : .withinHour))
                    (purchase.product, purchase.hour) = (Identifier(sold.product), sold.hour)
                    rows.add(purchase, of: 1)
                }
            }
            return (TableKey(date, block: 0), EncodedTable(DateTable(of: date, rows)))
        }
        let inputGuard = InputGuard(
            settings: NightSettings(policy: ScenarioWorld.policy, feeds: [ExpectedFeed(credits) { $0 == "c.csv" }]),
            history: history, head: head, demands: demands.demands, purchases: purchases, known: known,
            tables: { Dictionary(uniqueKeysWithValues: tables) })
        return try inputGuard.findings(Findings(), loaded: [], deliveries: [], arrivals: [], on: night).findings
    }

    /// Seven dates. Of the last ones, so many lack their goods at 23:00.
    private func week(of hourly: Int, _ lost: [Int]) -> [Sold] {
        (0..<7).flatMap { day in
            (0..<24).map { hour in
                let lost = hour == 23 && day < lost.count ? lost[day] : 0
                return Sold(date.advanced(by: -day), hour, "coins", lost: lost, of: hourly)
            }
        }
    }

    /// From midnight of the date, the last date first.
    private func hours(_ hour: Int64, _ lost: [Int]) -> [Int64] {
        lost.enumerated().flatMap { Array(repeating: hour - 24 * Int64($0), count: $1) }
    }

    /// What an earlier night found lost.
    private func onRecord(_ night: [Observation]) -> [ExceptionRecord] {
        var known = ExceptionRecord.blank
        known.facts = ExceptionFacts(
            verdict: .paidNotCredited, cause: .none, severity: .high, eventAt: night[0].purchasedAt!)
        known.facts.transactions = night.compactMap(\.retry?.transaction)
        return [known]
    }

    func unserved(_ hours: [Int64], of product: String) -> [Observation] {
        var night = unserved(hours).observations
        for index in night.indices {
            night[index].retry?.product = product
            night[index].retry?.transaction = "T\(index)"
        }
        return night
    }
}
