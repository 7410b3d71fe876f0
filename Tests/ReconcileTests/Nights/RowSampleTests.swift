import Domain
import Engine
import Foundation
import Testing

@testable import Reconcile

/// What the first rows of a night's files show, and a person should see. It holds nothing.
@Suite struct RowSampleTests {
    private static let token = "1d625e20-8e90-4318-1cf0-bfcf6828c345"

    private func night(_ night: Int, rows: Int = 12, hasTokens: Bool = true, _ desk: DeskFolder) throws -> Ended {
        let numbers = (night * 100)..<(night * 100 + rows)
        try desk.sell(numbers, credited: numbers, night: night)
        if rows == 0 { try desk.folder.write("\n", to: "inbox/transactions-\(desk.date(night)).jsonl") }
        if hasTokens {
            let name = "inbox/orders-\(desk.date(night)).csv"
            let orders = try desk.folder.read(name)
            try desk.folder.write(orders.replacing(",CNY,,", with: ",CNY,\(Self.token),"), to: name)
        }
        return try desk.run([
            "nightly", "--date", desk.date(night), "--as-of", desk.date(night + 1) + "T04:00:00+08:00",
        ])
    }

    private func headline(_ desk: DeskFolder) throws -> Substring {
        try desk.folder.read("out/latest/summary.txt").split(separator: "\n")[0]
    }

    private static let lost = "inbox/orders-{date}.csv: no row has app_account_token any more"

    @Test func aColumnThatAllFilesHadAndNoRowHasIsTold() throws {
        let desk = try DeskFolder(settings: #"guard: { rows: 0 },"#)
        for number in 0...2 { #expect(try night(number, desk).code == 0) }
        let ended = try night(3, hasTokens: false, desk)
        #expect(ended.code == 3 && ended.errors.contains(Self.lost), "\(ended)")
        #expect(try headline(desk).hasSuffix("; COLUMN EMPTY: app_account_token"))
        #expect(try desk.folder.read("out/latest/summary.txt").contains("Columns without values\n  " + Self.lost))
        let lost = #""lost_columns":[{"columns":["app_account_token"],"feed":"inbox/orders-{date}.csv"}]"#
        let summary = try desk.folder.read("out/latest/summary.json").filter { !$0.isWhitespace }
        #expect(summary.contains(lost), "\(summary)")
        // It is told again if the night is run again, until it is back.
        let again = ["nightly", "--date", desk.date(3), "--as-of", desk.date(4) + "T05:00:00+08:00"]
        #expect(try desk.run(again).code == 3)
        #expect(try night(4, rows: 0, hasTokens: false, desk).code == 3, "nothing came that could show it")
        let back = try night(5, desk)
        #expect(back.code == 0, "\(back)")
        #expect(try !headline(desk).contains("COLUMN"))
    }

    /// After a week it is no news. If the configuration says that the column is not read, it never was.
    @Test func whatIsMeantIsNotToldForEver() throws {
        let desk = try DeskFolder(settings: #"guard: { rows: 0 },"#)
        for number in 0...2 { #expect(try night(number, desk).code == 0) }
        for number in 3...10 {
            #expect(try night(number, hasTokens: false, desk).code == (number < 10 ? 3 : 0), "\(number)")
        }
        for number in 11...13 { #expect(try night(number, desk).code == 0) }
        let path = "orders-{date}.csv\","
        let configuration = try desk.folder.read("reconcile.json")
        try desk.folder.write(
            configuration.replacing(path, with: path + " columns: { app_account_token: null },"), to: "reconcile.json")
        #expect(try night(14, hasTokens: false, desk).code == 0)
    }

    /// Of a list that is wrong altogether, the mail has one line.
    @Test func manyPricesAreOneWarning() {
        func price(_ minor: Int64) -> Money { Money(minor: minor, currency: "CNY") }
        let doubt = PriceDoubt(product: "p10", listed: price(60_000), apples: price(600))
        #expect(
            NightWarning.pricesDoubted(count: 12, doubt).text
                == "the product list prices p10 at 600.00 CNY, and Apple's records at 6.00 CNY (and 11 more prices). Is the "
                + "list in another unit, such as cents? Correct it")
    }

    /// Two files, few rows, or a column that only some rows have.
    @Test(arguments: [(2, 12), (3, 9)]) func tooLittleSaysNothing(nights: Int, rows: Int) throws {
        let desk = try DeskFolder(settings: #"guard: { rows: 0 },"#)
        for number in 0..<nights { #expect(try night(number, rows: rows, desk).code == 0) }
        #expect(try night(nights, rows: rows, hasTokens: false, desk).code == 0)
    }

    /// The list says 600 yuan for what Apple sells for 6: it was written in fen.
    @Test func aPriceInAnotherUnitIsTold() throws {
        let desk = try DeskFolder()
        let configuration = try desk.folder.read("reconcile.json")
        try desk.folder.write(
            configuration.replacing("feeds: [", with: "feeds: [ { kind: \"products\", path: \"products.csv\" },"),
            to: "reconcile.json")
        func list(_ price: String) throws {
            try desk.folder.write(
                "product_id,type,amount,currency\ncoins,consumable,\(price),CNY\n", to: "products.csv")
        }
        for (number, price) in ["6.00", "8.00", "600.00", "0.06", "60.00"].enumerated() {
            try list(price)
            let ended = try night(number, rows: 3, desk)
            let isDoubtful = ["600.00", "0.06"].contains(price)
            #expect(ended.code == (isDoubtful ? 3 : 0), "\(price) \(ended)")
            #expect(try headline(desk).contains("PRICE LIST: coins") == isDoubtful)
            let told = "the product list prices coins at \(price) CNY, and Apple's records at 6.00 CNY"
            #expect(ended.errors.contains(told) == isDoubtful, "\(ended)")
        }
        // Without a sale of that day, it is still the price that was found wrong.
        try list("600.00")
        #expect(try night(5, rows: 3, desk).code == 3)
        #expect(try night(6, rows: 0, desk).code == 3)
        try list("6.00")
        let right = try night(7, rows: 0, desk)
        #expect(right.code == 0, "\(right)")
    }
}
