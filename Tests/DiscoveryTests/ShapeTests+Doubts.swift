import Foundation
import Intake
import Testing

/// Exports that do not say all: what is left to a person.
extension ShapeTests {
    /// A table that no record of Apple's speaks of: only names and shapes are left.
    @Test func nothingToCompareWith() throws {
        let others = Purchase.all(8, first: 400, seed: 4)
        try samples.write(
            others.rows("id,uid,goods_id,money,state,time,uuid,serial_no,channel") {
                "\($0.order),\($0.account),\($0.number % 4 + 101),\($0.price),\($0.number % 3 == 0 ? "SUCCESS" : "CLOSED"),\($0.clock("yyyy-MM-dd HH:mm:ss", "Asia/Shanghai")),\($0.token),\($0.transaction),\($0.number % 2)"
            }, to: "t_pay.csv")
        try check(
            Answers(
                "t_pay.csv", "orders?",
                [
                    "order_id": "id", "account_id": "uid", "product_id": "goods_id?", "amount_minor": "?",
                    "amount": "?",
                    "currency": "=CNY?", "status": "state", "created_at": "time", "app_account_token": "uuid?",
                    "transaction_id": "serial_no?",
                ], words: ["status": ["SUCCESS": "paid?", "CLOSED": "cancelled?"]],
                settings: ["timeZone": "Asia/Shanghai?", "where": "channel:1?"]))
    }

    /// A file that bears the day on which it was written; and the first transaction of a subscription beside the order.
    @Test func theDayOfTheExport() throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,currency,status,original_transaction_id,created_at") {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.transaction),\($0.clock("yyyy-MM-dd HH:mm:ssXXX", "Asia/Tokyo", after: 7200))"
            }, to: "orders-2026-07-14.csv")
        try check(
            Answers(
                "orders-{date}.csv", "orders",
                [
                    "order_id": "order_id", "account_id": "user_id", "product_id": "sku", "amount": "amount",
                    "currency": "currency",
                    "status": "status", "created_at": "created_at",
                ]))
        #expect(try samples.proposal().text.contains(#"path: "DECIDE orders-{date}.csv""#))
    }

    /// Both stand behind `//`, because a person decides; without it the configuration is whole.
    @Test func labelsAndCommandsAreProposed() throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,currency,status,transaction_id,created_at,client_ver,区服,os,phone_os")
            {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.transaction),\($0.paid),1.\($0.number % 3),S\($0.number % 4),ios,\($0.number)"
            }, to: "orders-2026-07-13.csv")
        try samples.write(
            shop.rows("grant_id\torder_id\tuser_id\tsku\tgranted_at\tchannel") {
                "\($0.number)\t\($0.order)\t\($0.account)\t\($0.product)\t\($0.clock("yyyy-MM-dd HH:mm:ss", "Asia/Shanghai"))\t\($0.number % 2)"
            }, to: "grants-2026-07-13.tsv")
        let text = try samples.proposal().text
        #expect(text.contains(#"// not used: "os", "phone_os""#))  // one value, and too many
        let root = try JSON5Reader.read(
            text.replacing("// labels", with: "labels").replacing("// command", with: "command"))
        let feeds = try #require(root["feeds"]?.elements)
        #expect(feeds.map { $0["labels"]?.plain } == [nil, "channel:channel", "server:区服,version:client_ver"])
        #expect(
            feeds.map { $0["command"]?.elements.last?.plain } == [
                "transactions.sql", "DATABASE",
                "SELECT * FROM TABLE WHERE \"created_at\" >= extract(epoch FROM timestamptz '{since}') * 1000",
            ])
        #expect(
            feeds[1]["command"]?.elements[5].plain
                == "SELECT 'grant_id', 'order_id', 'user_id', 'sku', 'granted_at', 'channel' UNION ALL SELECT `grant_id`, "
                + "`order_id`, `user_id`, `sku`, `granted_at`, `channel` FROM TABLE WHERE `granted_at` >= LEFT('{since}', 19)"
        )
    }

    /// Where rows say what was given, a state that says so as well hides each row that is missing.
    @Test(arguments: ["credited", "已发货", "已完成"]) func aStateThatRowsConfirmIsLeftToAPerson(_ given: String) throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,currency,status,transaction_id,created_at") {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,\($0.number == 0 ? "paid" : given),\($0.transaction),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        let orders = { (state: String) in
            Answers(
                "orders-{date}.csv", "orders",
                [
                    "order_id": "order_id", "account_id": "user_id", "product_id": "sku", "amount": "amount",
                    "currency": "currency", "status": "status", "transaction_id": "transaction_id",
                    "created_at": "created_at",
                ], words: given == "credited" && state == given ? [:] : ["status": [given: state]])
        }
        try check(orders(given == "已完成" ? "credited?" : "credited"))
        func credits(_ count: Int) throws {
            try samples.write(
                shop.prefix(count).map {
                    "G\($0.number),\($0.order),\($0.account),\($0.paid + 9000)"
                }.reduce(into: ["grant_id,order_id,user_id,granted_at"]) { $0.append($1) },
                to: "grants-2026-07-13.csv")
        }
        // Of 11 orders, the desk gave three; that says nothing of the others.
        try credits(4)
        let few = try samples.proposal().text
        let open = given == "已完成" ? "\"\(given)\": \"DECIDE\"" : "\"\(given)\": \"DECIDE credited\""
        #expect(few.contains(open) && few.contains("3 with a credit") && !few.contains("DECIDE paid"), "\(few)")
        try credits(11)
        let text = try samples.proposal().text
        let mark = given == "已完成" ? "DECIDE" : "DECIDE paid"
        #expect(
            text.contains(#""\#(given)": "\#(mark)""#)
                && text.contains("11 rows, 11 in Apple's records, 10 with a credit: "))
    }

    /// Orders know only the token, and the wallet Apple's id.
    @Test func aStateThatRowsConfirmByApplesId() throws {
        let own = shop.filter { $0.number % 2 == 0 }
        try samples.write(
            own.rows("order_id,user_id,sku,amount,currency,status,app_account_token,created_at") {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,已发货,\($0.token),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        try samples.write(own.map(\.record), to: "apple-2026-07-13.jsonl")
        try samples.write(
            own.rows("id,transaction_id,user_id,granted_at") {
                "\($0.number),\($0.transaction),\($0.account),\($0.paid + 9000)"
            }, to: "grants-2026-07-13.csv")
        let text = try samples.proposal().text
        #expect(
            text.contains(#""已发货": "DECIDE paid""#) && text.contains("6 in Apple's records, 6 with a credit"), "\(text)"
        )
        // Apple's id in each row names the purchase, so `init` asks for no order.
        #expect(!text.contains(#"order_id: "DECIDE"#), "\(text)")
    }

    /// Goods paid through another channel look unpaid, whatever the column is called.
    @Test(arguments: ["付款渠道", "zahlweg"]) func theChannelThatApplesRecordsShow(_ name: String) throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,currency,status,deliver,transaction_id,created_at,\(name)") {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,\($0.number == 0 ? "created" : "paid"),\($0.number % 2),\($0.transaction),\($0.paid),苹果内购"
            } + (1...3).map { "9\($0),7,com.shop.coins1,30.00,CNY,paid,1,W\($0),1783900900000,微信支付" },
            to: "orders-2026-07-13.csv")
        let mark = name == "zahlweg" ? "DECIDE " : ""
        #expect(try samples.proposal().text.contains(#"where: { "\#(name)": "\#(mark)苹果内购" },"#))
    }

    /// The orders of an old version, or the lost ones, do not name Apple's payment.
    @Test(arguments: ["pay_chan", "支付类型", "zahlweg"], [5, 7]) func theChannelThatHalfOfApplesOrdersShow(
        _ name: String, unlinked: Int
    ) throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,currency,status,transaction_id,created_at,\(name)") {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.number < unlinked ? "" : $0.transaction),\($0.paid),IAP"
            } + (1...3).map { "9\($0),7,com.shop.coins1,30.00,CNY,paid,W\($0),1783900900000,WXPAY" },
            to: "orders-2026-07-13.csv")
        let text = try samples.proposal().text
        let isNamed = name != "zahlweg"
        let proposal = #"where: { "\#(name)": "\#(isNamed ? "" : "DECIDE ")IAP" },"#
        #expect(text.contains(proposal) == (isNamed || unlinked == 5), "\(text)")
        // A column that decides is used.
        #expect(text.contains(#"// not used: "\#(name)""#) == (!isNamed && unlinked == 7))
    }

    @Test func applesIdsWithinJSON() throws {
        try samples.write(
            shop.rows("order_id\tuser_id\tsku\tamount\tcurrency\tstatus\tcreated_at\text") {
                "\($0.order)\t\($0.account)\t\($0.product)\t\($0.major)\tCNY\tpaid\t\($0.paid)\t"
                    + #"{"v":1,"iap":{"txid": "\#($0.transaction)"}}"#
            }, to: "orders-2026-07-13.tsv")
        let text = try samples.proposal().text
        #expect(text.contains(#"transaction_id: "DECIDE","#), "\(text)")
        #expect(
            text.contains(#""ext" holds JSON, in which "txid" is Apple's transaction id in 12 of 12 rows"#), "\(text)")
    }

    /// A column of JSON objects is not an id.
    @Test func idsWithinJSONAreNamed() throws {
        try samples.write(
            shop.rows("order_id\tamount\tcurrency\tstatus\tcreated_at\tpayload") {
                "\($0.order)\t\($0.major)\tCNY\tpaid\t\($0.paid)\t"
                    + #"{"uid":"\#($0.account)","sku":"\#($0.product)","tx":"\#($0.transaction)"}"#
            }, to: "orders-2026-07-13.tsv")
        let text = try samples.proposal().text
        #expect(text.contains(#""tx" is Apple's transaction id in 12 of 12 rows"#), "\(text)")
        #expect(text.contains(#"account_id: "DECIDE","#) && text.contains(#""payload" holds JSON with uid, sku, tx: "#))
    }

    /// Nobody joined the table that has both.
    @Test func productsThatAreNeverApples() throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,currency,status,transaction_id,created_at") {
                "\($0.order),\($0.account),A\($0.number % 4),\($0.major),CNY,paid,\($0.transaction),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        let text = try samples.proposal().text
        let why = "0 of 12 are the product of Apple's record of the purchase (A0 is com.shop.coins0)"
        #expect(text.contains(#"product_id: "DECIDE sku","#) && text.contains(why), "\(text)")
    }

    @Test func aStrangeNameOfOrdersThatAnotherFileNames() throws {
        try samples.write(
            shop.rows("zzz,user_id,sku,amount,currency,status,transaction_id,created_at") {
                "O\($0.order),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.transaction),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        try samples.write(
            shop.rows("credit_id,order_no,user_id,credited_at") {
                "C\($0.number),O\($0.order),\($0.account),\($0.paid)"
            }, to: "credits-2026-07-13.csv")
        #expect(try samples.proposal().text.contains(#""order_no" of another file names 12 of 12"#))
    }

    /// A column with one value is not a state, and neither is an amount.
    @Test func aStateIsNeitherAConstantNorAnAmount() throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,fen,币别,transaction_id,created_at,how_far") {
                "\($0.order),\($0.account),\($0.product),\($0.price),CNY,\($0.transaction),\($0.paid),\(["done", "open"][$0.number % 2])"
            }, to: "orders-2026-07-13.csv")
        #expect(try samples.proposal().text.contains(#"status: { from: "DECIDE how_far""#))
        try samples.write(
            shop.rows {
                #"{"Item":{"order_id":{"S":"\#($0.order)"},"user_id":{"S":"\#($0.account)"},"sku":{"S":"\#($0.product)"},"amount":{"N":"\#($0.major)"},"#
                    + #""status":{"S":"paid"},"transaction_id":{"S":"\#($0.transaction)"},"created_at":{"N":"\#($0.paid)"}}}"#
            }, to: "orders-2026-07-13.jsonl")
        #expect(try samples.proposal().text.contains(#"status: "Item.status.S""#))
    }

    /// Nothing to compare with, and a name that is known only for its unit: 600 fen are not 600 yuan.
    @Test func fenThatNoPriceConfirms() throws {
        try samples.write(
            Purchase.all(8, first: 400, seed: 4).rows("order_id,user_id,sku,fee_fen,status,created_at") {
                "\($0.order),\($0.account),\($0.product)x,\($0.price),paid,\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        #expect(try samples.proposal().text.contains(#"amount_minor: "DECIDE""#))
    }

    /// Apple's records where `init` cannot read them as such: in a column of a table, and over several lines.
    @Test func applesRecordsInAnotherShape() throws {
        try samples.write(
            shop.rows("id,got_at,body") { "\($0.number),\($0.paid),\"\($0.record.replacing("\"", with: "\"\""))\"" },
            to: "notify-2026-07-13.csv")
        try samples.write(shop.map { $0.record.replacing(",", with: ",\n  ") }, to: "pretty-2026-07-13.jsonl")
        let text = try samples.proposal().text
        #expect(text.contains("\"body\" may have Apple's records: export this column alone"))
        #expect(
            text.contains(
                "a record over several lines belongs into a file named .json, and a line end between joined files (awk 1)"
            ))
    }

    /// A workbook, and a dump: neither is a feed.
    @Test func whatIsNoTable() throws {
        try samples.write([0x50, 0x4B, 0x03, 0x04, 1, 2, 3], to: "orders.xlsx")
        try samples.write(["-- MySQL dump 10.13", "INSERT INTO `orders` VALUES (1);"], to: "dump.sql")
        try samples.write(Array("id\tpaid\n".utf8) + [0x9F, 0x01, 0xC3, 0x28, 0xFF, 0x0A], to: "t_order.tsv")
        let text = try samples.proposal().text
        #expect(text.contains("export it as UTF-8, and columns of bytes or bits as text: HEX(id), paid + 0"), "\(text)")
        #expect(text.contains(#"kind: "DECIDE", path: "orders.xlsx""#) && text.contains("ZIP archive"))
        #expect(text.contains(#"kind: "DECIDE", path: "dump.sql""#) && text.contains("database dump"))
        #expect(text.contains("Correct the file, delete this configuration and run init again"))
    }

    /// A wrong use leaves lost orders without an owner, and no account here has two orders.
    @Test func aTokenThatNothingExplains() throws {
        try samples.write(
            shop.filter { $0.number % 2 == 0 }.rows(
                "order_id,user_id,sku,amount,currency,status,app_account_token,created_at"
            ) {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.token),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        #expect(try samples.proposal().text.contains(#"appAccountToken: "DECIDE","#))
        // The next day's export holds them once more.
        try FileManager.default.copyItem(
            atPath: samples.path + "/orders-2026-07-13.csv", toPath: samples.path + "/orders-2026-07-14.csv")
        #expect(try samples.proposal().text.contains(#"appAccountToken: "DECIDE","#))
        try FileManager.default.removeItem(atPath: samples.path + "/orders-2026-07-14.csv")
        // The same orders, where the app gives StoreKit the customer's id.
        try samples.write(
            shop.filter { $0.number % 2 == 0 }.rows(
                "order_id,user_id,sku,amount,currency,status,app_account_token,created_at"
            ) {
                "\($0.order),\($0.token.uppercased()),\($0.product),\($0.major),CNY,paid,\($0.token),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        #expect(try samples.proposal().text.contains(#"appAccountToken: "account","#))
    }

    /// Whole tables of orders beside a younger log of Apple's: each older order would have no payment.
    @Test func ordersThatAreOlderThanApplesRecords() throws {
        try samples.write(shop.records, to: "apple-2026-07-13.jsonl")
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,currency,status,created_at") {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.paid - 864_000_000 * Int64($0.number % 2))"
            }, to: "orders-2026-07-13.csv")
        let text = try samples.proposal().text
        #expect(text.contains(#"historyFrom: "DECIDE 2026-07-13""#))
        #expect(text.contains("Apple's records go back to 2026-07-13, the orders to 2026-07-03"))
    }

    /// A currency's code in the amount, or a sign that the alphabet has.
    @Test(arguments: ["CNY %", "% CNY", "% Euro", "TL%"])
    func amountsWithTheirCurrency(_ form: String) throws {
        try samples.write(shop.records, to: "apple-2026-07-13.jsonl")
        try samples.write(
            shop.rows("order_id,user_id,sku,total,status,created_at,transaction_id") {
                "\($0.order),\($0.account),\($0.product),\(form.replacing("%", with: $0.major)),paid,\($0.paid),\($0.transaction)"
            }, to: "orders-2026-07-13.csv")
        #expect(try samples.proposal().text.contains(#"amount: "total""#))
    }
}
