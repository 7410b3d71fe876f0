import Domain
import Testing

@testable import Engine

/// A month reads what a run was judged by from the run's policy text.
@Suite struct PolicyTextTests {
    @Test func aProductListIsReadBackWhateverItsIdsAre() throws {
        let ids: [Identifier] = [
            "coins.60", "month card", " two  blanks ", "CNY 2025-11-18", "6.00 CNY", "\u{301}accent",
        ]
        let prices: [Money?] = [
            nil, Money(minor: 0, currency: "CNY"), Money(minor: -600, currency: "CNY"),
            Money(minor: 230, currency: "JPY"),
            Money(minor: 1500, currency: "KWD"),
        ]
        var products: [Product] = []
        for id in ids {
            for price in prices {
                for type in [nil] + ProductType.allCases.map(Optional.some) {
                    var product = Product(id: id)
                    (product.price, product.type) = (price, type)
                    products.append(product)
                    product.validFrom = BusinessDate("2025-11-18")
                    products.append(product)
                    product.validTo = BusinessDate("2026-01-31")
                    products.append(product)
                }
            }
        }
        let text = "rules=9\ntimeZone=Asia/Shanghai\n" + products.policyText
        #expect(try [Product](policyText: text) == products)
        #expect(RunRecord.settings(text) == ["timeZone": "Asia/Shanghai"])
    }

    @Test(arguments: [
        "product coins consumable 6.00 CNY 2025-11-18", "product coins consumable 6.00 CNY 2025-11-18 2026-13-01",
        "product coins sold 6.00 CNY  ", "product coins  6.0 CNY  ", "product CNY  ", "product ",
    ])
    func aLineThatIsNoProductIsDamage(_ line: String) {
        #expect(throws: EngineError.self) { try [Product](policyText: line + "\n") }
    }

    /// The list gives the former price an end and no beginning, and is delivered again the day after the price changed.
    @Test func aListThatIsDeliveredAgainChangesNoPriceThatEnded() {
        func list(_ delivery: DeliveryID, on date: String) -> [Product] {
            [("2026-07-14", 600), (nil, 700)].enumerated().map { line, row in
                var product = Product(id: "coins")
                product.price = Money(minor: Int64(row.1), currency: "CNY")
                product.validFrom = row.0 == nil ? BusinessDate("2026-07-15") : nil
                product.validTo = row.0.flatMap { BusinessDate($0) }
                product.source = Provenance(delivery: delivery, line: Int32(line + 2), fileDate: BusinessDate(date)!)
                return product
            }
        }
        let first = merged(list(1, on: "2026-09-02"), names: [:])
        #expect(merged(first + list(2, on: "2026-09-03"), names: [:]).policyText == first.policyText)
    }
}
