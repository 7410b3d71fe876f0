import Foundation
import Testing

/// Shapes in which a stranger's guess was wrong: records within records, numbers before words, two ids for one customer.
extension ShapeTests {
    private func text(_ rows: [String], _ name: String) throws -> String {
        try samples.write(rows, to: name)
        return try samples.proposal().text
    }

    private func signed(_ purchase: Purchase) -> String { "eyJhbGciOiJFUzI1NiJ9.eyJ0\(purchase.transaction).c2ln" }

    /// As Apple's library returns them: the body decoded, and the transaction signed or decoded, too.
    @Test(arguments: ["apple-2026-07-14.jsonl", "transactions-2026-07-14.jsonl", "notify-2026-07-14.jsonl"])
    func notificationsThatAreDecoded(_ name: String) throws {
        let body =
            #"{"notificationType":"ONE_TIME_CHARGE","notificationUUID":"u","version":"2.0","data":{"bundleId":"com.shop.game","#
        let inner = try text(
            shop.rows { body + #""signedRenewalInfo":"\#(signed($0))","signedTransactionInfo":"\#(signed($0))"}}"# },
            name)
        #expect(
            inner.contains(#"kind: "DECIDE""#) && inner.contains("jq -rc '.data.signedTransactionInfo // empty'"),
            "\(inner)")
        #expect(!inner.contains(#"kind: "receipts""#))
        let both = try text(shop.rows { body + #""transactionInfo":\#($0.record)}}"# }, name)
        #expect(
            both.contains(#"kind: "DECIDE""#) && both.contains("jq -rc '.data.transactionInfo // empty'"), "\(both)")
    }

    /// A backend's table of StoreKit's records, with the customer. The name of a file of receipts decides.
    @Test func signedRecordsBesideAnAccount() throws {
        let rows = shop.rows {
            #"{"id":\#($0.number),"user_id":"\#($0.account)","jws":"\#(signed($0))","created_at":\#($0.paid)}"#
        }
        let log = try text(rows, "sk2-2026-07-13.jsonl")
        #expect(log.contains(#"kind: "DECIDE receipts","#) && log.contains("jq -rc '.jws // empty'"), "\(log)")
        try FileManager.default.removeItem(atPath: samples.path + "/sk2-2026-07-13.jsonl")
        #expect(try text(rows, "receipts-2026-07-13.jsonl").contains(#"kind: "receipts","#))
    }

    /// A wallet whose number of coins stands before the word, and one without a word.
    @Test func numbersBeforeWords() throws {
        let names = "flow_no,order_id,user_id,change,why,granted_at"
        let own = shop.rows(names) {
            "F\($0.number),\($0.order),\($0.account),\($0.number % 4 * 100 + 60),RECHARGE,\($0.paid)"
        }
        let others = shop.rows { "D\($0.number),,\($0.account),\($0.number % 3 + 1),DAILY,\($0.paid)" }
        let words = try text(own + others, "wallet-2026-07-13.csv")
        #expect(words.contains(#"whereNot: { "why": "DECIDE DAILY" }"#) && !words.contains("or change"), "\(words)")
        let none = try text(
            (own + others).map { $0.replacing(/,(RECHARGE|DAILY|why),/) { _ in "," } }, "wallet-2026-07-13.csv")
        #expect(
            none.contains(#"whereNot: "DECIDE","#) && none.contains(#"If none of them ever does: { "order_id": "" }"#),
            "\(none)")
    }

    /// A second table of orders, joined with the one that has both ids of a customer.
    @Test func twoIdsOfOneCustomer() throws {
        let header = "order_id,user_id,sku,amount,currency,status,transaction_id,created_at"
        func row(_ order: String, _ account: String, _ purchase: Purchase) -> String {
            "\(order),\(account),\(purchase.product),\(purchase.major),CNY,paid,\(purchase.transaction),\(purchase.paid)"
        }
        try samples.write(
            shop.prefix(8).map { row($0.order, "M\($0.account)", $0) }.reduce(into: [header]) { $0.append($1) },
            to: "orders-2026-07-13.csv")
        let vip = shop.suffix(8).map { row("V\($0.order)", "\($0.account)", $0) + ",M\($0.account)" }
        let text = try text([header + ",member_no"] + vip, "orders-vip-2026-07-13.csv")
        #expect(text.contains(#"account_id: "DECIDE member_no""#), "\(text)")
        #expect(text.contains(#"4 of 8 are accounts of the other orders, of "user_id" none"#))
    }

    /// No name says which column has the customer: another file has it with the same order.
    @Test func anAccountThatAnotherFileHas() throws {
        let shop = Purchase.all(24)
        let rows = shop.rows {
            #"{"_id":{"$oid":"65a\#($0.number)"},"orderNo":"O\#($0.order)","memberNo":"M\#($0.account)","sku":"\#($0.product)","status":"paid","#
                + #""transactionId":"\#($0.transaction)","createdAt":\#($0.paid)}"#
        }
        try samples.write(rows, to: "orders-2026-07-13.json")
        let text = try text(
            shop.rows("id,order_no,member_no,granted_at") { "\($0.number),O\($0.order),M\($0.account),\($0.paid)" },
            "grants-2026-07-13.csv")
        #expect(text.contains(#"account_id: "DECIDE memberNo""#), "\(text)")
        #expect(text.contains("another file has it with the same order in 24 of 24 rows"))
        #expect(text.contains(#"account_id: "member_no","#) && text.contains("24 of 24 are the account of their order"))
    }

    /// A wallet has dozens of words for other movements, and few in rows of orders.
    @Test(arguments: [false, true]) func dozensOfKinds(_ isEachNamed: Bool) throws {
        let own = shop.rows("flow_id,order_no,uid,change_type,create_time") {
            "\($0.number),O\($0.order),\($0.account),\($0.number == 3 ? 205 : 101),\($0.paid)"
        }
        let others = (0..<80).map {
            "\($0 + 900),\(isEachNamed ? "G\($0)" : ""),\(shop[$0 % 12].account),\($0 % 40 + 300),\(shop[$0 % 12].paid)"
        }
        let text = try text(own + others, "credits-2026-07-13.csv")
        #expect(text.contains(#"kind: { from: "change_type", words: {"#) != isEachNamed, "\(text)")
        #expect(text.contains(#""205": "DECIDE","#) != isEachNamed && !text.contains(#""300""#))
        #expect(text.contains("2 of its 42 words are in rows that name a purchase") != isEachNamed)
        #expect(text.contains(#"kind: "DECIDE","#) == isEachNamed)
        #expect(text.contains(#""change_type" has 42 values: leave out"#) == isEachNamed)
    }

    /// Reasons that repeat may say what was taken back, and notes do not.
    @Test(arguments: [(40, false), (80, true)]) func dozensOfReasons(_ count: Int, _ isAsked: Bool) throws {
        let text = try text(
            Purchase.all(count).rows("flow_id,order_no,uid,reason,create_time") {
                "\($0.number),O\($0.order),\($0.account),note \($0.number % 40),\($0.paid)"
            }, "credits-2026-07-13.csv")
        #expect(text.contains(#"// not used: "reason""#) && text.contains(#"kind: "DECIDE""#) == isAsked, "\(text)")
        #expect(text.contains(#""reason" (note 0 2, note 1 2, note 10 2): does one of them say"#) == isAsked)
    }

    private static let orders = "order_no,user_id,sku,amount,currency,status,transaction_id,created_at,"

    private func order(_ purchase: Purchase) -> String {
        "\(purchase.order),\(purchase.account),\(purchase.product),\(purchase.major),CNY,paid,\(purchase.transaction),\(purchase.paid)"
    }

    /// Apple's orders have one of dozens of ways to pay, whatever it is called.
    @Test(arguments: [("appstore", ""), ("c_17", "DECIDE ")]) func dozensOfWaysToPay(_ own: String, _ mark: String)
        throws
    {
        let others = (0..<80).map { "9\($0),7,com.shop.coins1,30.00,CNY,paid,W\($0),1783900900000,wx_\($0 % 40)" }
        let text = try text(
            shop.rows(Self.orders + "pay_channel") { "\(order($0)),\(own)" } + others, "orders-2026-07-13.csv")
        #expect(text.contains(#"where: { "pay_channel": "\#(mark)\#(own)" },"#), "\(text)")
    }

    /// Through which of dozens of channels a customer came says nothing of the payment.
    @Test func dozensOfChannels() throws {
        let shop = Purchase.all(40)
        try samples.write(shop.records, to: "apple-2026-07-13.jsonl")
        let text = try text(
            shop.rows(Self.orders + "channel") { "\(order($0)),\($0.number < 3 ? "appstore" : "d\($0.number)")" },
            "orders-2026-07-13.csv")
        #expect(!text.contains("where:") && text.contains(#"// not used: "channel""#), "\(text)")
    }

    /// The number of an order's row is the foreign key. Where credits have Apple's ids, they need none.
    @Test(arguments: [false, true]) func aNumberThatCreditsName(_ haveApples: Bool) throws {
        let shop = Purchase.all(64)
        try samples.write(shop.records, to: "apple-2026-07-13.jsonl")
        try samples.write(
            shop.rows("id,seq,singerId,sku,price,status,transaction_id,createdAt") {
                "cm\($0.order)x,\($0.number + 81_000),\($0.account),\($0.product),\($0.major),paid,\($0.transaction),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        let text = try text(
            shop.rows("id,payable_id,profile_id,kind,tx,created_at") {
                "\($0.number + 512_000),\($0.number + 81_000),\($0.account),credit,\(haveApples ? $0.transaction : ""),\($0.paid)"
            }, "credits-2026-07-13.csv")
        #expect(text.contains(#"order_id: "DECIDE seq","#) != haveApples, "\(text)")
        if haveApples { return #expect(text.contains(#"order_id: "id","#)) }
        #expect(
            text.contains(
                #""payable_id" of another file names it in 64 of 64 rows, with the same "singerId"; no row names "id""#)
        )
        #expect(text.contains(#"account_id: "DECIDE singerId","#) && text.contains(#"account_id: "profile_id","#))
        #expect(text.contains(#"order_id: "payable_id","#))
    }

    /// A channel is not the state, if another column has words of states.
    @Test func aStateByItsWords() throws {
        let text = try text(
            shop.rows("no,uid,pid,fee,ch,st,t,tx") {
                "\($0.order),\($0.account),\($0.product),$\($0.major),\(["A", "B"][$0.number % 2]),\(["待发货", "PAY_SUCCESS"][$0.number % 3 / 2]),\($0.paid),\($0.transaction)"
            }, "orders-2026-07-13.csv")
        #expect(text.contains(#"status: { from: "DECIDE st""#), "\(text)")
        // Apple's records are in yuan, and the sign is another currency's.
        #expect(text.contains(#"currency: { value: "DECIDE CNY" }"#))
    }

    /// Back offices write a mark before ids, so that a spreadsheet keeps their digits.
    @Test(arguments: ["\t", "'", "`"]) func aMarkBeforeEachId(_ mark: String) throws {
        let text = try text(
            shop.rows("订单号,用户ID,商品ID,金额,订单状态,创建时间") {
                "\(mark)QY\($0.order),\($0.account),\($0.product),\($0.major),PAY_SUCCESS,\($0.paid)"
            }, "orders-2026-07-13.csv")
        #expect(
            text.contains("// \"订单号\" has values such as ")
                && text.contains("a mark for spreadsheets before each value"), "\(text)")
    }
}
