import Foundation
import Testing

@testable internal import Reconcile

/// `reconcile why`, on a shop in which one version loses its orders. See docs/spec/interfaces.md#why.
@Suite struct WhyCommandTests {
    /// 40 orders; the ten with version 3.2.1 get no goods.
    private func shop() throws -> ShopFolder {
        let shop = try ShopFolder()
        try shop.sell(1..<41, night: 0)
        try shop.credit(Array(11..<41), night: 0)
        let text = try shop.folder.read("reconcile.json")
        try shop.folder.write(
            text.replacing("orders-{date}.csv\"", with: "orders-{date}.csv\", labels: { version: \"ver\" }"),
            to: "reconcile.json")
        let path = "inbox/orders-\(shop.date(0)).csv"
        let rows = try shop.folder.read(path).split(separator: "\n")
        let labelled = rows.enumerated().map { $1 + ($0 == 0 ? ",ver" : $0 <= 10 ? ",3.2.1" : ",3.2.0") }
        try shop.folder.write(labelled.joined(separator: "\n") + "\n", to: path)
        try shop.night(0)
        return shop
    }

    @Test func theBadVersionIsNamed() throws {
        let shop = try shop()
        let english = try shop.run(["why"])
        #expect(english.code == 0 && english.output.contains("10 of 10"), "\(english.output)\(english.errors)")
        #expect(english.output.contains("3.2.1"))
        let chinese = try shop.run(["why", "--lang", "zh-Hans", "--group-by", "version"])
        #expect(chinese.code == 0 && chinese.output.contains("共同点"), "\(chinese.output)\(chinese.errors)")
        #expect(chinese.output.contains("3.2.0"))
        let json = try shop.run(["why", "--json", "--group-by", "version", "--since", shop.date(0)])
        let found = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let first = try #require((found["explanations"] as? [[String: Any]])?.first)
        #expect(first["values"] as? [String: String] == ["version": "3.2.1"] && first["count"] as? Int == 10)
        let values = try #require(found["values"] as? [[String: Any]])
        #expect(values.map { $0["value"] as? String } == ["3.2.0", "3.2.1"])
        #expect(values.map { $0["lost_orders"] as? Int } == [0, 10])
    }

    @Test func whatCannotBeAskedIsSaid() throws {
        let shop = try shop()
        let unknown = try shop.run(["why", "--group-by", "versoin"])
        #expect(unknown.code == 64 && unknown.errors.contains("Try one of: product,"), "\(unknown.errors)")
        #expect(try shop.run(["why", "--since", "2025-12-02", "--until", "2025-12-01"]).code == 64)
        let before = try shop.run(["why", "--until", "2020-01-01"])
        #expect(before.code == 0 && !before.output.isEmpty)
        try FileManager.default.removeItem(atPath: shop.folder.path + "/ledger.sqlite")
        #expect(try shop.run(["why"]).code == 66)
    }
}
