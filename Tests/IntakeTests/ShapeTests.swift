import Domain
import Intake
import Testing

/// Exports as backends write them, read with configuration alone. docs/use/feeds.md shows the same shapes.
@Suite struct ShapeTests {
    private let shanghai = Zone("Asia/Shanghai")!

    @Test func anOrderTableOfMySQL() throws {
        var orders = feed(
            .orders,
            columns: [
                "order_id": "id", "account_id": "user_id", "product_id": "sku", "amount": "price",
                "transaction_id": "apple_tx_id", "status": ColumnSource(name: "pay_status", words: ["3": "credited"]),
            ], zone: shanghai)
        let text = """
            id,user_id,sku,price,currency,pay_status,apple_tx_id,created_at\r
            90001002,700002,pet.coin300,30.00,CNY,3,2000000950000826,2026-11-19 01:03:00\r
            90001003,700003,pet.coin60,6.00,CNY,3,\\N,2026-11-19 01:36:00\r

            """
        let read = try contents(text, orders).evidence.orders
        #expect(read.map(\.id) == ["90001002", "90001003"] && read.map(\.status) == [.credited, .credited])
        #expect(read.map(\.amount?.minor) == [3000, 600] && read.map(\.transaction) == ["2000000950000826", nil])
        #expect(read[0].createdAt.text == "2026-11-18T17:03:00Z")
        orders.columns["currency"] = ColumnSource(value: "JPY")
        #expect(try contents(text, orders).evidence.orders.first?.amount == Money(minor: 30, currency: "JPY"))
    }

    @Test func nestedJSON() throws {
        let orders = feed(
            .orders,
            columns: [
                "order_id": "order.no", "status": ColumnSource(name: "order.state", words: ["DELIVERED": "credited"]),
                "account_id": "buyer.uid", "product_id": "item.sku", "quantity": "item.count",
                "amount_minor": "money.cents", "currency": "money.ccy", "created_at": "times.created",
                "transaction_id": "apple.ids.transactionId",
            ])
        let rows = [
            #"{"order":{"no":"W1","state":"DELIVERED","note":{"a":[1]}},"buyer":{"uid":7},"item":{"sku":"p","count":2},"money":{"cents":600,"ccy":"CNY"},"apple":{"ids":{"transactionId":"2000000950000826"}},"times":{"created":1763435045000}}"#,
            #"{"times":{"created":1763435045000},"apple":null,"money":{},"item":{"sku":"p"},"buyer":{"uid":"8"},"order":{"state":"paid","no":"W\u0032"}}"#,
            #"{"order.no":"W3","order":{"state":"paid"},"buyer":{"uid":9},"item":{"sku":"p"},"times":{"created":1763435045000}}"#,
        ]
        let read = try contents(rows.joined(separator: "\n"), orders, name: "w.jsonl")
        #expect(read.evidence.orders.map(\.id) == ["W1", "W2", "W3"] && read.rejects.isEmpty)
        #expect(read.evidence.orders.map(\.account) == ["7", "8", "9"])
        #expect(read.evidence.orders.map(\.transaction) == ["2000000950000826", nil, nil])
        #expect(read.evidence.orders.map(\.amount?.minor) == [600, nil, nil])
        #expect(read.ignoredColumns == ["note"])
    }

    @Test(arguments: [
        (#"{"order":"W1","buyer":7}"#, nil, "name members of an object"),
        (#"{"order":{"no":{"a":1}},"buyer":7}"#, "order_id", "is an object or a list"),
        (#"{"order":{"no":"1","no":"2"},"buyer":7}"#, nil, "occurs twice"),
        (#"{"order":{"no":"1"},"Order":{"NO":"2"},"buyer":7}"#, "order_id", "occurs twice"),
        (#"{"order":{},"buyer":7}"#, "order_id", "no value under “order.no”"), (#"{"order":{"no":"1"#, nil, "JSON"),
    ])
    func aFaultOnAPathIsNamed(_ row: String, _ column: String?, _ reason: String) throws {
        let orders = feed(.orders, columns: ["order_id": "order.no", "account_id": "buyer"])
        let read = try contents(row + "\n", orders, name: "w.jsonl")
        #expect(read.rejects.map(\.column) == [column])
        #expect(read.rejects.first?.reason.contains(reason) == true, "\(read.rejects.first?.reason ?? "")")
    }

    /// What `mysql --batch` and `COPY` write: quotes mean themselves, and a backslash escapes.
    @Test func theTextFormatHasEscapesAndNoQuotes() throws {
        var orders = feed(.orders, format: .text)
        let header = "order_id\taccount_id\tproduct_id\tstatus\tcreated_at\tnote"
        let rows = [
            #"A\#t"7\#tcoins\#tpaid\#t0\#t"open"#, #"B\\b\#ta\\1\#tcoins\#tpaid\#t0\#t{"a": "b\nc\td"}"#,
            #"C\#t\N\#tcoins\#tpaid\#t0\#tx"#, #"D\q\#td\#tcoins\#tpaid\#t0\#t\N"#,
        ]
        let text = ([header] + rows).map { $0 + "\n" }.joined()
        for block in [16, 40, 4096] {
            let read = try contents(text, orders, name: "o.tsv", block: block)
            #expect(read.evidence.orders.map(\.id) == ["A", #"B\b"#, #"D\q"#], "block \(block)")
            #expect(read.evidence.orders.map(\.account) == ["\"7", #"a\1"#, "d"])
            #expect(read.rejects.map(\.line) == [4])
        }
        orders.format = nil
        let read = try contents(text, orders, name: "o.tsv")
        #expect(read.rejects.first?.reason.contains(#"or set format: "text""#) == true, "\(read.rejects)")
    }

    private var grants: Feed {
        feed(
            .credits,
            columns: [
                "credit_id": "grant", "order_id": "order", "transaction_id": "tx", "account_id": "player",
                "kind": ColumnSource(name: "reversal", words: ["t": "reversal", "f": "credit"]),
                "origin": ColumnSource(name: "gm", words: ["t": "desk", "f": "auto"]), "credited_at": "at",
            ])
    }

    private static let grantRows = """
        40001\tW1\t2000000950000157\t7\tpet.coin300\tf\tt\t2026-11-19 00:30:08.000+08
        40002\t\\N\t2000000950000826\t8\tpet.coin300\tt\tf\t2026-11-19 01:03:08.000+08

        """
    private static let grantNames = ["grant", "order", "tx", "player", "item", "reversal", "gm", "at"]

    @Test func aCopyOfPostgreSQLWithoutHeader() throws {
        var bare = grants
        bare.header = Self.grantNames
        for (text, name) in [(Self.grantRows, "g.tsv"), (Self.grantRows.replacing("\t", with: ","), "g.csv")] {
            let read = try contents(text, bare, name: name)
            #expect(read.evidence.credits.map(\.id) == ["40001", "40002"])
            #expect(read.evidence.credits.map(\.source.line) == [1, 2])
            #expect(read.evidence.credits.map(\.kind) == [.credit, .reversal])
            #expect(read.evidence.credits.map(\.origin) == [.desk, .auto])
            #expect(read.evidence.credits.map(\.order) == ["W1", nil])
            #expect(read.ignoredColumns == ["item"])
        }
        #expect(try contents("\n", bare, name: "g.tsv").totals.rows == 0)
        #expect(try refusal("".utf8, bare, name: "g.tsv").reason.contains("empty"))
        bare.header = ["grant", "player"]
        #expect(try refusal(Self.grantRows.utf8, bare).reason.contains("columns maps credited_at to it"))
        // Not required, but every reversal would be read as a credit.
        bare.header = Self.grantNames.map { $0 == "reversal" ? "undone" : $0 }
        #expect(try refusal(Self.grantRows.utf8, bare).reason.contains("no column reversal; columns maps kind to it"))
    }

    @Test func theSameWithAHeader() throws {
        let text = Self.grantNames.joined(separator: "\t") + "\n" + Self.grantRows
        let read = try contents(text, grants, name: "g.tsv")
        #expect(read.evidence.credits.map(\.kind) == [.credit, .reversal] && read.rejects.isEmpty)
        let odd = try contents(text.replacing("\tf\tt", with: "\tx\tt"), grants, name: "g.tsv")
        #expect(odd.rejects.map(\.column) == ["kind"])
        #expect(
            odd.rejects[0].reason.contains("“x” is not one of credit, reversal; map your own words under columns.kind"))
    }

    /// “补单编号,…,类型,时间” and two rows, in GBK.
    private static let desk: [UInt8] =
        [0xB2, 0xB9, 0xB5, 0xA5, 0xB1, 0xE0, 0xBA, 0xC5] + Array(",order,player,".utf8) + [
            0xC0, 0xE0, 0xD0, 0xCD, 0x2C,
        ]
        + [0xCA, 0xB1, 0xBC, 0xE4] + Array("\r\n40124,90001126,7,".utf8) + [0xB2, 0xB9, 0xB7, 0xA2]
        + Array(",2026/11/19 9:05\r\n40152,90001154,8,".utf8) + [0xBF, 0xDB, 0xBB, 0xD8]
        + Array(",2026/11/9 12:30:07\r\n".utf8)

    @Test func theDesksListOfExcelInGBK() throws {
        var list = feed(
            .credits,
            columns: [
                "credit_id": "补单编号", "order_id": "order", "account_id": "player", "credited_at": "时间",
                "origin": ColumnSource(value: "desk"),
                "kind": ColumnSource(name: "类型", words: ["补发": "credit", "扣回": "reversal"]),
            ], zone: shanghai)
        list.encoding = .gbk
        let read = try contents(Self.desk, list)
        #expect(read.evidence.credits.map(\.kind) == [.credit, .reversal])
        #expect(read.evidence.credits.map(\.origin) == [.desk, .desk])
        #expect(read.evidence.credits.map(\.creditedAt.text) == ["2026-11-19T01:05:00Z", "2026-11-09T04:30:07Z"])
        list.encoding = .gb18030
        #expect(try contents(Self.desk, list).evidence.credits.count == 2)
        list.encoding = .utf8
        #expect(try refusal(Self.desk, list).reason.contains("set encoding: \"gbk\""))
    }

    @Test func applesAnswersAreReadInAnyLayout() throws {
        var vouched = feed(.transactions)
        vouched.trust = .backend
        let first =
            #"{"transactionId":"2000000000000001","productId":"p","purchaseDate":1763435045000,"environment":"Production","bundleId":"com.example.game"}"#
        let second = first.replacing("0001", with: "0002")
        let pretty = first.replacing(",", with: ",\n  ").replacing("{", with: "{\n  ").replacing("}", with: "\n}")
        let layouts = [
            first + "\n" + second, pretty + "\n" + second, pretty + second, "[\(pretty),\n\(second)]\n",
            "\u{feff} [\n\(first)\n,\(pretty.replacing("0001", with: "0002"))]", "[" + first + "]\n[" + second + "]",
        ]
        for layout in layouts {
            for block in [16, 100, 1 << 16] {
                let read = try contents(layout, vouched, name: "history.json", threads: 2, block: block)
                #expect(read.evidence.transactions.count == 2 && read.rejects.isEmpty, "\(layout)")
                #expect(read.totals.rows == 2)
            }
        }
        #expect(
            try contents("[\n\(pretty),\n\n\(second)]", vouched, name: "h.json").evidence.transactions.map(
                \.source.line) == [2, 10])
        let answer =
            "{\n  \"status\": 0,\n  \"environment\": \"Production\",\n  \"receipt\": {\n    \"bundle_id\": \"com.example.game\",\n"
            + "    \"in_app\": [{\"transaction_id\": \"2000000000000003\", \"product_id\": \"p\", \"purchase_date_ms\": \"1763435045000\"}]\n  }\n}"
        #expect(
            try contents(answer, vouched, name: "0001.json").evidence.transactions.map(\.id) == ["2000000000000003"])
        // A page with a faulty element, and a list of records: one row each.
        let signed = feed(.transactions)
        #expect(
            try contents("{\n\"signedTransactions\": [\"x.y.z\"]}", signed, name: "h.json").rejects.map(\.column) == [
                "signedTransactions"
            ])
        #expect(try contents("[\"x.y.z\",\n\"x.y.z\"]", signed, name: "h.json").rejects.map(\.line) == [1, 2])
    }

    @Test func aLogWithOtherLinesInBetween() throws {
        var log = feed(
            .receipts,
            columns: [
                "received_at": "@timestamp", "account_id": "ctx.uid", "transaction_id": "ctx.tx",
                "order_id": "ctx.order",
            ])
        log.conditions = ["msg": ["transaction finished", "restored"], "level": ["INFO"]]
        let rows = [
            #"{"@timestamp":"2026-11-18T16:30:06.000Z","level":"INFO","msg":"transaction finished","ctx":{"uid":7,"tx":"2000000950000157","order":"W1"}}"#,
            #"{"@timestamp":"2026-11-18T16:30:06.000Z","level":"ERROR","msg":"restored","ctx":{"uid":7}}"#,
            #"{"level":"INFO","msg":"started","ctx":"none"}"#, #"{"level":"INFO","ctx":{"uid":[1]}}"#,
            #"{"@timestamp":"2026-11-18T16:30:07.000Z","level":"INFO","msg":"restored","ctx":{"uid":8}}"#,
        ]
        let read = try contents(rows.joined(separator: "\n"), log, name: "storekit.log", block: 32)
        #expect(read.evidence.receipts.map(\.account) == ["7", "8"] && read.rejects.isEmpty)
        #expect(read.totals.rows == 2 && read.leftOut == 3)
        #expect(read.evidence.receipts.map(\.source.line) == [1, 5])
        // Whoever misspells the name must not get an empty day.
        log.conditions = ["message": ["transaction finished"]]
        #expect(
            try refusal(rows.joined(separator: "\n").utf8, log, name: "s.log").reason.contains("no row has “message”"))
        log.conditions = ["msg": ["never"]]
        #expect(try contents(rows.joined(separator: "\n"), log, name: "s.log").leftOut == 5)
    }

    @Test func rowsOfOtherChannelsAreLeftOutOfATable() throws {
        var orders = feed(.orders)
        orders.conditions = ["channel": ["apple"]]
        let text =
            orderHeader + ",channel\n" + orderRow("A") + ",apple\n,,,shipped,never,alipay\n" + orderRow("B") + ",\\N\n"
        let read = try contents(text, orders)
        #expect(read.evidence.orders.map(\.id) == ["A"] && read.leftOut == 2 && read.rejects.isEmpty)
        orders.conditions = ["chanel": ["apple"]]
        #expect(try refusal(text.utf8, orders).reason.contains("no column chanel; where names it"))
        orders.conditions = ["status": ["paid"]]
        #expect(try contents(text, orders).evidence.orders.map(\.id) == ["A", "B"])
    }

    @Test func aSecondTablesIdsGetAPrefix() throws {
        let credits = feed(
            .credits,
            columns: [
                "credit_id": ColumnSource(name: "no", prefix: "jp-"),
                "order_id": ColumnSource(name: "no", prefix: "JP"),
            ])
        let text = "no,transaction_id,account_id,credited_at\n1001,,a,0\n\"10\"\"02\",,a,0\n0,2000000000000001,a,0\n"
        let read = try contents(text, credits)
        #expect(read.evidence.credits.map(\.id) == ["jp-1001", "jp-10\"02"])
        #expect(read.evidence.credits.map(\.order) == ["JP1001", "JP10\"02"])
        #expect(read.rejects.map(\.column) == ["credit_id"])
    }

    @Test func theProductListOfExcelInUTF16() throws {
        var products = feed(
            .products,
            columns: [
                "product_id": "商品ID", "name": "名称", "currency": ColumnSource(name: "币种", words: ["人民币": "CNY"]),
                "amount": "价格", "type": ColumnSource(name: "类型", words: ["消耗型": "consumable"]), "valid_from": "起",
            ])
        products.encoding = .utf16
        let text = "商品ID\t类型\t名称\t币种\t价格\t起\r\npet.coin60\t消耗型\t60 金币 🦊\t人民币\t6.00\t2026/1/5\r\n"
        for isBig in [false, true] {
            for mark in ["\u{feff}", ""] {
                let bytes = (mark + text).utf16.flatMap {
                    isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
                }
                if mark.isEmpty, isBig { continue }
                let read = try contents(bytes, products, name: "products.txt", block: 16)
                #expect(read.evidence.products.map(\.name) == ["60 金币 🦊"])
                #expect(read.evidence.products.map(\.type) == [.consumable])
                #expect(read.evidence.products.first?.price == Money(minor: 600, currency: "CNY"))
                #expect(read.evidence.products.first?.validFrom?.text == "2026-01-05")
            }
        }
    }

    @Test(arguments: [";", "\t", "|", ","])
    func theDelimiterIsSeen(_ separator: String) throws {
        let text = (orderHeader + "\n" + orderRow("A") + "\n").replacing(",", with: separator)
        for name in ["o.csv", "o.tsv", "o.txt"] {
            for block in [16, 1 << 16] {
                #expect(try contents(text, feed(.orders), name: name, block: block).evidence.orders.map(\.id) == ["A"])
                let marked = try contents("sep=\(separator)\r\n" + text, feed(.orders), name: name, block: block)
                #expect(marked.evidence.orders.map(\.source.line) == [3])
            }
        }
        var named = feed(.orders)
        named.delimiter = UInt8(ascii: "^")
        #expect(try refusal(text.utf8, named).reason.contains("it has “order_id"))
        #expect(try contents(text.replacing(separator, with: "^"), named).evidence.orders.count == 1)
    }

    @Test func anIdThatExcelRoundedIsRejectedByName() throws {
        let text =
            orderHeader + ",transaction_id\n" + orderRow("A") + ",2.0000009E+15\n" + orderRow("B") + ",2e+15\n"
            + orderRow("2E10") + ",7E+\n" + orderRow("C") + ",2.0000009E+15\n"
        let read = try contents(text, feed(.orders))
        #expect(read.rejects.map(\.line) == [2, 3, 5] && read.evidence.orders.map(\.id) == ["2E10"])
        #expect(read.rejects.allSatisfy { $0.column == "transaction_id" && $0.reason.contains("Excel") })
    }

    @Test func theRenminbiIsCNY() throws {
        let text = orderHeader + ",amount,currency\n" + orderRow("A") + ",6.00,RMB\n" + orderRow("B") + ",6.00,\n"
        let read = try contents(text, feed(.orders))
        #expect(read.rejects.map(\.column) == ["currency"] && read.rejects[0].reason.contains("write CNY"))
        #expect(read.amountsWithoutCurrency == 1)
        let mapped = feed(.orders, columns: ["currency": ColumnSource(words: ["RMB": "CNY", "": "CNY"])])
        #expect(try contents(text, mapped).evidence.orders.map(\.amount?.minor) == [600, 600])
    }

    @Test func namesMayHaveDatesInAnyForm() throws {
        let folder = try Folder()
        for name in ["2026-11-19/o_20261119.csv", "2026-11-19/o_20261120.csv", "o_19.11.2026.csv", "o_20261131.csv"] {
            try folder.write("", to: name)
        }
        func names(_ pattern: String) throws -> [String] {
            let feed = Feed(kind: .orders, path: folder.path + "/" + pattern, name: pattern)
            #expect(feed.isDated)
            return try findFiles(of: [feed], base: folder.path, through: BusinessDate("2026-12-01")!).map {
                #expect(feed.matches($0.name))
                return "\($0.name) \($0.fileDate)"
            }
        }
        #expect(try names("{date}/o_{date:yyyyMMdd}.csv") == ["2026-11-19/o_20261119.csv 2026-11-19"])
        #expect(try names("o_{date:dd.MM.yyyy}.csv") == ["o_19.11.2026.csv 2026-11-19"])
        #expect(try names("o_{date:yyyyMMdd}.csv") == [])
    }
}
