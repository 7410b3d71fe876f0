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
            ([19: 9], 1, 7, ["19:00", "20:00"]),  // an hour's rows are missing
            ([20: 5, 21: 5, 22: 5, 23: 5], 1, 7, ["20:00", "24:00"]),  // one of two servers, since 20:00
            ([7: 9, 8: 9, 12: 1], 1, 7, ["07:00", "09:00"]),
            ([19: 9], 8, 7, ["19:00", "20:00"]), ([19: 9], 30, 7, ["19:00", "20:00"]),
            ([19: 5], 8, 7, nil), ([19: 4], 1, 7, nil), ([19: 9], 1, 2, nil),
            ([1: 1, 4: 1, 9: 1, 10: 1, 15: 1, 20: 1], 1, 7, nil),  // each alone
        ] as [([Int: Int], Int, Int, [String]?)])
    func hoursThatLackTheirGoodsAreHeld(lost: [Int: Int], usual: Int, days: Int, hours: [String]?) throws {
        let night = lost.flatMap { Array(repeating: Int64($0.key), count: $0.value) }
        let sold = (0..<24).map { Sold(date, $0, "coins", lost: lost[$0] ?? 0, of: 10) }
        let before = history(days: days, lost: usual)
        var head = HistoryHead()
        let found = try together(unserved(night, of: "coins"), sold, head, in: before)
        #expect(found.map(\.ends) == (hours.map { [$0] } ?? []) && found.allSatisfy { $0.kind == .lostTogether })
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

    /// The file of an old date came tonight, and an hour's rows are missing.
    @Test func aFileThatComesLateIsLookedAt() throws {
        let sold = (0..<24).map { Sold(date, $0, "coins", lost: $0 == 19 ? 9 : 0, of: 10) }
        let (night, before) = (unserved(Array(repeating: 19, count: 9), of: "coins"), history(days: 7, lost: 1))
        #expect(try together(night, sold, in: before, on: date.advanced(by: 9)) == [])
        let late = [Arrival(feed: "c", date: date, file: "c.csv")]
        #expect(try together(night, sold, in: before, on: date.advanced(by: 9), late).map(\.date) == [date])
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
        #expect(found.map(\.product) == (isHeld ? ["pack"] : []))
        #expect(found.allSatisfy { $0.count == lost && $0.date == date && $0.ends == nil })
        guard isHeld else { return }
        head.releasedFindings = found
        #expect(try together(night, sold, head, in: before) == [])
        // The release says nothing about another product.
        head.releasedFindings[0].product = "gem"
        #expect(try together(night, sold, head, in: before) == found)
    }

    /// Goods of the first date may be for payments of the day before, which are not on record.
    @Test(arguments: [(0, false), (-1, true)])
    func goodsOfTheFirstDateAreNotHeldForTheirPayments(first: Int, isHeld: Bool) throws {
        var head = HistoryHead()
        head.arrivals = ["c": [date.advanced(by: first)]]
        let found = try findings(counts(DateCounts(creditedNotPaid: 60, proven: 40)), head: head)
        #expect(found.map(\.kind) == (isHeld ? [.creditedNotPaid] : []))
    }

    /// The night ran at noon of the next day, and feeds end at different hours.
    @Test func aDateThatIsNotJudgedYetIsNotHeld() throws {
        let night = counts(DateCounts(uncredited: 25, proven: 30))
        #expect(try findings(night, on: date).count == 1 && findings(night, on: date.advanced(by: -1)) == [])
    }

    private struct Sold {
        var date: BusinessDate
        var hour: Int
        var product: String
        var lost: Int
        var count: Int

        init(_ date: BusinessDate, _ hour: Int, _ product: String, lost: Int, of count: Int) {
            (self.date, self.hour, self.product, self.lost, self.count) = (date, hour, product, lost, count)
        }
    }

    private func together(
        _ demands: [Observation], _ sold: [Sold], _ head: HistoryHead = HistoryHead(), in history: MemoryHistory,
        on night: BusinessDate = date, _ arrivals: [Arrival] = []
    ) throws -> [GuardFinding] {
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
            history: history, head: head, demands: demands.demands,
            tables: { Dictionary(uniqueKeysWithValues: tables) })
        return try inputGuard.findings(Findings(), loaded: [], deliveries: [], arrivals: arrivals, on: night).findings
    }

    private func unserved(_ hours: [Int64], of product: String) -> [Observation] {
        var night = unserved(hours).observations
        for index in night.indices { night[index].retry?.product = product }
        return night
    }
}
