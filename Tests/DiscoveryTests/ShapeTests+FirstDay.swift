import Intake
import Testing

/// What shops met on their first day with `init`.
extension ShapeTests {
    private static let header = "order_id,user_id,sku,amount,currency,status,transaction_id,created_at"

    private func row(_ purchase: Purchase) -> String {
        "\(purchase.order),\(purchase.account),\(purchase.product),\(purchase.major),CNY,paid,\(purchase.transaction),\(purchase.paid)"
    }

    private func text(_ rows: [String], _ name: String = "orders-2026-07-13.csv") throws -> String {
        try samples.write(rows, to: name)
        return try samples.proposal().text
    }

    /// Of a day in several parts, at least one must come.
    @Test func partsAreRequired() throws {
        try samples.write(shop.prefix(6).map { $0 }.rows(Self.header, row), to: "orders-2026-07-13_part1of2.csv")
        let text = try text(shop.suffix(6).map { $0 }.rows(Self.header, row), "orders-2026-07-13_part2of2.csv")
        let feed = try #require(try JSON5Reader.read(text)["feeds"]?.elements.last)
        #expect(feed["path"]?.plain == "orders-{date}_part*of2.csv" && feed["required"]?.plain == "true")
    }

    @Test func anAmountThatNoRowHas() throws {
        #expect(try text([Self.header]).contains(#"amount: "DECIDE amount","#))
    }
}
