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
            text.contains(#""transaction_id" has values such as "2,00000E+15": a spreadsheet rounded the ids"#)
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

    /// Hive separates fields by a byte of its own, and means quotes as they stand.
    @Test func whatHiveWrites() throws {
        let rows = shop.rows(Self.header + ",nick") { row($0) + ",\"a" }.dropFirst()
        let feed = try text(rows.map { $0.replacing(",", with: "\u{1}") }, "orders-2026-07-13")
        #expect(feed.contains(#"format: "text","#) && feed.contains(#"delimiter: "\u0001","#), "\(feed)")
        #expect(feed.contains(#"transaction_id: "#), "\(feed)")
    }

    /// Quotes that do not begin their field.
    @Test func aBlankBeforeEachQuote() throws {
        let text = try text(
            shop.rows(Self.header, row).map { $0.replacing(/[^,]+/) { "\"\($0.output)\"" }.replacing(",", with: ", ") })
        #expect(text.contains("the quotes in its header are unbalanced"))
    }

    /// The evidence of a shop that knows Apple's id of no order.
    @Test(arguments: [false, true]) func theTokenLinksOrdersWithPayments(_ isOpen: Bool) throws {
        let rows = shop.rows("no,uid,sku,money,token,state,ctime") {
            "\($0.order),\($0.account),\($0.product),\($0.price),\($0.token),7,\($0.clock("yyyy-MM-dd HH:mm:ss", "Asia/Tokyo"))"
        }
        // Orders that were not paid have the tokens of their customers, too.
        let open = shop.rows {
            "9\($0.order),\($0.account),\($0.product),\($0.price),\($0.token),3,2026-01-01 00:00:00"
        }
        let text = try text(isOpen ? rows + open : rows)
        #expect(text.contains(#"timeZone: "Asia/Tokyo","#) == !isOpen)
        #expect(text.contains("12 rows, 12 in Apple's records") == !isOpen && !text.contains("0 in Apple's records"))
        #expect(text.contains(#"amount_minor: "money","#) == !isOpen && !text.contains("ZONE ''"))
        #expect(text.contains("nothing links them to Apple's records") == isOpen)
    }

    /// SQL Server's `sqlcmd`: dashes below the header, and the number of rows at the end.
    @Test func dashesBelowTheHeader() throws {
        func text(_ count: Int, _ end: [String] = []) throws -> String {
            let rows = shop.rows(Self.header, row).map { $0.replacing(",", with: "|") }
            let dashes = rows[0].replacing(/[^|]/, with: "-")
            return try self.text([rows[0], dashes] + rows.dropFirst() + end + ["", "(\(count) rows affected)"])
        }
        let good = try text(12)
        #expect(
            good.contains("skipAfterHeader: 1,") && good.contains(#"footer: { "order_id": "({rows} rows affected)" },"#)
        )
        #expect(!good.contains("---"))
        let single = try self.text([Self.header, row(shop[0]), "(1 row)"])
        #expect(single.contains(#"footer: { "order_id": "({rows} rows)" },"#))
        // Nobody knows how any other number changes by the next day.
        #expect(try text(13).contains(#"footer: { "order_id": "DECIDE ({rows} rows affected)" },"#))
        #expect(
            try text(12, ["#end of list"]).contains(
                ##"a night counts 13 rows before it, with "#end of list": export without"##))
    }

    /// Each of several files has its sum.
    @Test func aSumInEachFile() throws {
        try samples.write(
            shop.prefix(6).map { $0 }.rows(Self.header, row) + ["合计,6,,,,,,"], to: "orders-2026-07-12.csv")
        let text = try text(shop.suffix(6).map { $0 }.rows(Self.header, row) + ["合计,6,,,,,,"])
        #expect(text.contains(#"footer: { "order_id": "合计" },"#) && text.contains(#"account_id: "user_id""#))
        #expect(text.contains("are the price in major units") && text.contains(#"status: "status""#))
    }

    @Test(arguments: ["1793808667.250000", "1793808702000000", "2611050011", "2026110500"])
    func numbersThatAreNoTimes(_ time: String) throws {
        let text = try text(shop.rows(Self.header) { row($0).replacing("\($0.paid)", with: time) })
        let remedy = time.hasPrefix("1") ? "export whole seconds" : "see feeds.md"
        #expect(text.contains("\"created_at\" has times such as \(time), which cannot be read: \(remedy)"))
    }

    @Test func pricesInThousandths() throws {
        let text = try text(shop.rows(Self.header) { row($0).replacing(",\($0.major),", with: ",\($0.price * 10),") })
        #expect(text.contains(#"amount: "DECIDE amount""#) && text.contains("12 of 12 are 1000 times the price"))
    }

    /// As pandas writes ids where some are missing, with its index in a column without a name.
    @Test func idsWithAPoint() throws {
        _ = try text(shop.rows(Self.header, row))
        let text = try text(
            shop.rows(",id,order_id,user_id,granted_at") {
                "\($0.number),\($0.number + 900),\($0.order).0,\($0.account).0,\($0.paid)"
            }, "credits-2026-07-13.csv")
        #expect(text.contains(#"order_id: "DECIDE order_id""#) && text.contains(#"account_id: "DECIDE user_id""#))
        #expect(text.contains("values such as 90001000.0, which are numbers with a point"))
    }

    /// Answers of Elasticsearch, and Canal's messages.
    @Test(arguments: ["hits.hits[]", "data[]"]) func rowsInAList(_ path: String) throws {
        let rows = shop.map { #"{"_source":{"orderNo":"\#($0.order)","uid":\#($0.account)}}"# }.joined(separator: ",")
        let text = try text(
            [
                path == "data[]"
                    ? #"{"table":"t","data":[\#(rows)]}"# : #"{"took":3,"hits":{"total":9,"hits":[\#(rows)]}}"#
            ],
            "orders-2026-07-13.json")
        #expect(text.contains("its rows are in a list: export each as an object of its own, jq -c '.\(path)'"))
        #expect(text.contains(#"{ kind: "DECIDE", path: "orders-{date}.json" }"#))
        // The elements of a list in an order are not rows.
        let items = try self.text(
            shop.map { #"{"orderNo":"\#($0.order)","uid":\#($0.account),"state":"paid","items":[{"order_id":"1"}]}"# },
            "orders-2026-07-13.json")
        #expect(items.contains(#"order_id: "orderNo""#) && !items.contains("in a list"))
    }

    /// Dates as Swift's JSONEncoder writes them.
    @Test func secondsSince2001() throws {
        let text = try text(
            shop.map { $0.record.replacing("\($0.paid)", with: "\($0.paid / 1000 - 978_307_200)") },
            "apple-2026-07-13.jsonl")
        #expect(text.contains(#"{ kind: "DECIDE", path: "apple-{date}.jsonl" }"#))
        #expect(text.contains("12 of 12 purchases are older than the App Store: seconds since 2001"))
    }

    /// A time says that an order was paid, and is no state.
    @Test func aTimeIsNoState() throws {
        let text = try text(
            shop.rows("order_id,user_id,sku,amount,currency,transaction_id,created_at,paid_at") {
                row($0).replacing(",paid,", with: ",") + ($0.number < 3 ? "," : ",\($0.paid)")
            })
        #expect(text.contains(#"status: "DECIDE","#) && text.contains("a query makes it (first-night.md, Files)"))
    }

    /// A price list of which no column has a known name but the product's.
    @Test func aPriceListByItsName() throws {
        let text = try text(
            ["goods_code,ios_id,fee_fen", "8001,com.shop.coins0,600", "8002,com.shop.coins1,3000"],
            "products-2026-07-13.csv")
        #expect(text.contains(#"{ kind: "products","#) && text.contains("// by the file's name"))
        #expect(text.contains(#"product_id: "ios_id""#) && text.contains(#"amount_minor: "DECIDE","#))
    }

    /// A client that writes JSON without doubling its quotes.
    @Test func quotesThatAreUnbalanced() throws {
        let text = try text(shop.rows(Self.header + ",ext") { row($0) + #",{"ver": "3.2"}"# })
        #expect(text.contains("12 rows have unbalanced quotes and would be rejected"))
    }

    /// Apple's names in another spelling, and a price that Apple does not write.
    @Test(arguments: [("transaction_id", "6000"), ("transactionId", "6.5")]) func decodedRecordsWithAFault(
        _ id: String, _ price: String
    ) throws {
        let isSnake = id.contains("_")
        let names = ["originalTransactionId", "bundleId", "productId", "purchaseDate", "signedDate"].map { name in
            isSnake ? name.replacing(/[A-Z]/) { "_" + $0.output.lowercased() } : name
        }
        let rows = shop.map { purchase in
            let time = purchase.paid
            return
                "{\"\(id)\":\"\(purchase.transaction)\",\"\(names[0])\":\"\(purchase.transaction)\",\"\(names[1])\":\"cn.shop\",\"\(names[2])\":\"\(purchase.product)\",\"\(names[3])\":\(time),\"\(names[4])\":\(time),\"type\":\"Consumable\",\"price\":\(price),\"currency\":\"CNY\"}"
        }
        let text = try text(rows, "iap-2026-07-13.jsonl")
        #expect(text.contains(#"kind: "DECIDE", path: "iap-{date}.jsonl""#))
        #expect(
            text.contains("it cannot be read: line 1, as a record of Apple's: \(isSnake ? "transactionId" : "price")"),
            "\(text)")
    }

    @Test func aProductWithinAList() throws {
        let rows = shop.map {
            "{\"_index\":\"o\",\"_source\":{\"order_no\":\"\($0.order)\",\"uid\":\"\($0.account)\",\"items\":[{\"sku\":\"\($0.product)\"}],\"amount\":\($0.major),\"currency\":\"CNY\",\"state\":\"paid\",\"txn\":\"\($0.transaction)\",\"ctime\":\($0.paid)}}"
        }
        let text = try text(rows, "orders-2026-07-13.jsonl")
        #expect(text.contains(#"product_id: "DECIDE","#))
        #expect(text.contains("jq -c '.product_id = ._source.items[0].sku' makes it a column"), "\(text)")
    }

    /// A shop has a table of orders a month, and gave the newest one.
    @Test(arguments: [80, 240]) func aTableOfOrdersThatIsMissing(_ known: Int) throws {
        let shop = Purchase.all(240)
        try samples.write(
            shop.suffix(known).map { $0 }.rows(Self.header, row), to: "orders-2026-07-13.csv")
        let text = try text(
            shop.rows("log_id,order_id,user_id,credited_at") {
                "C\($0.number),\($0.order),\($0.account),\($0.paid + 60_000)"
            }, "credits-2026-07-13.csv")
        #expect(text.contains("is a table of orders missing?") == (known < 240), "\(text)")
        #expect(text.contains(#"order_id: "DECIDE order_id""#) == (known < 240))
    }

    @Test func aStateOfRefunds() throws {
        let text = try text(
            shop.rows(Self.header) { row($0).replacing(",paid,", with: $0.number % 9 == 0 ? ",REFUND," : ",paid,") })
        #expect(text.contains(#""REFUND": "refunded""#))
    }
}
