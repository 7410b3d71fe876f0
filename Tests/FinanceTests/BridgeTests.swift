import Domain
import Testing

@testable import Engine

/// Apple's fiscal January 2026 is 2025-12-28 to 2026-01-31; the ledger's month is the calendar's.
@Suite struct BridgeTests {
    private let zone = Zone("Asia/Shanghai")!
    private let days = "12/28/2025\t01/31/2026"

    private func sales(_ units: Int64, refunded: Int64 = 0, free: Int64 = 0, reversed: Int64 = 0) -> DaySales {
        var sales = DaySales()
        let priced = { (units: Int64) in [PiecePrice(minor: 600): UnitsAndValue(units: units, minor: units * 600)] }
        (sales.sold, sales.refunded, sales.reversed) = (priced(units), priced(refunded), priced(reversed))
        sales.freeSold = free
        return sales
    }

    /// The bridge of one product: lines of sales, then of returns if there are any.
    ///
    /// - Parameters:
    ///   - outside: days of the period that are not the month's.
    ///   - late: the part of `month` in the period's last days.
    ///   - early: the days before the period.
    private func bridge(
        month: DaySales, outside: DaySales = DaySales(), late: DaySales = DaySales(), early: DaySales = DaySales(),
        storefront: Identifier = "CHN", apple rows: [String], known: Set<Identifier> = ["coins"]
    ) throws -> AppleBridge {
        let days = [("2025-12-24", early), ("2025-12-29", outside), ("2026-01-10", month), ("2026-01-28", late)]
        let table = Dictionary(uniqueKeysWithValues: days.map { (BusinessDate($0)!, $1) })
        return BridgeMaker(
            try months(rows), month: Period(calendarMonth: "2026-01")!,
            days: [SalesKey(product: "coins", storefront: storefront, currency: "CNY"): table], known: known
        ).bridge
    }

    private func months(_ rows: [String]) throws -> AppleMonths {
        try #require(
            AppleMonths([AppleReport(appleReport(rows, totals: appleTotals(rows)))], collectDays: 40))
    }

    private func apple(_ units: Int, _ product: String = "coins", country: String = "CN", price: String = "6.00")
        -> String
    {
        let total = "\(units).00"
        return appleRow(product, units, price: price, share: "1.00", total: total, "CNY", country, days: days)
    }

    @Test func daysAreThoseOfTheMonthOfAllPeriodsAndAWeekBefore() throws {
        let months = try months([apple(1)])
        let january = try #require(Period(calendarMonth: "2026-01"))
        #expect(months.days(with: january) == BusinessDate("2025-12-21")!...BusinessDate("2026-02-01")!)
        #expect(months.days(with: try #require(Period(calendarMonth: "2026-02"))).upperBound.text == "2026-02-28")
        let scope = MonthScope(january, policy: Policy(), days: months.days(with: january))
        let zone = scope.policy.zone
        #expect(scope.day(of: zone.start(of: BusinessDate("2025-12-21")!)) == BusinessDate("2025-12-21")!)
        #expect(scope.day(of: zone.end(of: BusinessDate("2026-02-01")!)) == nil)
    }

    @Test func daysThatApplesPeriodHasBesidesAreExplainedExactly() throws {
        let line = try bridge(month: sales(100), outside: sales(10), apple: [apple(110)]).lines[0]
        #expect(line.difference == UnitsAndValue(units: -10, minor: -6000))
        #expect(line.steps == [.fiscalDays: UnitsAndValue(units: -10, minor: -6000)])
        #expect(line.unexplained == UnitsAndValue())
    }

    @Test func whatIsNotReportedYetIsInTransit() throws {
        let line = try bridge(month: sales(92), late: sales(8), apple: [apple(95)]).lines[0]
        #expect(line.steps == [.closingInTransit: UnitsAndValue(units: 5, minor: 3000)])
        #expect(line.aging.map(\.soldUntil.text) == ["2026-01-28"])
    }

    @Test func whatWasSoldBeforeAndIsReportedNowWasInTransit() throws {
        let line = try bridge(month: sales(100), early: sales(3), apple: [apple(105)]).lines[0]
        #expect(line.steps == [.openingInTransit: UnitsAndValue(units: -3, minor: -1800)])
        #expect(line.unexplained == UnitsAndValue(units: -2, minor: -1200))
    }

    @Test func anotherPriceIsNamedWithProductAndCountry() throws {
        let line = try bridge(month: sales(92), late: sales(8), apple: [apple(100, price: "5.00")]).lines[0]
        #expect(line.steps == [.priceDifference: UnitsAndValue(minor: 10_000)])
        #expect(line.product == "coins" && line.country == "CN")
    }

    @Test func returnsAreNegativeOnBothSidesAndMayComeLater() throws {
        let found = try bridge(
            month: sales(10, refunded: 3), late: sales(0, refunded: 1), apple: [apple(10), apple(-3)]
        ).lines
        #expect(found.map(\.kind) == [.sales, .returns])
        #expect(found[1].ledger == UnitsAndValue(units: -4, minor: -2400))
        #expect(found[1].steps == [.closingInTransit: UnitsAndValue(units: -1, minor: -600)])
        #expect(found[1].unexplained == UnitsAndValue())
    }

    @Test func aRefundThatAppleTookBackIsListedAsASale() throws {
        let line = try bridge(month: sales(10, reversed: 1), apple: [apple(11)]).lines[0]
        #expect(line.steps == [.refundReversed: UnitsAndValue(units: -1, minor: -600)])
        #expect(line.unexplained == UnitsAndValue())
    }

    @Test func aProductThatTheLedgerNeverSawIsNamedAsSuch() throws {
        let found = try bridge(month: sales(1), apple: [apple(1), apple(7, "sticker_pack")]).lines
        #expect(found[1].product == "sticker_pack")
        #expect(found[1].steps == [.unknownProduct: UnitsAndValue(units: -7, minor: -4200)])
        #expect(found[1].unexplained == UnitsAndValue())
    }

    @Test func whatIsExplainedAndTheRestAlwaysComeToTheDifference() throws {
        for seed in UInt64(0)..<200 {
            var random = seed
            func next(_ bound: Int64) -> Int64 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int64(random >> 33) % bound
            }
            let found = try bridge(
                month: sales(next(50), refunded: next(9), free: next(5), reversed: next(3)),
                outside: sales(next(50), refunded: next(9)), late: sales(next(9), refunded: next(5)),
                early: sales(next(9), refunded: next(5)), apple: [apple(Int(next(50))), apple(-1 - Int(next(9)))]
            ).lines
            for line in found { #expect(line.explained + line.unexplained == line.difference, "seed \(seed)") }
        }
    }

    @Test func theRollForwardAddsUp() throws {
        let bridge = try bridge(
            month: sales(92, refunded: 2), late: sales(8),
            apple: [apple(95), apple(-1), apple(7, "sticker_pack")])
        #expect(bridge.rollForward.map(\.kind) == [.sales, .returns])
        for line in bridge.rollForward { #expect(line.rest == UnitsAndValue()) }
        #expect(bridge.rollForward[0].unknownProduct == UnitsAndValue(units: -7, minor: -4200))
        #expect(bridge.rollForward[0].reported == UnitsAndValue(units: 102, minor: 61_200))
    }

    @Test func thePartnerShareIsShownBesideTheCustomerPrice() throws {
        let bridge = try bridge(month: sales(100), apple: [apple(100), apple(-1)])
        let line = try #require(bridge.proceeds.first)
        #expect(line.units == 99 && line.customer == 59_400 && line.partner == 9900 && line.kept == 49_500)
    }

    @Test func countriesAreComparedByTheirTwoLetters() throws {
        let line = try bridge(month: sales(5), storefront: "JPN", apple: [apple(5, country: "JP")]).lines
        #expect(line.count == 1 && line[0].country == "JP" && line[0].difference == UnitsAndValue())
    }

    /// 90 of Chinese customers and 10 of a client that names no storefront. Apple has a country for each of its 100.
    @Test(
        arguments: [("6.00", 100, 0, 0), ("5.00", 100, 10_000, 0), ("6.00", 103, 0, -1800)]
            as [(String, Int, Int64, Int64)])
    func purchasesWithoutAStorefrontAreComparedInAllCountriesTogether(
        price: String, reported: Int, priceDifference: Int64, unexplained: Int64
    ) throws {
        let day = { (units: Int64) in [BusinessDate("2026-01-10")!: self.sales(units)] }
        let days = [
            SalesKey(product: "coins", storefront: "CHN", currency: "CNY"): day(90),
            SalesKey(product: "coins", storefront: .absent, currency: "CNY"): day(10),
            SalesKey(product: "coins", storefront: "USA", currency: "USD"): day(1),
            SalesKey(product: "gems", storefront: "CHN", currency: "CNY"): day(1),
        ]
        let dollar = appleRow("coins", 1, price: "6.00", share: "1.00", total: "1.00", "USD", "US", days: self.days)
        let lines = BridgeMaker(
            try months([
                apple(reported - 5, price: price), apple(5, country: "HK", price: price), apple(1, "gems"), dollar,
            ]),
            month: Period(calendarMonth: "2026-01")!, days: days, known: ["coins", "gems"]
        ).bridge.lines
        #expect(lines.map(\.product) == ["coins", "coins", "gems"])
        // The countries of another currency and of another product stay apart.
        #expect(lines.map(\.country) == ["", "US", "CN"])
        #expect(lines[0].ledger.units == 100 && lines[0].apple.units == Int64(reported))
        #expect(lines[0].steps[.priceDifference]?.minor ?? 0 == priceDifference)
        #expect(lines[0].unexplained.minor == unexplained && lines[0].aging.isEmpty)
        #expect(lines[0].explained + lines[0].unexplained == lines[0].difference)
    }

    /// Free trials, of which Apple reports nothing, and promotional codes at 0.00.
    @Test func unitsAtPriceZeroAreNoMoney() throws {
        let promo = appleRow("coins", 2, price: "0.00", share: "0.00", total: "0.00", "CNY", "CN", days: days)
        let line = try bridge(month: sales(100, free: 30), apple: [apple(100), promo]).lines[0]
        #expect(line.ledger == UnitsAndValue(units: 130, minor: 60_000) && line.apple.units == 102)
        #expect(line.steps == [.free: UnitsAndValue(units: 28)])
        #expect(line.aging.isEmpty && line.unexplained == UnitsAndValue())
    }

    /// A refund of 40 % is one return of Apple's, and no whole piece of the ledger's.
    @Test func aRefundOfAShareIsAReturn() throws {
        var sales = DaySales()
        let at = zone.start(of: BusinessDate("2026-01-10")!)
        for (kind, minor, units) in [(.purchase, 2500, 1), (.refund, 1000, 0), (.refund, 0, 1)]
            as [(Leg.Kind, Int64, Int64)]
        {
            let value = Money(minor: minor, currency: "CNY")
            sales.add(Leg(kind: kind, at: at, value: value, units: units), isStated: true)
        }
        let share = PiecePrice(minor: 1000, isStated: false, isShare: true)
        #expect(sales.refunded == [share: UnitsAndValue(units: 1, minor: 1000)] && sales.freeRefunded == 1)
        let refund = appleRow("coins", -1, price: "-10.00", share: "7.00", total: "-7.00", "CNY", "CN", days: days)
        let sale = appleRow("coins", 1, price: "25.00", share: "7.00", total: "7.00", "CNY", "CN", days: days)
        let found = try bridge(month: sales, apple: [sale, refund]).lines
        #expect(found.map(\.unexplained) == [UnitsAndValue(), UnitsAndValue()])
        #expect(found[1].steps == [.free: UnitsAndValue(units: -1)] && found[1].difference.minor == 0)
    }

    /// Four of Apple's months, in which each sale arrives after some days, and some sales of the first month never do.
    private func fourMonths(
        _ sold: [String: (BusinessDate) -> Int64], after delay: Int, missing: [String: Int64]
    ) throws -> [BridgeLine] {
        let starts = ["2025-09-28", "2025-11-02", "2025-11-30", "2025-12-28", "2026-02-01"].map { BusinessDate($0)! }
        let reports = try (0..<4).map { index in
            let (first, last) = (starts[index], starts[index + 1].advanced(by: -1))
            let dates = [first, last].map { date in
                let (year, month, day) = date.yearMonthDay
                return "\(padded(month, 2))/\(padded(day, 2))/\(year)"
            }.joined(separator: "\t")
            let rows = sold.sorted { $0.key < $1.key }.map { product, sold in
                let days = max(first.advanced(by: -delay), starts[0]).day...last.advanced(by: -delay).day
                let units = days.reduce(index == 0 ? -(missing[product] ?? 0) : 0) { $0 + sold(BusinessDate(day: $1)) }
                return appleRow(
                    product, Int(units), price: "6.00", share: "1.00", total: "\(units).00", "CNY", "CN", days: dates)
            }
            return try AppleReport(appleReport(rows, totals: appleTotals(rows)))
        }
        let days = sold.map { product, sold in
            let table = (starts[0].day..<starts[4].day).map {
                (BusinessDate(day: $0), sales(sold(BusinessDate(day: $0))))
            }
            return (
                SalesKey(product: Identifier(product), storefront: "CHN", currency: "CNY"),
                Dictionary(uniqueKeysWithValues: table)
            )
        }
        return BridgeMaker(
            try #require(AppleMonths(reports, collectDays: 400)),
            month: try #require(Period(calendarMonth: "2026-01")), days: Dictionary(uniqueKeysWithValues: days),
            known: Set(sold.keys.map { Identifier($0) })
        ).bridge.lines
    }

    /// 10 coins a day arrive after two days, 10 gems as well, and 3 gems of the first month never do.
    @Test func whatNeverArrivesIsToldByTheUsualDelay() throws {
        for (hole, expected) in [(13, 3), (0, 0)] as [(Int64, Int64)] {
            let lines = try fourMonths(["coins": { _ in 10 }, "gems": { _ in 10 }], after: 2, missing: ["gems": hole])
            // A day more than the usual two is no hole.
            #expect(lines.map(\.steady.units) == [0, expected])
            #expect(lines[1].aging.map(\.sum.units).reduce(0, +) == 20 + hole)
        }
    }

    /// A pass is sold every tenth day, so that none is in transit at most closings. That says nothing of Apple's delay.
    @Test func aProductThatIsSeldomSoldTellsNoDelay() throws {
        let start = BusinessDate("2026-01-01")!.day
        let lines = try fourMonths(
            ["coins": { _ in 2 }, "pass": { ($0.day - start) % 10 == 0 ? 1 : 0 }], after: 3, missing: [:])
        #expect(lines.map(\.steady.units) == [0, 0])
        #expect(lines[0].aging.map(\.sum.units) == [6])
    }
}
