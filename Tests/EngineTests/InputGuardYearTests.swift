import Domain
import Testing

@testable import Engine
@testable import Reference

/// Small shops, whose few purchases a day chance alone can make look like a wrong file.
extension InputGuardTests {
    /// The night tells of 60 purchases in a break of the goods on record, and holds nothing for them.
    @Test(arguments: [(0, 60, false), (0, 100, false), (20, 100, false), (21, 100, true)])
    func purchasesInABreakHoldNoDate(uncredited: Int, proven: Int, isHeld: Bool) throws {
        let found = try findings(counts(DateCounts(uncredited: uncredited, inBreak: 60, proven: proven)))
        #expect(found.map(\.total) == (isHeld ? [40] : []))
    }

    /// A year of shops that lose 1 to 5 % of their orders by chance. Some sell nothing at the weekend. A person releases what is
    /// found.
    @Test func aSmallShopIsHeldWithoutNeedLessThanOnceInTwoYears() throws {
        var random = SplitMix64(seed: 690)
        var (held, shops) = (0, 0)
        for daily in [1, 2, 4, 9, 20] {
            for lost in [1, 5] {
                for rests in [false, true] {
                    var shop = ShopYear(daily: daily, lost: lost, rests: rests, random: random)
                    let nights = try (0..<365).count { night in
                        shop.sell(on: date.advanced(by: night))
                        let found = try findings(shop)
                        shop.record()
                        shop.head.releasedFindings += found
                        return !found.isEmpty
                    }
                    #expect(nights <= 3, "\(daily) a day, \(lost) % lost, rests: \(rests)")
                    (held, shops, random) = (held + nights, shops + 1, shop.random)
                }
            }
        }
        #expect(held * 2 < shops, "\(held) nights in \(shops) years")
    }

    /// Credits files of quiet shops, empty on any night with sales.
    @Test(arguments: [3, 5, 9, 15])
    func anEmptyCreditsFileOfASmallShopIsHeld(daily: Int) throws {
        var shop = ShopYear(daily: daily, lost: 1, rests: false, random: SplitMix64(seed: 691))
        for night in 0..<90 {
            shop.sell(on: date.advanced(by: night))
            if night >= 28, shop.days[night].sold > 0 {
                #expect(try !findings(shop, isEmpty: true).isEmpty, "night \(night): \(shop.days[night])")
            }
            shop.record()
        }
    }

    /// As many are left out each night as are not found.
    @Test(arguments: [(3, 2), (6, 3), (10, 5), (14, 6), (19, 7)])
    func whatIsLeftOutEachNightDoesNotBecomeUsual(daily: Int, most: Int) throws {
        for usual in [0, most] {
            let history = history(days: 7, lost: usual, of: daily)
            let unnoticed = try (0...daily).filter {
                try findings(counts(DateCounts(uncredited: $0, proven: daily)), in: history).isEmpty
            }
            #expect(unnoticed == Array(0...most), "\(usual) of \(daily) on the days before")
        }
    }

    /// The first night of a small shop of whose orders none names a payment: nobody knows whose the purchases are.
    @Test(arguments: [10, 15, 19], [false, true]) func purchasesWithoutAKnownAccountCountEach(
        daily: Int, isOneSubscription: Bool
    ) throws {
        var night = Findings()
        for day in 0..<5 {
            night.dates[date.advanced(by: -day)] = DateCounts(uncredited: daily, proven: daily)
            let noon = ScenarioWorld.policy.zone.start(of: date.advanced(by: -day)) + .hours(12)
            night.observations += (1...daily).map { number in
                let id = "T\(day * 100 + number)"
                let subject = SubjectKey(.transaction, Identifier(id))
                let judgement = Judgement(subject: subject, verdict: .paidNotCredited, cause: .noOrder, anchor: noon)
                var facts = ExceptionFacts(verdict: .paidNotCredited, cause: .noOrder, severity: .high, eventAt: noon)
                facts.originals = [isOneSubscription ? "T0" : id]
                return Observation(caseID: 1, judgement: judgement, facts: facts, aliases: [], news: [])
            }
        }
        #expect(try findings(night).count == (isOneSubscription ? 0 : 5))
    }

    private func findings(_ shop: ShopYear, isEmpty: Bool = false) throws -> [GuardFinding] {
        let (day, feed) = (shop.days.last!, ExpectedFeed(shop.feed) { _ in true })
        var (delivered, night) = (Delivered(), Findings())
        delivered.deliveries = [Delivery(1, .credits, shop.today, rows: isEmpty ? 0 : shop.rows)]
        delivered.arrivals = [Arrival(feed: shop.feed.name, date: shop.today, file: "")]
        night.dates[shop.today] = DateCounts(uncredited: isEmpty ? day.sold : day.lost, proven: day.sold)
        return try findings(night, delivered, head: shop.head, feeds: [feed], in: shop.history, on: shop.today)
    }
}

/// A shop whose credits files repeat the rows of the two days before.
private struct ShopYear {
    /// Of how many purchases a day, and how many of a hundred are lost.
    let daily: Int, lost: Int
    let rests: Bool
    var random: SplitMix64
    var days: [(sold: Int, lost: Int)] = []
    var head = HistoryHead()
    let history = MemoryHistory()
    let feed = FeedRecord(name: "c", kind: .credits, isRequired: true, isDated: true)

    init(daily: Int, lost: Int, rests: Bool, random: SplitMix64) {
        (self.daily, self.lost, self.rests, self.random) = (daily, lost, rests, random)
        head.lastRun = RunRecord(
            id: 1, businessDate: date.advanced(by: -1), asOf: ScenarioWorld.horizon.instant,
            horizon: ScenarioWorld.horizon.instant, policy: "", version: "")
    }

    /// A shop of a hundred customers. Each of them may buy something.
    mutating func sell(on date: BusinessDate) {
        let isResting = rests && [5, 6].contains(date.day % 7)
        let sold = isResting ? 0 : (0..<100).count { _ in Int.random(in: 0..<100, using: &random) < daily }
        days.append((sold, (0..<sold).count { _ in Int.random(in: 0..<100, using: &random) < lost }))
    }

    var today: BusinessDate { date.advanced(by: days.count - 1) }
    var rows: Int { days.suffix(3).reduce(0) { $0 + $1.sold - $1.lost } }

    /// Puts today on record.
    mutating func record() {
        history.deliveries = Array(history.deliveries.suffix(28)) + [Delivery(1, .credits, today, rows: rows)]
        head.arrivals[feed.name, default: []].insert(today)
        let day = days.last!
        for (fulfilment, count) in [(Fulfilment.lost, day.lost), (.withinHour, day.sold - day.lost)] {
            for _ in 0..<count { history.knownPurchases.add(PurchaseOutcome(today, fulfilment), nil) }
        }
    }
}

private let date = ScenarioWorld.date
