import Domain
import Testing

@testable import Engine

/// Apple's fiscal January 2026 is 2025-12-28 to 2026-01-31; the ledger's month is the calendar's.
@Suite struct BridgeTests {
    private let zone = Zone("Asia/Shanghai")!
    private let days = "12/28/2025\t01/31/2026"

    private func sales(_ units: Int64, refunded: Int64 = 0, storefront: Identifier = "CHN") -> SalesTable {
        var sales = Sales()
        sales.unitsSold = units
        sales.unitsRefunded = refunded
        sales.movements = Movements(purchases: units * 600, refunds: refunded * 600)
        return [SalesKey(product: "coins", storefront: storefront, currency: "CNY"): sales]
    }

    /// The bridge of one product: lines of sales, then of returns if there are any.
    private func bridge(
        month: SalesTable, period: SalesTable, late: SalesTable = [:], early: SalesTable = [:], apple rows: [String],
        known: Set<Identifier> = ["coins"]
    ) throws -> AppleBridge {
        let months = try months(rows)
        let windows = BridgeWindows(months, zone: zone)
        return BridgeMaker(
            months, month: month, tables: [period, late, early][...], windows: windows, known: known
        ).bridge
    }

    private func lines(
        month: SalesTable, period: SalesTable, late: SalesTable = [:], early: SalesTable = [:], apple rows: [String],
        known: Set<Identifier> = ["coins"]
    ) throws -> [BridgeLine] {
        try bridge(month: month, period: period, late: late, early: early, apple: rows, known: known).lines
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

    @Test func windowsAreApplesDaysInTheBusinessZone() throws {
        let windows = BridgeWindows(try months([apple(1)]), zone: zone)
        let (first, last) = (BusinessDate("2025-12-28")!, BusinessDate("2026-01-31")!)
        #expect(windows.periods[0].whole == zone.start(of: first)..<zone.end(of: last))
        #expect(windows.periods[0].tail == zone.start(of: BusinessDate("2026-01-25")!)..<zone.end(of: last))
        #expect(windows.before == zone.start(of: BusinessDate("2025-12-21")!)..<zone.start(of: first))
        #expect(windows.all.count == 3)
    }

    @Test func daysThatApplesPeriodHasBesidesAreExplainedExactly() throws {
        let line = try lines(month: sales(100), period: sales(110), apple: [apple(110)])[0]
        #expect(line.difference == UnitsAndValue(units: -10, minor: -6000))
        #expect(line.steps == [.fiscalDays: UnitsAndValue(units: -10, minor: -6000)])
        #expect(line.unexplained == UnitsAndValue())
    }

    @Test func whatIsNotReportedYetIsInTransit() throws {
        let line = try lines(month: sales(100), period: sales(100), late: sales(8), apple: [apple(95)])[0]
        #expect(line.steps == [.closingInTransit: UnitsAndValue(units: 5, minor: 3000)])
        #expect(line.aging.map(\.soldUntil.text) == ["2026-01-31"])
    }

    @Test func whatWasSoldBeforeAndIsReportedNowWasInTransit() throws {
        let line = try lines(month: sales(100), period: sales(100), early: sales(3), apple: [apple(105)])[0]
        #expect(line.steps == [.openingInTransit: UnitsAndValue(units: -3, minor: -1800)])
        #expect(line.unexplained == UnitsAndValue(units: -2, minor: -1200))
    }

    @Test func anotherPriceIsNamedWithProductAndCountry() throws {
        let line = try lines(month: sales(100), period: sales(100), late: sales(8), apple: [apple(100, price: "5.00")])[
            0]
        #expect(line.steps == [.priceDifference: UnitsAndValue(minor: 10_000)])
        #expect(line.product == "coins" && line.country == "CN")
    }

    @Test func returnsAreNegativeOnBothSidesAndMayComeLater() throws {
        let found = try lines(
            month: sales(10, refunded: 4), period: sales(10, refunded: 4), late: sales(0, refunded: 1),
            apple: [apple(10), apple(-3)])
        #expect(found.map(\.kind) == [.sales, .returns])
        #expect(found[1].ledger == UnitsAndValue(units: -4, minor: -2400))
        #expect(found[1].steps == [.closingInTransit: UnitsAndValue(units: -1, minor: -600)])
        #expect(found[1].unexplained == UnitsAndValue())
    }

    @Test func aRefundThatAppleTookBackIsListedAsASale() throws {
        var period = sales(10)
        period["coins", "CHN", "CNY"].unitsRefundReversed = 1
        period["coins", "CHN", "CNY"].movements.refundReversals = 600
        let line = try lines(month: period, period: period, apple: [apple(11)])[0]
        #expect(line.steps == [.refundReversed: UnitsAndValue(units: -1, minor: -600)])
        #expect(line.unexplained == UnitsAndValue())
    }

    @Test func aProductThatTheLedgerNeverSawIsNamedAsSuch() throws {
        let found = try lines(month: sales(1), period: sales(1), apple: [apple(1), apple(7, "sticker_pack")])
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
            let found = try lines(
                month: sales(next(50), refunded: next(9)), period: sales(next(50), refunded: next(9)),
                late: sales(next(9), refunded: next(5)), early: sales(next(9), refunded: next(5)),
                apple: [apple(Int(next(50))), apple(-1 - Int(next(9)))])
            for line in found { #expect(line.explained + line.unexplained == line.difference, "seed \(seed)") }
        }
    }

    @Test func theRollForwardAddsUp() throws {
        let bridge = try bridge(
            month: sales(100, refunded: 2), period: sales(100, refunded: 2), late: sales(8),
            apple: [apple(95), apple(-1), apple(7, "sticker_pack")])
        #expect(bridge.rollForward.map(\.kind) == [.sales, .returns])
        for line in bridge.rollForward { #expect(line.rest == UnitsAndValue()) }
        #expect(bridge.rollForward[0].unknownProduct == UnitsAndValue(units: -7, minor: -4200))
        #expect(bridge.rollForward[0].reported == UnitsAndValue(units: 102, minor: 61_200))
    }

    @Test func thePartnerShareIsShownBesideTheCustomerPrice() throws {
        let bridge = try bridge(month: sales(100), period: sales(100), apple: [apple(100), apple(-1)])
        let line = try #require(bridge.proceeds.first)
        #expect(line.units == 99 && line.customer == 59_400 && line.partner == 9900 && line.kept == 49_500)
    }

    @Test func countriesAreComparedByTheirTwoLetters() throws {
        let line = try lines(
            month: sales(5, storefront: "JPN"), period: sales(5, storefront: "JPN"), apple: [apple(5, country: "JP")])
        #expect(line.count == 1 && line[0].country == "JP" && line[0].difference == UnitsAndValue())
    }
}

extension SalesTable {
    fileprivate subscript(product: Identifier, storefront: Identifier, currency: Currency) -> Sales {
        get { self[SalesKey(product: product, storefront: storefront, currency: currency)] ?? Sales() }
        set { self[SalesKey(product: product, storefront: storefront, currency: currency)] = newValue }
    }
}
