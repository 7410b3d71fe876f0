import Domain
import Testing

@testable import Engine

/// The balance of what was sold and not reported, over periods of four weeks with ten sales a day at 6.00.
@Suite struct TransitTests {
    private static let start = BusinessDate("2026-01-04")!

    private func sum(_ units: Int64, price: Int64 = 600) -> UnitsAndValue {
        UnitsAndValue(units: units, minor: units * price)
    }

    private func roll(
        _ transit: inout Transit, _ period: Int, sold: Int64 = 280, tail: Int64 = 70, reported: UnitsAndValue,
        before: Int64 = 0, isReported: Bool = true
    ) -> Transit.Outcome {
        let first = Self.start.advanced(by: 28 * period)
        var moved = Transit.Movement()
        moved.sold = sum(sold)
        moved.tail = sum(tail)
        moved.reported = reported
        moved.before = sum(before)
        moved.isReported = isReported
        return transit.roll(moved, from: first, until: first.advanced(by: 27))
    }

    private func make(prices: ClosedRange<Int64> = 600...600, collect: Int = 40) -> Transit {
        Transit(prices: prices, collectDays: collect)
    }

    @Test func whatIsInTransitOpensTheNextPeriod() {
        var transit = make()
        let first = roll(&transit, 0, reported: sum(220))
        #expect(first.closing == sum(60) && first.opening == sum(0))
        let second = roll(&transit, 1, reported: sum(290))
        #expect(second.opening == sum(60) && second.closing == sum(50))
        #expect(
            transit.aging == [InTransit(soldUntil: Self.start.advanced(by: 55), sum: sum(50))])
    }

    @Test func whatIsShortForEverIsNeverCollected() {
        var transit = make()
        // 70 are in transit in the ordinary way at each end; 60 more are short in the first period.
        _ = roll(&transit, 0, reported: sum(150))
        #expect(transit.cohorts.map(\.isLate) == [true, false])
        let second = roll(&transit, 1, reported: sum(280))
        #expect(second.closing == sum(130) && second.neverCollected == sum(0))
        // 49 days after the last day on which they can have been sold.
        let third = roll(&transit, 2, reported: sum(280))
        #expect(third.neverCollected == sum(60) && third.closing == sum(70))
        let fourth = roll(&transit, 3, reported: sum(280))
        #expect(fourth.neverCollected == sum(0) && fourth.opening == sum(70))
        #expect(transit.aging.first { $0.isNeverCollected }?.soldUntil == Self.start.advanced(by: 20))
    }

    @Test func aSaleIsNeverCollectedOnceItIsOlderThanTheTimeToCollect() {
        for (collect, expected) in [(35, 60), (36, 0)] as [(Int, Int64)] {
            var transit = make(collect: collect)
            _ = roll(&transit, 0, reported: sum(150))
            #expect(roll(&transit, 1, reported: sum(280)).neverCollected == sum(expected), "\(collect)")
        }
    }

    @Test func whatIsReportedAfterAllIsTakenBack() {
        var transit = make()
        _ = roll(&transit, 0, reported: sum(150))
        _ = roll(&transit, 1, reported: sum(280))
        _ = roll(&transit, 2, reported: sum(280))
        // All that is in transit, and 20 of those given up.
        let last = roll(&transit, 3, reported: sum(280 + 70 + 20))
        #expect(last.neverCollected == sum(-20) && last.closing == sum(0) && last.unexplained == sum(0))
        #expect(transit.aging.map(\.sum) == [sum(40)])
    }

    @Test func aSaleOfTheLastDaysThatDoesNotComeIsLateInTheNextPeriod() {
        var transit = make()
        _ = roll(&transit, 0, sold: 5, tail: 5, reported: sum(0))
        let second = roll(&transit, 1, sold: 0, tail: 0, reported: sum(0))
        #expect(second.closing == sum(5) && second.neverCollected == sum(0))
        #expect(
            transit.cohorts == [
                .init(soldUntil: Self.start.advanced(by: 27), isLate: true, sum: sum(5))
            ])
        #expect(roll(&transit, 2, sold: 0, tail: 0, reported: sum(0)).neverCollected == sum(5))
    }

    @Test func moreThanWasEverSoldIsUnexplained() {
        var transit = make()
        let first = roll(&transit, 0, reported: sum(340), before: 50)
        // At most the sales of the days before the first period can be in transit into it.
        #expect(first.opening == sum(50) && first.unexplained == sum(-10) && first.closing == sum(0))
        #expect(first.priceDifference == 0)
    }

    @Test func anotherPriceIsAPriceDifferenceAndNotTiming() {
        var transit = make()
        let first = roll(&transit, 0, reported: sum(280, price: 500))
        #expect(first.priceDifference == 28_000 && first.closing == sum(0) && first.unexplained == sum(0))
        // Units short and another price at once.
        let second = roll(&transit, 1, reported: sum(250, price: 500))
        #expect(second.priceDifference == 25_000 && second.closing == sum(30))
    }

    @Test func unitsOfSeveralPricesAreNoPriceDifference() {
        var transit = make(prices: 100...600)
        // 30 are in transit, at 1.00 each and not at their average.
        let reported = UnitsAndValue(units: 250, minor: 280 * 600 - 3000)
        let first = roll(&transit, 0, reported: reported)
        #expect(first.priceMix == -15_000 && first.priceDifference == 0)
        // More than the units in transit can explain.
        var other = make(prices: 500...600)
        #expect(roll(&other, 0, reported: reported).priceDifference == -15_000)
    }

    @Test func aRegionWhoseReportIsMissingIsNotTiming() {
        var transit = make()
        _ = roll(&transit, 0, reported: sum(260))
        let second = roll(&transit, 1, reported: sum(0), isReported: false)
        #expect(second.unexplained == sum(280) && second.closing == sum(20))
    }

    /// Opening + sold − reported is always what the outcome says, in units and in value.
    @Test func nothingIsLost() {
        for seed in UInt64(1)..<300 {
            var random = seed
            func next(_ bound: Int64) -> Int64 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int64(random >> 33) % bound
            }
            var transit = make(prices: 590...610, collect: Int(next(60)) + 1)
            var before = UnitsAndValue()
            for period in 0..<8 {
                let sold = next(100)
                let outcome = roll(
                    &transit, period, sold: sold, tail: min(sold, next(40)),
                    reported: UnitsAndValue(units: next(110), minor: next(60_000)), before: next(20),
                    isReported: next(9) > 0)
                if period > 0, before != UnitsAndValue() { #expect(outcome.opening == before) }
                before = outcome.closing
                #expect(before.units >= 0)
                let aged = transit.aging.filter { !$0.isNeverCollected }.reduce(UnitsAndValue()) { $0 + $1.sum }
                #expect(aged == outcome.closing, "seed \(seed)")
            }
        }
    }
}
