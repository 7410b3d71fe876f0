import Domain
import Matching
import Reference
import Rules
import Testing

@testable import Engine

/// One purchase of November 2025 with its goods, and what the month makes of it.
private struct Sale {
    var price: Price? = Price(thousandths: 6000, currency: "CNY")
    var quantity: Int32 = 1
    var versions: [(signedAt: Instant, revocation: Revocation?)] = []
    var goods: [(kind: CreditKind, product: Identifier, quantity: Int32, at: Instant)] = []
    var order: (amount: Money?, status: OrderStatus)? = nil
    var storefront: Identifier?
    /// Prices of a chest and of coins in further currencies.
    var otherPrices: [(product: Identifier, price: Money)] = []

    static let at = Instant(milliseconds: 1_762_750_800_000)  // 10 November
    static func day(_ days: Int64) -> Instant { at + .days(days) }

    var policy: Policy {
        var policy = Policy()
        var coins = Product(id: "coins")
        coins.price = Money(minor: 600, currency: "CNY")
        var chest = Product(id: "chest")
        chest.price = Money(minor: 3000, currency: "CNY")
        let others = otherPrices.map { id, price in
            var row = Product(id: id)
            row.price = price
            return row
        }
        policy.products = ProductList([coins, chest] + others)
        return policy
    }

    /// The month's tally, and what the rules say.
    func month(_ name: String = "2025-11") throws -> (tally: MonthTally, money: MoneyLine, judgement: Judgement) {
        var records = (versions.isEmpty ? [(Self.at, nil)] : versions).map { version in
            var record = Transaction(id: "T1", product: "coins", purchasedAt: Self.at)
            (record.price, record.quantity, record.storefront) = (price, quantity, storefront)
            (record.signedAt, record.revocation) = (version.0, version.1)
            return record
        }
        var file = Case(
            credits: goods.enumerated().map { number, row in
                var credit = Credit(id: Identifier("C\(number)"), account: "a", kind: row.kind, creditedAt: row.at)
                (credit.transaction, credit.product, credit.quantity) = ("T1", row.product, row.quantity)
                return credit
            }, transactions: [records.removeLast()])
        if let order {
            var row = Order(id: "O1", account: "a", product: "coins", status: order.status, createdAt: Self.at)
            (row.transaction, row.amount, row.quantity) = ("T1", order.amount, quantity)
            file.orders = [row]
        }
        let policy = policy
        let horizon = Horizon(instant: Self.day(80), businessDate: policy.zone.date(of: Self.day(79)))
        let subject = try #require(subjects(of: file, policy: policy, horizon: horizon, owner: { _ in .unknown }).first)
        let judgement = judge(Facts(subject: subject, file: file, policy: policy, horizon: horizon))
        var tally = MonthTally(MonthScope(Period(calendarMonth: name)!, policy: policy))
        tally.add(subject, judgement, in: file, orders: Array(file.orders.indices), superseded: records)
        let money =
            tally.money.first ?? MoneyLine(currency: "CNY", movements: Movements(), explained: [], unexplained: 0)
        #expect(money.problem == nil)
        return (tally, money, judgement)
    }

    func giving(_ rows: (Identifier, Int32)...) -> Sale {
        var sale = self
        sale.goods = rows.map { (.credit, $0.0, $0.1, Self.at) }
        return sale
    }
}

private func refund(_ day: Int64, _ percentage: Int32) -> Revocation {
    Revocation(at: Sale.day(day), type: .refundProrated, percentage: percentage)
}

@Suite struct GoodsTests {
    /// Goods are worth what was given, by product and quantity; the effect of the exception is the same amount.
    @Test(
        arguments: [
            (1, [("coins", 1)], 0, DifferenceClass?.none), (1, [("coins", 5)], -2400, .verdict(.valueMismatch)),
            (2, [("coins", 1)], 600, .verdict(.valueMismatch)), (1, [("chest", 1)], -2400, .verdict(.valueMismatch)),
            (2, [("coins", 1), ("coins", 1)], 0, nil),
            (2, [("coins", 1), ("coins", 1), ("coins", 1)], -600, .verdict(.creditedTwice)),
        ] as [(Int32, [(Identifier, Int32)], Int64, DifferenceClass?)])
    func goodsAreWorthWhatWasGiven(
        quantity: Int32, given: [(Identifier, Int32)], difference: Int64, reason: DifferenceClass?
    ) throws {
        var sale = Sale(price: Price(thousandths: 6000 * Int64(quantity), currency: "CNY"), quantity: quantity)
        sale.goods = given.map { (.credit, $0.0, $0.1, Sale.at) }
        sale.order = (Money(minor: 600 * Int64(quantity), currency: "CNY"), .paid)
        let (_, money, judgement) = try sale.month()
        #expect(
            money.movements.difference == difference && money.explained.map(\.reason) == (reason.map { [$0] } ?? []))
        #expect(judgement.effect?.minor == -difference && money.closing.net == difference)
    }

    /// The list has CNY only. A chest for dollars is worth five times the coins, as in the list.
    @Test func anotherProductInAnotherCurrencyIsWorthItsProportion() throws {
        let sale = Sale(price: Price(thousandths: 990, currency: "USD")).giving(("chest", 1))
        let (_, money, judgement) = try sale.month()
        #expect(money.currency == "USD" && money.movements.credited == 495)
        #expect(judgement.effect == Money(minor: 396, currency: "USD"))
    }

    /// With a row in dollars, that one counts; with a row in yen for the chest alone, the proportion of the yuan stays.
    @Test(arguments: [("USD", 2000), ("JPY", 495)] as [(Currency, Int64)])
    func theListsPriceInThePaymentsCurrencyCounts(currency: Currency, worth: Int64) throws {
        var sale = Sale(price: Price(thousandths: 990, currency: "USD")).giving(("chest", 1))
        sale.otherPrices = [("chest", Money(minor: 2000, currency: currency))]
        #expect(try sale.month().money.movements.credited == worth)
    }

    /// An old record without a price or order: the list's price in the storefront's currency, and none where several would
    /// do.
    @Test func aMissingPriceIsTheListsInTheStorefrontsCurrency() throws {
        var sale = Sale(price: nil, storefront: "USA").giving(("coins", 1))
        sale.otherPrices = [("coins", Money(minor: 99, currency: "USD"))]
        let (_, money, _) = try sale.month()
        #expect(money.currency == "USD" && money.estimated == 99)
        sale.storefront = nil
        #expect(try sale.month().tally.unpriced.purchases == 1)
    }

    /// Every whole share of up to 100 pieces, rounded to thousandths of a per cent: refund and goods taken back agree, and
    /// nothing is to be done. Apple's own example is 1 of 3, 33.333 %. The suite tries up to 30 pieces, and 97 to 100.
    @Test(arguments: Trials.areLong ? Array(Int32(2)...100) : Array(2...30) + Array(97...100))
    func everyWholeShareThatIsTakenBackBalances(quantity: Int32) throws {
        for refunded in 1..<quantity {
            var sale = Sale(price: Price(thousandths: 6000 * Int64(quantity), currency: "CNY"), quantity: quantity)
            let percentage = Int32((Double(refunded) * 100_000 / Double(quantity)).rounded())
            sale.versions = [(Sale.day(0), nil), (Sale.day(10), refund(10, percentage))]
            sale.goods = [(.credit, "coins", quantity, Sale.at), (.reversal, "coins", refunded, Sale.day(10))]
            sale.order = (Money(minor: 600 * Int64(quantity), currency: "CNY"), .credited)
            let (tally, money, judgement) = try sale.month()
            let value = 600 * Int64(refunded)
            #expect(money.movements.refunds == value && money.movements.reversed == value, "\(refunded) of \(quantity)")
            #expect(judgement.verdict == .matched && tally.differences.isEmpty, "\(refunded) of \(quantity)")
            sale.goods.removeLast()
            let kept = try sale.month()
            #expect(kept.judgement.cause == .reversedShort && kept.judgement.effect?.minor == value)
            #expect(kept.money.movements.difference == -value)
        }
    }

    /// 1 of 4 in November, another 1 of 4 in December: Apple's second record says 50 % in all.
    @Test func eachPartialRefundBelongsToItsOwnMonth() throws {
        var sale = Sale(price: Price(thousandths: 24_000, currency: "CNY"), quantity: 4)
        sale.versions = [
            (Sale.day(0), nil), (Sale.day(10), refund(10, 25_000)), (Sale.day(40), refund(40, 50_000)),
        ]
        sale.goods = [(.credit, "coins", 4, Sale.at)] + [10, 40].map { (.reversal, "coins", 1, Sale.day($0)) }
        let november = try sale.month()
        #expect(november.money.movements == Movements(purchases: 2400, refunds: 600, credited: 2400, reversed: 600))
        #expect(november.tally.differences.isEmpty && november.tally.refunds.map(\.percentage) == [25_000])
        let december = try sale.month("2025-12")
        #expect(december.money.movements == Movements(refunds: 600, reversed: 600) && december.money.problem == nil)
    }

    /// Refunded on 20 November; Apple signed a record without the refund on 10 December.
    @Test func aRefundThatAppleTakesBackIsAnEventOfItsMonth() throws {
        var sale = Sale().giving(("coins", 1))
        let revocation = Revocation(at: Sale.day(10), type: .refundFull, percentage: 100_000)
        sale.versions = [(Sale.day(0), nil), (Sale.day(10), revocation), (Sale.day(30), nil)]
        let november = try sale.month()
        #expect(november.money.movements == Movements(purchases: 600, refunds: 600, credited: 600))
        let december = try sale.month("2025-12")
        #expect(december.money.movements == Movements(refundReversals: 600))
        #expect(december.tally.refunds.map(\.kind) == [.reversed])
        #expect(december.tally.refunds.first?.takenBackAt == Sale.day(30))
        #expect(december.money.opening == Balance(owed: 0, givenFree: 600) && december.money.closing == Balance())
        #expect(december.tally.sales.values.map(\.unitsRefundReversed) == [1])
    }

    /// 1 of 4 on 20 November and 1 more on 20 December. On 9 January Apple's record says half of the first, or nothing.
    @Test(arguments: [(12_500, [(0, 300), (1, 600)]), (nil, [(1, 600), (1, 600)])] as [(Int32?, [(Int, Int64)])])
    func whatAppleTakesBackEndsTheLastRefundsFirst(left: Int32?, ended: [(count: Int, minor: Int64)]) throws {
        var sale = Sale(price: Price(thousandths: 24_000, currency: "CNY"), quantity: 4).giving(("coins", 4))
        sale.versions = [
            (Sale.day(0), nil), (Sale.day(10), refund(10, 25_000)), (Sale.day(40), refund(40, 50_000)),
            (Sale.day(60), left.map { refund(60, $0) }),
        ]
        let ends = try #require(try sale.month("2026-01").tally.refunds.first?.ended)
        #expect(ends.map(\.at) == [Sale.day(10), Sale.day(40)])
        #expect(ends.map(\.count) == ended.map(\.count) && ends.map(\.minor) == ended.map(\.minor))
    }

    /// Another date for the same refund is a correction, not a second refund.
    @Test func aRefundWhoseDateIsCorrectedIsOneRefund() throws {
        var sale = Sale().giving(("coins", 1))
        sale.versions = [10, 40].map { (Sale.day($0), Revocation(at: Sale.day($0), type: .refundFull)) }
        #expect(try sale.month().money.movements.refunds == 0)
        #expect(try sale.month("2025-12").money.movements.refunds == 600)
    }

    /// An old record without a price, of an American customer: the list's price in CNY does not apply.
    @Test func aMissingPriceIsTheOrdersBeforeTheLists() throws {
        var sale = Sale(price: nil, storefront: "USA").giving(("coins", 1))
        sale.order = (Money(minor: 99, currency: "USD"), .paid)
        let (_, money, judgement) = try sale.month()
        #expect(judgement.verdict == .matched && money.currency == "USD" && money.estimated == 99)
        sale.order = (nil, .paid)
        #expect(try sale.month().tally.unpriced.purchases == 1)
        sale.storefront = "CHN"
        #expect(try sale.month().money.estimated == 600)
        sale.price = Price(thousandths: 6000, currency: "CNY")
        #expect(try sale.month().money.estimated == 0)
    }

    @Test(
        arguments: [
            (230, 230, nil), (230, 231, .amount), (nil, 231, .noAmount),
        ] as [(Int64?, Int64, BookingReason?)])
    func bookedAmountsAreTiedToPrices(booked: Int64?, price: Int64, reason: BookingReason?) throws {
        var sale = Sale(price: Price(thousandths: price * 1000, currency: "JPY")).giving(("coins", 1))
        sale.order = (booked.map { Money(minor: $0, currency: "JPY") }, .paid)
        let (tally, money, _) = try sale.month()
        #expect(money.bookings.booked == booked ?? 0 && money.bookings.purchases == price)
        #expect(money.bookings.parts.map(\.reason) == (reason.map { [$0] } ?? []))
        #expect(tally.bookings.count == (reason == .amount ? 1 : 0))
    }
}
