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
