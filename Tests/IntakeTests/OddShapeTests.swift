import Base
import Domain
import Intake
import Testing

/// Shapes of exports that were refused once: titles, footers, types in the second line, deletions, amounts and times as
/// people write them, columnar files.
@Suite struct OddShapeTests {
    private let header = "order_id,account_id,product_id,status,created_at,amount,currency\n"

    private func row(_ id: String, amount: String = "6.00", at: String = "2026-11-20T01:00:00Z") -> String {
        "\(id),7,p,paid,\(at),\(amount),CNY\n"
    }

    @Test(arguments: [
        "2026-11-20 01:00:00.000 UTC", "2026-11-20 01:00:00 UTC", "2026-11-20 01:00 UTC", "2026-11-20 01:00:00+00",
        "2026-11-20 01:00:00 Z", "2026-11-20 09:00:00 +0800", "2026-11-20 09:00:00 +08", "2026/11/20 1:00 UTC",
    ])
    func anOffsetMayStandAfterABlank(_ time: String) throws {
        let shanghai = feed(.orders, zone: Zone("Asia/Shanghai")!)
        let read = try contents(header + row("A", at: time), shanghai)
        #expect(read.evidence.orders.first?.createdAt.text == "2026-11-20T01:00:00Z", "\(read.rejects)")
    }

    @Test(arguments: [
        "2026-11-20 01:00:00  UTC", "2026-11-20 01:00:00 CST", "2026-11-20 01:00:00UTC", "2026-11-20 01:00:00 ",
        "2026-11-20 01:00:00 UTC+8", "20/11/2026 01:00", "11/20/2026 01:00", "20.11.2026 01:00",
    ])
    func noOtherTimeIsGuessed(_ time: String) throws {
        let read = try contents(header + row("A", at: time), feed(.orders))
        #expect(read.rejects.map(\.column) == ["created_at"])
        #expect(read.rejects.first?.reason.contains("timeFormat") == true)
    }

    @Test(
        arguments: [
            ("dd/MM/yyyy HH:mm", "20/11/2026 09:00"), ("MM/dd/yyyy HH:mm:ss", "11/20/2026 09:00:00"),
            ("d.M.yyyy H:mm", "20.11.2026 9:00"), ("M/d/yyyy h:mm a", "11/20/2026 9:00 AM"),
            ("yyyyMMddHHmmss", "20261120090000"), ("yyyy年MM月dd日 HH:mm", "2026年11月20日 09:00"),
            ("dd/MM/yyyy HH:mm:ss.SSS", "20/11/2026 09:00:00.000"), ("dd/MM/yyyy HH:mm", "20/11/2026 03:00 +02:00"),
        ])
    func theFeedSaysHowTimesAreWritten(_ pattern: String, _ time: String) throws {
        var orders = feed(.orders, zone: Zone("Asia/Shanghai")!)
        orders.timeFormat = TimeFormat(pattern)
        let read = try contents(header + row("A", at: time), orders)
        #expect(read.evidence.orders.first?.createdAt.text == "2026-11-20T01:00:00Z", "\(read.rejects)")
        // A feed has one form of times: no other is tried.
        let other = try contents(header + row("A", at: "2026-11-20T01:00:00Z"), orders)
        #expect(other.rejects.first?.reason.contains("the feed's timeFormat") == true)
    }

    @Test func timesThatDoNotExistAreRejected() throws {
        var orders = feed(.orders)
        orders.timeFormat = TimeFormat("MM/dd/yyyy h:mm a")
        for time in [
            "20/11/2026 9:00 AM", "02/30/2026 9:00 AM", "11/20/2026 13:00 PM", "11/20/2026 0:30 AM", "11/20/2026 9:00",
        ] {
            #expect(try contents(header + row("A", at: time), orders).rejects.count == 1, "\(time)")
        }
        let noon = try contents(
            header + row("A", at: "11/20/2026 12:30 PM") + row("B", at: "11/20/2026 12:30 AM"), orders)
        #expect(noon.evidence.orders.map(\.createdAt.text) == ["2026-11-20T12:30:00Z", "2026-11-20T00:30:00Z"])
    }

    @Test(arguments: [
        "dd/MM/yyyy", "HH:mm", "dd/MM/yy HH:mm", "dd/MM/yyyy hh:mm", "dd/MM/yyyy HH:mm a", "dd/dd/yyyy HH:mm",
        "dd/MM/yyyy HH:mm z", "",
    ])
    func aFormatIsWhole(_ pattern: String) { #expect(TimeFormat(pattern) == nil) }

    @Test(
        arguments: [
            (",", nil, "6,00", 600), (",", ".", "1.006,00", 100_600), (",", " ", "1 006,00", 100_600),
            (",", " ", "1\u{A0}006,00", 100_600), (",", ".", "-1.006,5", -100_650), (".", ",", "1,006.00", 100_600),
            (".", ",", "¥1,006.00", 100_600), (".", ",", "￥ 1,006", 100_600), (".", ",", "-¥1,006.00", -100_600),
            (".", ",", "¥-6.00", -600), (".", nil, "¥6.00", 600), (".", nil, "6.00 CNY", 600), (".", nil, "6元", 600),
            (".", ",", "1,234,567.89", 123_456_789), (".", "'", "1'006.00", 100_600), (",", ".", "1.006", 100_600),
        ] as [(Character, Character?, String, Int64)])
    func amountsAreReadAsTheFeedSays(
        _ decimal: Character, _ grouping: Character?, _ text: String, _ minor: Int64
    ) throws {
        var orders = feed(.orders)
        orders.amounts.decimal = decimal
        orders.amounts.grouping = grouping
        let read = try contents(header + row("A", amount: "\"\(text)\""), orders)
        #expect(read.evidence.orders.first?.amount?.minor == minor, "\(read.rejects)")
    }

    @Test(
        arguments: [
            (".", nil, "1,006.00"), (".", nil, "6,00"), (",", nil, "6.00"), (",", ".", "10.06,00"),
            (".", ",", "1,06.00"),
            (".", ",", "$6.00"), (".", ",", "€6.00"), (".", ",", "6.00 USD"), (".", ",", ",006.00"),
            (".", ",", "--6.00"),
            (".", ",", "¥"), (".", ",", "¥¥6.00"), (",", ".", "1,006.00"), (".", ",", "1 006.00"),
            (".", ",", "-¥-6.00"),
        ] as [(Character, Character?, String)])
    func noOtherAmountIsGuessed(_ decimal: Character, _ grouping: Character?, _ text: String) throws {
        var orders = feed(.orders)
        orders.amounts.decimal = decimal
        orders.amounts.grouping = grouping
        #expect(try contents(header + row("A", amount: "\"\(text)\""), orders).rejects.map(\.column) == ["amount"])
    }

    @Test func aSignIsNotThatOfMinorUnits() throws {
        let text = header.replacing("amount", with: "amount_minor") + row("A", amount: "¥600") + row("B", amount: "600")
        let read = try contents(text, feed(.orders))
        #expect(read.rejects.map(\.column) == ["amount_minor"] && read.evidence.orders.map(\.amount?.minor) == [600])
    }

    @Test func aTitleAboveTheHeader() throws {
        var orders = feed(.orders)
        let text = "\u{FEFF}订单明细 2026-11-20\n\n" + header + row("A")
        #expect(try refusal(text.utf8, orders).reason.contains("skipLines"))
        for count in [1, 2] {
            orders.skipped.lines = count
            let read = try contents(text, orders)
            #expect(read.evidence.orders.map(\.id) == ["A"] && read.evidence.orders.map(\.source.line) == [4])
        }
        orders.skipped.lines = 9
        #expect(try refusal(text.utf8, orders).reason.contains("empty"))
        // What the file is shows before lines are skipped.
        #expect(try refusal("PAR1\n\n".utf8, orders).reason.contains("Parquet"))
        // Lines that are skipped may be longer than a block.
        orders.skipped.lines = 1
        let long = String(repeating: "x", count: 300_000) + "\n" + header + row("A")
        #expect(try contents(long, orders, block: 64).evidence.orders.count == 1)
    }

    @Test func typesInTheSecondLine() throws {
        var orders = feed(.orders)
        let types =
            "UInt64,Nullable(String),LowCardinality(String),Enum8,DateTime64,\"Decimal(18, 2)\",FixedString(3)\n"
        let read = try contents(header + types + row("A"), orders)
        #expect(read.rejects.map(\.line) == [2] && read.rejects[0].reason.contains("skipAfterHeader: 1"))
        #expect(read.evidence.orders.map(\.source.line) == [3])
        // The same words further down, or one other word, are a row.
        for text in [header + row("A") + types, header + types.replacing("Enum8", with: "paid") + row("A")] {
            #expect(try contents(text, orders).rejects.first?.reason.contains("skipAfterHeader") == false)
        }
        let dashes = header.filter { $0 == "," || $0 == "\n" }.replacing(",", with: "--,").replacing(
            "\n", with: "---\n")
        #expect(try contents(header + dashes + row("A"), orders).rejects[0].reason.contains("skipAfterHeader: 1"))
        orders.skipped.afterHeader = 1
        #expect(try contents(header + types + row("A"), orders).rejects.isEmpty)
        #expect(try contents(header + types, orders).totals.rows == 0)
        #expect(try refusal(header.utf8, orders).reason.contains("skipAfterHeader"))
    }

    private func withFooter(_ footer: [String: String] = ["order_id": "合计"]) -> Feed {
        var orders = feed(.orders)
        orders.footer = footer
        return orders
    }

    @Test func aFooterIsNoRowAndIsCompared() throws {
        let rows = header + row("A") + row("B", amount: "1.50")
        for footer in ["合计,,,,,7.50,", "合计,,,,,,", "合计", "合计,,,,,¥7.5000,CNY"] {
            let read = try contents(rows + footer + "\n", withFooter())
            #expect(read.totals.rows == 2 && read.rejects.isEmpty && read.evidence.orders.count == 2, "\(footer)")
        }
        let counted = withFooter(["order_id": "共{rows}笔"])
        #expect(try contents(rows + "共2笔,,,,,7.50,\n", counted).totals.rows == 2)
        #expect(try contents(rows + "共2笔", counted).totals.rows == 2)
        let english = withFooter(["order_id": "({rows} rows)"])
        #expect(try contents(header + row("A") + "(1 row)\n", english).totals.rows == 1)
        #expect(
            try refusal((rows + "(1 row)\n").utf8, english).reason.contains(
                "has 2 rows, but its footer, line 4, says 1"))
        for (footer, feed, reason) in [
            ("合计,,,,,9.00,\n", withFooter(), "adds up to 7.5000, but its footer, line 4, says 9.00"),
            ("合计,,,,,x,\n", withFooter(), "“x” under amount"), ("", withFooter(), "it has no footer"),
            ("合计\n" + row("C"), withFooter(), "stand after its footer, line 4"),
            ("合计\n合计\n", withFooter(), "stand after its footer"),
            ("共3笔\n", counted, "it has 2 rows, but its footer, line 4, says 3"), ("共x笔\n", counted, "no footer"),
            ("#end\n共2笔\n", counted, "it has 3 rows (1 rejected), but its footer, line 5, says 2"),
        ] {
            let found = try refusal((rows + footer).utf8, feed, share: 1_000_000).reason
            #expect(found.contains(reason), "\(found)")
        }
        #expect(try refusal(header.replacing("order_id", with: "id").utf8, counted).reason.contains("order_id"))
        #expect(try contents(header + "合计,,,,,0.00,\n", withFooter()).totals.rows == 0)
    }

    @Test func aFooterIsComparedWithAllBlocks() throws {
        let rows = (0..<2000).map { row("A\($0)") }.joined()
        let counted = withFooter(["order_id": "{rows}"])
        for threads in [1, 4] {
            let text = header + rows + "2000,,,,,\"12,000.00\",\n"
            var grouped = counted
            grouped.amounts.grouping = ","
            #expect(try contents(text, grouped, threads: threads, block: 512).totals.rows == 2000)
            #expect(throws: Unexpected.self) {
                try contents(header + rows + "1999,,,,,,\n", counted, threads: threads, block: 512)
            }
        }
    }

    @Test func amountsOfRejectedRowsAreNotCompared() throws {
        let text = header + row("A") + row("B", amount: "x") + "合计,,,,,9.00,\n"
        #expect(try contents(text, withFooter()).rejects.count == 1)
        let mixed = header + row("A") + "B,7,p,paid,2026-11-20T01:00:00Z,600,JPY\n" + "合计,,,,,606.00,\n"
        #expect(try contents(mixed, withFooter()).totals.rows == 2)
    }

    @Test func aDeletionIsCountedAndIsNoEvidence() throws {
        var orders = feed(
            .orders,
            columns: [
                "order_id": "after.id", "account_id": "after.uid", "product_id": "after.sku", "status": "after.state",
                "created_at": "after.at",
            ])
        let rows = [
            #"{"before":null,"after":{"id":1,"uid":7,"sku":"p","state":"paid","at":1763435045000},"op":"c"}"#,
            #"{"before":{"id":1},"after":null,"op":"d"}"#,
        ].joined(separator: "\n")
        #expect(try contents(rows + "\n", orders, name: "a.jsonl").rejects.count == 1)
        orders.deletes = ["op": ["d", "t"]]
        let read = try contents(rows + "\n", orders, name: "a.jsonl")
        #expect(read.deleted == 1 && read.totals.rows == 1 && read.rejects.isEmpty && read.leftOut == 0)
        #expect(read.evidence.orders.map(\.id) == ["1"])
        orders.deletes["source"] = ["x"]
        #expect(try contents(rows + "\n", orders, name: "a.jsonl").deleted == 0)
        var table = feed(.orders)
        table.deletes = ["gone": ["1"]]
        table.conditions = ["account_id": ["8"]]
        let csv = "gone," + header + "1,B,7,,,x,,\n0," + row("A")
        let told = try contents(csv, table)
        #expect(told.deleted == 1 && told.leftOut == 1 && told.rejects.isEmpty)
        #expect(try refusal((header + row("A")).utf8, table).reason.contains("deletes names it"))
    }

    /// A new word is not left out with those that are named.
    @Test func rowsAreLeftOutByName() throws {
        var orders = feed(.orders)
        orders.excluded = ["way": ["alipay", ""]]
        let csv = "way," + header + ["apple,", "alipay,", ",", "new,"].map { $0 + row("A\($0.count)") }.joined()
        let read = try contents(csv, orders)
        #expect(read.evidence.orders.map(\.id) == ["A6", "A4"] && read.leftOut == 2)
        orders.excluded["status"] = ["created"]
        #expect(try contents(csv, orders).leftOut == 0)
        #expect(try refusal((header + row("A")).utf8, orders).reason.contains("whereNot names it"))
    }

    /// Nobody has said what a new word of such a column means.
    @Test func wordsThatNobodyKnows() throws {
        var orders = feed(.orders)
        orders.excluded = ["state": ["failed"]]
        orders.known = ["state": ["ok", "failed"]]
        let csv = "state," + header + ["ok,", "failed,", "expired,", ","].map { $0 + row("A\($0.count)") }.joined()
        let read = try contents(csv, orders)
        #expect(read.evidence.orders.map(\.id) == ["A3"] && read.leftOut == 1)
        let none = "“state” is “expired”, which known does not list; list it there if such rows count"
        #expect(read.rejects.map(\.line) == [4, 5] && read.rejects[0].reason.hasPrefix(none), "\(read.rejects)")
        #expect(try refusal((header + row("A")).utf8, orders).reason.contains("whereNot names it"))
        orders.excluded = [:]
        #expect(try refusal((header + row("A")).utf8, orders).reason.contains("known names it"))
    }

    @Test func secondsSince2001AreDoubted() throws {
        func doubts(_ time: Int) throws -> String {
            let text = "order_id,account_id,product_id,status,created_at\n1,7,p,paid,\(time)\n"
            let read = try contents(text, feed(.orders))
            return FeedSample(read, feed: feed(.orders), zone: .utc).doubts.joined()
        }
        #expect(try doubts(815_501_467).contains("seconds since 2001, as Swift writes it?"))
        #expect(try doubts(46_340).contains("days, as Excel has it?"))
    }

    /// An order that names no transaction is compared by its token.
    @Test func theTimesOfTokens() throws {
        let token = "0f8fad5b-d9cb-469f-a165-70867728950e"
        let rows =
            "order_id,account_id,product_id,status,created_at,app_account_token\n1,7,p,paid,1783900800,\(token)\n"
        let sample = FeedSample(try contents(rows, feed(.orders)), feed: feed(.orders), zone: .utc)
        #expect(sample.times == [Identifier(token): Instant(milliseconds: 1_783_900_800_000)])
    }

    @Test func idsWithAPointAreDoubted() throws {
        let rows = (1..<6).map { "\($0),20000008300020\($0).0,7,2026-11-20T01:00:00Z\n" }.joined()
        let read = try contents("credit_id,transaction_id,account_id,credited_at\n" + rows, feed(.credits))
        #expect(FeedSample(read, feed: feed(.credits), zone: .utc).doubts.joined().contains("as numbers with a point"))
    }

    @Test func anIdOfSeveralPurchasesIsDoubted() throws {
        let header = "credit_id,order_id,account_id,kind,credited_at\n"
        let rows = (1...3).map { "1,O\($0),7,reversal,2026-11-20T01:00:00Z\n" }.joined()
        func doubts(_ text: String) throws -> [String] {
            FeedSample(try contents(header + text, feed(.credits)), feed: feed(.credits), zone: .utc).doubts
        }
        #expect(try doubts(rows).contains { $0.hasPrefix("2 of 3 rows have the id of another purchase") })
        #expect(try doubts("1,O1,7,credit,2026-11-20T01:00:00Z\n1,O1,7,reversal,2026-11-20T02:00:00Z\n") == [])
    }

    @Test(arguments: [
        ("PAR1\u{15}", "read_parquet"), ("ORC\u{8}", "pyarrow"), ("Obj\u{1}\u{4}", "fastavro"),
        ("PK\u{3}\u{4}…[Content_Types].xml", "in2csv -I"),
    ])
    func aFileOfAnotherKindIsNamedWithTheCommandThatConvertsIt(_ start: String, _ command: String) throws {
        #expect(try refusal(start.utf8, feed(.orders)).reason.contains(command))
        #expect(try refusal(start.utf8, feed(.transactions), name: "t").reason.contains(command))
    }
}
