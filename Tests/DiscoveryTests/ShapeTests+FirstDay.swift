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

    /// In many shops the number of the order abroad is Apple's.
    @Test func applesIdsUnderTheNameOfOrders() throws {
        let credits = shop.rows("log_id,user_id,sn,created_at") {
            "\($0.number),\($0.account),YM\($0.order),\($0.paid + 9000)"
        }
        try samples.write(credits, to: "credits-2026-07-13.csv")
        let text = try text(
            shop.rows("sn,out_trade_no,user_id,sku,amount,currency,status,created_at") {
                "YM\($0.order),\($0.transaction),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.paid)"
            })
        #expect(text.contains(#"order_id: "DECIDE sn""#) && text.contains(#"transaction_id: "out_trade_no""#))
        #expect(text.contains(#""out_trade_no": its values are Apple's transaction ids"#))
    }

    /// A shop whose orders have Apple's id as their own.
    @Test func applesIdsAsTheOnlyOnes() throws {
        let text = try text(
            shop.rows("order_id,user_id,sku,amount,currency,status,created_at") {
                "\($0.transaction),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.paid)"
            })
        #expect(text.contains(#"order_id: "DECIDE order_id""#) && text.contains(#"transaction_id: "order_id""#))
    }

    /// The amount, with its sign, is before the state.
    @Test(arguments: ["Statut", "Situação", "状態", "Orders Status", "Lage"]) func statesUnderStrangeNames(
        _ name: String
    ) throws {
        let word = name.hasPrefix("Orders ") ? "Orders " : ""
        let header = ["Order ID", "User ID", "SKU", "Brutto", "Currency"].map { word + $0 }.joined(separator: ",")
        let text = try text(
            shop.rows("\(header),\(name),\(word)Transaction ID,\(word)Created at") {
                "\($0.order),\($0.account),\($0.product),R$ \($0.major),BRL,\($0.number % 3 == 0 ? "Offen" : "Weg"),\($0.number % 3 == 0 ? "" : $0.transaction),\($0.paid)"
            })
        let mark = name == "Lage" ? "DECIDE " : ""
        #expect(text.contains(#"status: { from: "\#(mark)\#(name)""#) && !text.contains("where:"))
        #expect(text.contains("order_id: \"\(word)Order ID\"") && text.contains("created_at: \"\(word)Created at\""))
    }

    @Test func applesRecordsInATable() throws {
        let signed = try text(
            shop.rows("Signierte Transaktion") { "eyJhbGciOiJFUzI1NiJ9.eyJ0\($0.transaction).c2ln" },
            "apple-2026-07-13.csv")
        #expect(
            signed.contains(#"kind: "DECIDE", path: "apple-{date}.csv""#)
                && signed.contains(#"export the column "Signierte Transaktion" alone, one value a line"#))
        let decoded = try text(
            shop.rows("transactionId;originalTransactionId;productId;purchaseDate;price;currency") {
                "\($0.transaction);\($0.transaction);\($0.product);\($0.paid);\($0.price);CNY"
            }, "iap-2026-07-13.csv")
        #expect(
            decoded.contains(#"kind: "DECIDE", path: "iap-{date}.csv""#)
                && decoded.contains("each decoded record as JSON with Apple's names, one a line"))
    }

    /// A column with the type of the coins is not the quantity, even if it is 1 in every row that Apple's records confirm.
    @Test func onesAreNoQuantity() throws {
        let text = try text(
            shop.filter { $0.quantity == 1 }.rows("grant_id,order_id,transaction_id,user_id,currency_type,granted_at") {
                "G\($0.number),\($0.order),\($0.transaction),\($0.account),1,\($0.paid)"
            }, "grants-2026-07-13.csv")
        #expect(!text.contains("quantity:"))
    }

    @Test(arguments: ["November 14, 2026, 8:40 AM", "2026年11月01日 13時21分29秒", "06.11.26 03:59", "46340,1002"])
    func timesThatCannotBeRead(_ time: String) throws {
        let text = try text(
            shop.rows("order_id;user_id;sku;amount;currency;status;transaction_id;Angelegt") {
                "\($0.order);\($0.account);\($0.product);\($0.major);CNY;paid;\(time.contains("日") ? "" : "2,00000E+15");\(time)"
            })
        #expect(text.contains("// \"Angelegt\" has times such as \(time), which cannot be read"))
        #expect(
            text.contains(#""transaction_id" has values such as 2,00000E+15: a spreadsheet rounded the ids"#)
                == !time.contains("日"))
    }

    @Test func aPartInAnotherForm() throws {
        func write(_ part: Int, _ change: (String) -> String) throws {
            try samples.write(
                Purchase.all(4, first: part * 4).rows("order_id;user_id;sku;amount;currency;status;created_at") {
                    "\($0.order);\($0.account);\($0.product);\(change($0.major));CNY;paid;\($0.paid)"
                }, to: "orders-2026-07-13-0\(part).csv")
        }
        for part in 0..<3 { try write(part) { $0 } }
        #expect(try !samples.proposal().text.contains("in different ways"))
        try write(3) { $0.replacing(".", with: ",") }
        #expect(
            try samples.proposal().text.contains(
                #"orders-2026-07-13-03.csv and orders-2026-07-13-00.csv are written in different ways ("amount": "#))
    }

    /// Only the older of two files has a quote.
    @Test func aFormatThatOneFileShows() throws {
        let rows = shop.rows(Self.header + ",nick") { row($0) + ",a" }.map { $0.replacing(",", with: "\t") }
        try samples.write(rows.dropLast() + [rows.last! + "\"b\""], to: "orders-2026-07-12.tsv")
        #expect(try text(rows, "orders-2026-07-13.tsv").contains(#"format: "text","#))
    }

    /// A client that writes JSON without doubling its quotes.
    @Test func quotesThatAreUnbalanced() throws {
        let text = try text(shop.rows(Self.header + ",ext") { row($0) + #",{"ver": "3.2"}"# })
        #expect(text.contains("12 rows have unbalanced quotes and would be rejected"))
    }
}
