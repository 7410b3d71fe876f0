import Domain
import Testing

@testable import Engine

/// What a message says of a purchase. Whole messages are in Tests/Fixtures/desk-messages.txt.
@Suite struct DescriptionReaderTests {
    private static let names = ["书币128 128 Beans", "会员月卡 Monthly", "会员年卡 Yearly", "终身会员 Lifetime", "赠礼月卡 Gift"]

    private func read(_ text: String) -> PurchaseDescription {
        let products = zip(["coins", "month", "year", "life", "gift"], Self.names).map {
            (id: Identifier($0), name: $1)
        }
        return DescriptionReader(
            today: BusinessDate("2026-11-27")!, minute: 600, firstDay: BusinessDate("2026-11-01")!, products: products,
            prices: []
        ).read(text)
    }

    /// 会员 ends one name only, begins two others, and is a label of accounts.
    @Test(
        arguments: [
            ("昨晚开的会员 18块", []), ("会员号58210002 充128没到", []), ("会员:58210002 充128没到", []), ("终身会员没到", ["life"]),
            ("会员月卡没到", ["month"]),
            ("月卡没到", ["gift", "month"]), ("年卡没到", ["year"]), ("书币没到", []),
        ] as [(String, [Identifier])])
    func aWordThatSeveralProductsShareExcludesNoneOfThem(text: String, products: [Identifier]) {
        #expect(read(text).products == products)
    }

    /// The shop's clock is not the customer's.
    @Test(arguments: [
        "paid $9.99 on Nov 25 around 11am LA time", "paid $9.99 on Nov 25 11am PST", "Nov 25 at 19:00 UTC",
        "Nov 25, 7 p.m. (GMT+1)", "11月25日美西时间上午11点", "11月25日当地时间19:00",
    ])
    func aTimeOfAnotherZoneIsUnknown(text: String) {
        let asked = read(text)
        #expect(asked.arounds.isEmpty && asked.days == BusinessDate("2026-11-24")!...BusinessDate("2026-11-26")!)
        let own = read("Nov 25 at 11am CST, the best time")
        #expect(own.arounds == [660] && own.days == BusinessDate("2026-11-25")!...BusinessDate("2026-11-25")!)
    }
}
