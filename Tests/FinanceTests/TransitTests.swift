import Domain
import Testing

@testable import Engine

/// The balance of what was sold and not reported, over periods of four weeks with ten sales a day at 6.00.
@Suite struct TransitTests {
    private static let start = BusinessDate("2026-01-04")!

    private func sum(_ units: Int64, price: Int64 = 600) -> UnitsAndValue {
        UnitsAndValue(units: units, minor: units * price)
    }

    /// - Parameters:
    ///   - tail: how many of `sold` are sold in the last seven days. Both parts are spread evenly over their days.
    ///   - dated: units by day of sale from the period's first day, where Apple's report states them.
    private func roll(
        _ transit: inout Transit, _ period: Int, sold: Int64 = 280, tail: Int64 = 70, reported: UnitsAndValue,
        before: Int64 = 0, isReported: Bool = true, dated: [Int: Int64] = [:], rows: Int64 = 0
    ) -> Transit.Outcome {
        let first = Self.start.advanced(by: 28 * period)
        var moved = Transit.Movement()
        moved.sold = days(sold - tail, first, 21) + days(tail, first.advanced(by: 21), 7)
        let stated = dated.sorted { $0.key < $1.key }.map {
            AppleUnits(soldOn: first.advanced(by: $0.key), price: 600, sum: sum($0.value))
        }
        let rest = reported - stated.total
        moved.reported = stated + (rest == .zero ? [] : [AppleUnits(price: rest.minor / max(1, rest.units), sum: rest)])
        moved.rows = rows
        moved.before = days(before, first.advanced(by: -7), 7)
        moved.isReported = isReported
        return transit.roll(moved, from: first, until: first.advanced(by: 27))
    }

    private func days(_ units: Int64, _ first: BusinessDate, _ count: Int, price: Int64 = 600) -> [Transit.Cohort] {
        (0..<Int64(count)).map { day in
            let own = units * (day + 1) / Int64(count) - units * day / Int64(count)
            return sold(own, first.advanced(by: Int(day)), price: price)
        }.filter { $0.sum.units > 0 }
    }

    private func sold(
        _ units: Int64, _ day: BusinessDate, price: Int64 = 600, isLate: Bool = false, isStated: Bool = true
    ) -> Transit.Cohort {
        let price = PiecePrice(minor: price, isStated: isStated)
        return Transit.Cohort(soldOn: day, price: price, isLate: isLate, sum: sum(units, price: price.minor))
    }

    /// Rolls the first period. Sales and Apple's rows are given as day, from the period's first one, units and price.
    private func roll(
        _ transit: inout Transit, sold: [(day: Int, units: Int64, price: Int64)],
        apple: [(day: Int?, units: Int64, price: Int64)], isStated: Bool = true
    ) -> Transit.Outcome {
        var moved = Transit.Movement()
        moved.sold = sold.sorted { $0.day < $1.day }.map {
            self.sold($0.units, Self.start.advanced(by: $0.day), price: $0.price, isStated: isStated)
        }
        moved.reported = apple.map { day, units, price in
            AppleUnits(soldOn: day.map { Self.start.advanced(by: $0) }, price: price, sum: sum(units, price: price))
        }
        moved.rows = Int64(apple.count)
        return transit.roll(moved, from: Self.start, until: Self.start.advanced(by: 27))
    }

    private func make(prices: Set<Int64> = [600], collect: Int = 40) -> Transit {
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
        #expect(transit.aging.map(\.isLate) == Array(repeating: true, count: 6) + [false])
        // The youngest that they can be were sold from day 15 to day 20. Day 15 is 40 days before the period's end.
        let second = roll(&transit, 1, reported: sum(280))
        #expect(second.closing == sum(120) && second.neverCollected == sum(10))
        let third = roll(&transit, 2, reported: sum(280))
        #expect(third.neverCollected == sum(50) && third.closing == sum(70))
        let fourth = roll(&transit, 3, reported: sum(280))
        #expect(fourth.neverCollected == sum(0) && fourth.opening == sum(70))
        #expect(
            transit.aging.filter(\.isNeverCollected).map(\.soldUntil) == (15...20).map { Self.start.advanced(by: $0) })
    }

    @Test func aSaleIsNeverCollectedOnceItIsOlderThanTheTimeToCollect() {
        for (collect, expected) in [(35, 60), (36, 50), (41, 0)] as [(Int, Int64)] {
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
        #expect(transit.aging.map(\.sum) == Array(repeating: sum(10), count: 4))
    }

    @Test func aSaleOfTheLastDaysThatDoesNotComeIsLateInTheNextPeriod() {
        var transit = make()
        _ = roll(&transit, 0, sold: 7, tail: 7, reported: sum(2))
        let second = roll(&transit, 1, sold: 0, tail: 0, reported: sum(0))
        #expect(second.closing == sum(5) && second.neverCollected == sum(0))
        #expect(
            transit.cohorts
                == (23...27).map { sold(1, Self.start.advanced(by: $0), isLate: true) })
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
        // 30 of the last week are in transit, at 1.00 each and not at their average.
        let sales: [(day: Int, units: Int64, price: Int64)] = [(3, 200, 600), (24, 50, 600), (24, 30, 100)]
        var transit = make(prices: [100, 600])
        let first = roll(&transit, sold: sales, apple: [(nil, 250, 600)])
        #expect(first.rounding == 0 && first.priceDifference == 0 && first.unexplained == .zero)
        #expect(first.closing == sum(30, price: 100))
        // A price that the ledger does not have is another price of what is nearest to it.
        var other = make(prices: [100, 600])
        let second = roll(&other, sold: sales, apple: [(nil, 250, 500)])
        #expect(second.priceDifference == 25_000 && second.closing == sum(30, price: 100))
    }

    /// An introductory offer at 1.00, renewals at 25.00. Apple has two renewals and the ledger one.
    @Test(arguments: [nil, 18] as [Int?]) func aSaleThatTheLedgerLacksIsUnexplainedAtItsPrice(day: Int?) {
        let sales = (14...24).map { (day: $0, units: Int64(1), price: Int64(100)) } + [(day: 15, units: 1, price: 2500)]
        let apples = sales.filter { $0.day < 23 }.map {
            (day: day == nil ? nil : Int?.some($0.day), $0.units, $0.price)
        }
        var transit = make(prices: [100, 2500])
        let outcome = roll(&transit, sold: sales, apple: apples + [(day, 1, 2500)])
        #expect(outcome.unexplained == UnitsAndValue(units: -1, minor: -2500))
        #expect(outcome.priceDifference == 0 && outcome.rounding == 0)
        #expect(outcome.closing == sum(2, price: 100), "two offers of the last days are in transit")
    }

    /// Two offers at half the price are in transit. The value agrees by chance.
    @Test func twoUnitsInTransitAreNotOneThatTheLedgerLacks() {
        var transit = make(prices: [300, 600])
        let outcome = roll(&transit, sold: [(4, 5, 600), (25, 2, 300)], apple: [(nil, 6, 600)])
        #expect(outcome.unexplained == sum(-1) && outcome.closing == sum(2, price: 300))
    }

    @Test func aSaleOfTheDaysBeforeTheFirstPeriodIsOnlyThatOfItsPrice() {
        var transit = make(prices: [100, 2500])
        var moved = Transit.Movement()
        moved.before = [sold(3, Self.start.advanced(by: -2), price: 100)]
        moved.sold = [
            sold(4, Self.start.advanced(by: 5), price: 100), sold(1, Self.start.advanced(by: 6), price: 2500),
        ]
        moved.reported = [
            AppleUnits(price: 100, sum: sum(5, price: 100)), AppleUnits(price: 2500, sum: sum(2, price: 2500)),
        ]
        let outcome = transit.roll(moved, from: Self.start, until: Self.start.advanced(by: 27))
        #expect(outcome.opening == sum(1, price: 100) && outcome.unexplained == sum(-1, price: 2500))
        #expect(outcome.closing == .zero)
    }

    /// The order or the product list says 25.00, and Apple's record has no price; others were sold at 1.00 by Apple's records.
    @Test(arguments: [nil, 9] as [Int?]) func anEstimateMayBeAnyPriceOfApples(day: Int?) {
        var transit = make(prices: [100, 2500])
        let outcome = roll(&transit, sold: [(9, 3, 2500)], apple: [(day, 3, 100)], isStated: false)
        #expect(outcome.priceDifference == 7200 && outcome.unexplained == .zero && outcome.closing == .zero)
    }

    /// 6.00 until the 15th, 7.00 since. Apple's region with tax of its own has neither price.
    @Test func aPriceThatRoseWithinTheMonthStaysQuiet() {
        let sales: [(day: Int, units: Int64, price: Int64)] = [(3, 20, 600), (18, 20, 700), (25, 5, 700)]
        var transit = make(prices: [600, 700])
        let own = roll(&transit, sold: sales, apple: [(nil, 20, 600), (nil, 22, 700)])
        #expect(own.closing == sum(3, price: 700) && own.priceDifference == 0 && own.unexplained == .zero)
        var other = make(prices: [600, 700])
        let taxed = roll(&other, sold: sales, apple: [(nil, 20, 550), (nil, 22, 640)])
        #expect(taxed.closing == sum(3, price: 700) && taxed.priceDifference == 20 * 50 + 22 * 60)
        #expect(taxed.unexplained == .zero)
    }

    @Test func aRegionWhoseReportIsMissingIsNotTiming() {
        var transit = make()
        _ = roll(&transit, 0, reported: sum(260))
        let second = roll(&transit, 1, reported: sum(0), isReported: false)
        #expect(second.unexplained == sum(280) && second.closing == sum(20))
    }

    /// Ten sales a day, of which those of three days never arrive: fewer than the last seven days sell.
    @Test func aDetailReportShowsASteadyHole() {
        var transit = make()
        // The first period but days 5 to 7 and the last two days; then those two days, and all but the last two days.
        let whole = Dictionary(uniqueKeysWithValues: (0...25).map { ($0, Int64(10)) })
        _ = roll(&transit, 0, reported: sum(230), dated: whole.filter { !(5...7).contains($0.key) })
        #expect(transit.aging.filter(\.isLate).map(\.soldUntil) == (5...7).map { Self.start.advanced(by: $0) })
        #expect(transit.ordinary == sum(20))
        let late = whole.merging([-2: 10, -1: 10]) { $1 }
        let second = roll(&transit, 1, reported: sum(280), dated: late)
        #expect(second.neverCollected == sum(30) && second.closing == sum(20) && second.unexplained == sum(0))
        // Without the hours of the sales, the day before is another sale's.
        let moved = Dictionary(uniqueKeysWithValues: late.map { ($0.key - 1, $0.value) })
        let third = roll(&transit, 2, reported: sum(280), dated: moved)
        #expect(third.closing == sum(30) && third.unexplained == sum(-10))
    }

    @Test func aDatedSaleThatTheLedgerLacksIsNoOtherDaysSale() {
        var transit = make()
        let sold = Dictionary(uniqueKeysWithValues: (0...26).map { ($0, Int64(10)) })
        let first = roll(&transit, 0, reported: sum(281), dated: sold.merging([8: 31, 9: 0]) { $1 })
        // What is too much on the eighth day takes nothing from the days around.
        #expect(first.unexplained.units == -21 && first.closing == sum(20))
        let lost = [5: Int64(0)]
        var other = make(collect: 20)
        let second = roll(&other, 0, reported: sum(270), dated: sold.merging(lost) { $1 }.merging([27: 10]) { $1 })
        #expect(second.neverCollected == sum(10) && second.unexplained.units == 0)
        let third = roll(&other, 1, reported: sum(290), dated: sold.merging([27: 10, -23: 10]) { $1 })
        #expect(third.neverCollected == sum(-10) && third.unexplained.units == 0, "the very sale came after all")
    }

    @Test func aReturnThatTheLedgerLacksIsUnexplainedAtItsPrice() {
        for prices in [[100, 2500], [100]] as [Set<Int64>] {
            var transit = make(prices: prices)
            let returns = (0..<9).map { (day: $0, units: Int64(1), price: Int64(100)) }
            let outcome = roll(&transit, sold: returns, apple: [(nil, 9, 100), (nil, 1, 2500)])
            #expect(outcome.unexplained == sum(-1, price: 2500) && outcome.rounding == 0)
            #expect(outcome.priceDifference == 0 && outcome.closing == .zero)
        }
    }

    @Test func whatADetailReportDatesBeforeTheFirstPeriodWasInTransit() {
        var transit = make()
        let dated = Dictionary(uniqueKeysWithValues: (-2...25).map { ($0, Int64(10)) })
        let first = roll(&transit, 0, reported: sum(280), before: 70, dated: dated)
        #expect(first.opening == sum(20) && first.closing == sum(20) && first.unexplained == sum(0))
    }

    /// Apple may count the units of a refund in another way. Money that agrees is not missing.
    @Test(arguments: [-1, 1] as [Int64]) func equalValueIsNeverUnexplained(sign: Int64) {
        var transit = make()
        let outcome = roll(&transit, 0, reported: UnitsAndValue(units: 280 + sign * 3, minor: 280 * 600))
        #expect(outcome.unexplained == UnitsAndValue(units: -3 * sign) && outcome.closing == sum(0))
        #expect(outcome.priceDifference == 0 && outcome.rounding == 0)
        // More units, and a little more value: only that value is unexplained.
        let more = roll(&transit, 1, reported: UnitsAndValue(units: 290, minor: 280 * 600 + 500))
        #expect(more.unexplained == UnitsAndValue(units: -10, minor: -500) && more.priceDifference == 0)
    }

    /// Three for 1.000 are three at 0.333.
    @Test func aMinorUnitForEachRowIsRounding() {
        for (rows, difference) in [(1, 0), (0, 1)] as [(Int64, Int64)] {
            var transit = make(prices: [333])
            var moved = Transit.Movement()
            moved.sold = [sold(3, Self.start, price: 333)]
            moved.sold[0].sum.minor = 1000
            (moved.reported, moved.rows) = ([AppleUnits(price: 333, sum: sum(3, price: 333))], rows)
            let outcome = transit.roll(moved, from: Self.start, until: Self.start.advanced(by: 27))
            #expect(outcome.priceDifference == difference && outcome.rounding == 1 - difference)
        }
    }

    /// 28 rows of one sale at 160 yen, one of them at 140.
    @Test func aPriceDifferenceIsNoRoundingHoweverManyRowsThereAre() {
        var transit = make(prices: [160])
        let sales = (0..<28).map { (day: $0, units: Int64(1), price: Int64(160)) }
        let apples = sales.map { (day: Int?.some($0.day), $0.units, $0.day == 9 ? 140 : $0.price) }
        let outcome = roll(&transit, sold: sales, apple: apples)
        #expect(outcome.priceDifference == 20 && outcome.rounding == 0 && outcome.closing == .zero)
    }

    /// Apple has two more at 6.00, and lacks one at 12.00. One of the ledger's records has no price.
    @Test(arguments: [nil, 1] as [Int?]) func oneEstimateDoesNotSwitchPricesOff(day: Int?) {
        var transit = make(prices: [600, 1200])
        var moved = Transit.Movement()
        moved.before = [sold(1, Self.start.advanced(by: -30))]
        moved.sold = [
            sold(3, Self.start.advanced(by: 1)), sold(4, Self.start.advanced(by: 2), price: 1200),
            sold(1, Self.start.advanced(by: 3), price: 1200, isStated: false),
        ]
        moved.reported = [
            AppleUnits(soldOn: day.map { Self.start.advanced(by: $0) }, price: 600, sum: sum(6)),
            AppleUnits(soldOn: day.map { Self.start.advanced(by: $0 + 1) }, price: 1200, sum: sum(4, price: 1200)),
        ]
        let outcome = transit.roll(moved, from: Self.start, until: Self.start.advanced(by: 27))
        #expect(transit.inExcess.total == (day == nil ? sum(1) : sum(3)), "by sums, the estimate may be one of them")
        #expect(outcome.priceDifference == (day == nil ? 600 : 0))
        #expect(
            transit.otherPrices.total == (day == nil ? sum(1) : .zero),
            "by sums, it may be a sale that the ledger lacks")
        #expect(outcome.unexplained.minor == 0 - transit.inExcess.total.minor)
    }

    /// The order says 25.00, and Apple charged 1.00 for the sale of the 8th. Offers of the last days are in transit.
    @Test func aWrongEstimateIsAPriceDifferenceBySumsToo() {
        var transit = make(prices: [100, 2500])
        var moved = Transit.Movement()
        moved.sold = [
            sold(5, Self.start.advanced(by: 4), price: 2500),
            sold(1, Self.start.advanced(by: 8), price: 2500, isStated: false),
            sold(2, Self.start.advanced(by: 26), price: 100),
        ]
        moved.reported = [
            AppleUnits(price: 2500, sum: sum(5, price: 2500)), AppleUnits(price: 100, sum: sum(1, price: 100)),
        ]
        let outcome = transit.roll(moved, from: Self.start, until: Self.start.advanced(by: 27))
        #expect(outcome.priceDifference == 2400 && outcome.unexplained == .zero)
        #expect(transit.otherPrices.map(\.price) == [100])
        #expect(outcome.closing == sum(2, price: 100))
    }

    /// The order says 6.00, and Apple charged 7.00 for the sale of the 8th.
    @Test func aWrongEstimateOfAKnownDayNamesApplesRow() {
        var transit = make(prices: [600, 700])
        var moved = Transit.Movement()
        let day = Self.start.advanced(by: 8)
        moved.sold = [sold(5, day, price: 700), sold(1, day, price: 600, isStated: false)]
        moved.reported = [AppleUnits(soldOn: day, price: 700, source: "z.txt:83", sum: sum(6, price: 700))]
        let outcome = transit.roll(moved, from: Self.start, until: Self.start.advanced(by: 27))
        #expect(outcome.priceDifference == -100 && outcome.unexplained == .zero)
        #expect(transit.otherPrices.map(\.source) == ["z.txt:83"] && transit.otherPrices[0].soldOn == day)
        #expect(transit.otherPrices.total == UnitsAndValue(minor: 100))
    }

    /// 10.00 of a refund of 25.00 is in transit. The ledger lacks another refund of 25.00.
    @Test func aWholeRefundIsNoShare() {
        var transit = make(prices: [2500])
        var moved = Transit.Movement()
        moved.sold = [sold(1, Self.start.advanced(by: 25), price: 1000, isStated: false)]
        moved.sold[0].price.isShare = true
        moved.reported = [AppleUnits(price: 2500, sum: sum(1, price: 2500))]
        let outcome = transit.roll(moved, from: Self.start, until: Self.start.advanced(by: 27))
        #expect(outcome.unexplained == sum(-1, price: 2500) && outcome.priceDifference == 0)
        #expect(outcome.closing == sum(1, price: 1000))
    }

    /// Opening + sold − reported is always what the outcome says, in units and in value.
    @Test func nothingIsLost() {
        for seed in UInt64(1)..<300 {
            var random = seed
            func next(_ bound: Int64) -> Int64 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int64(random >> 33) % bound
            }
            var transit = make(prices: [590, 600, 610], collect: Int(next(60)) + 1)
            var before = UnitsAndValue()
            for period in 0..<8 {
                let sold = next(100)
                let outcome = roll(
                    &transit, period, sold: sold, tail: min(sold, next(40)),
                    reported: UnitsAndValue(units: next(110), minor: next(60_000)), before: next(20),
                    isReported: next(9) > 0, dated: next(2) > 0 ? [Int(next(28)): next(30)] : [:], rows: next(3))
                if period > 0, before != UnitsAndValue() { #expect(outcome.opening == before) }
                before = outcome.closing
                #expect(before.units >= 0)
                let aged = transit.aging.filter { !$0.isNeverCollected }.reduce(UnitsAndValue()) { $0 + $1.sum }
                #expect(aged == outcome.closing, "seed \(seed)")
            }
        }
    }
}
