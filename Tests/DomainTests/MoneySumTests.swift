import Domain
import Testing

@testable import Engine

/// No sum of money traps, however absurd the amounts are.
@Suite struct MoneySumTests {
    private let most = Money(minor: .max, currency: "CNY")
    private let least = Money(minor: .min, currency: "CNY")

    @Test func eachCurrencyHasASumOfItsOwn() {
        let sum = MoneySum([
            Money(minor: 600, currency: "JPY"), Money(minor: 1, currency: "CNY"), Money(minor: -1, currency: "JPY"),
        ])
        #expect(sum.amounts == [Money(minor: 1, currency: "CNY"), Money(minor: 599, currency: "JPY")])
        #expect(sum["JPY"] == 599 && sum["USD"] == 0 && MoneySum().amounts.isEmpty)
    }

    @Test func aSumThatIsTooLargeIsTheGreatestNumberAndNeverASmallOne() {
        var sum = MoneySum(repeatElement(most, count: 10_000))
        #expect(sum.amounts == [most])
        sum.add(MoneySum(repeatElement(least, count: 20_000)))
        #expect(sum["CNY"] == .min)
    }

    @Test func nothingIsLostOnTheWay() {
        var sum = MoneySum([most, most, Money(minor: 7, currency: "CNY")])
        sum.add(Money(minor: -.max, currency: "CNY"))
        sum.add(Money(minor: -.max, currency: "CNY"))
        #expect(sum["CNY"] == 7)
    }

    @Test func figuresAddUpHoweverLargeTheyAre() {
        let (one, other) = (CountAndAmount(of: most), CountAndAmount(count: 2, minor: .min))
        #expect(one + one + other - other - one == one)
        #expect(CountAndAmount(of: nil) == CountAndAmount(count: 1))
        let movements = Movements(purchases: .max, refunds: .min, credited: .min, reversed: .max)
        var sum = movements
        sum += movements
        #expect(sum - movements == movements)
        #expect(sum.difference == sum.net &- sum.netCredited)
        let (sales, returns) = (UnitsAndValue(units: .max, minor: .max), UnitsAndValue(units: .min, minor: .min))
        #expect(sales + returns - returns == sales && sales - returns + returns == sales)
        var line = MoneyLine(
            currency: "CNY", movements: Movements(purchases: .max, refunds: -1),
            explained: [.init(reason: .cutOff, minor: .max)], unexplained: 1)
        line.bookings = BookedMoney(
            booked: .max,
            parts: [.init(reason: .amount, count: 1, minor: .max), .init(reason: .cutOff, count: 1, minor: .min + 1)])
        (line.opening.owed, line.closing.owed) = (.max, .max &+ line.movements.difference)
        #expect(line.problem == nil)
    }
}
