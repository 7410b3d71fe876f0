import Testing

/// Wallets and delivery logs: which rows are goods given, and which say that they were taken back.
extension ShapeTests {
    /// A wallet's movements. Spending is not a credit.
    @Test func walletMovements() throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,currency,status,transaction_id,created_at") {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.transaction),\($0.clock("yyyy-MM-dd HH:mm:ssXXX", "UTC"))"
            }, to: "orders-2026-07-13.csv")
        var rows = shop.rows("movement_id,user_id,biz_type,change,balance,order_no,created_at") {
            "\($0.number + 500),\($0.account),recharge,60,160,\($0.order),\($0.paid + 9000)"
        }
        rows += shop.rows { "\($0.number + 700),\($0.account),consume,-20,140,,\($0.paid + 90_000)" }
        rows += shop.prefix(2).map {
            "\($0.number + 900),\($0.account),clawback,-60,80,\($0.order),\($0.paid + 900_000)"
        }
        try samples.write(rows, to: "wallet_log_2026-07-13.csv")
        try check(
            Answers(
                "orders-{date}.csv", "orders",
                [
                    "order_id": "order_id", "account_id": "user_id", "product_id": "sku", "amount": "amount",
                    "currency": "currency",
                    "status": "status", "transaction_id": "transaction_id", "created_at": "created_at",
                ]),
            Answers(
                "wallet_log_{date}.csv", "credits",
                [
                    "credit_id": "movement_id", "account_id": "user_id", "order_id": "order_no",
                    "credited_at": "created_at",
                    "kind": "biz_type",
                ], words: ["kind": ["recharge": "credit", "clawback": "reversal"]],
                settings: ["whereNot": "biz_type:consume?"]))
    }

    /// Deleted credits look given, and a text that the export lost may stand for several.
    @Test(arguments: ["deleted_at", "已删除", "deleted_ms", "removed_at", "del_time", "revoke_time"]) func deletedAndLost(
        _ name: String
    ) throws {
        func text(_ mark: (Purchase) -> String) throws -> String {
            try samples.write(
                shop.rows("flow_id,order_id,user_id,sku,kind,created_at,\(name)") {
                    "F\($0.number),\($0.order),\($0.account),\($0.product),\($0.number % 2 == 0 ? "??" : "RECHARGE"),\($0.paid),\(mark($0))"
                }, to: "wallet-2026-07-13.csv")
            return try samples.proposal().text
        }
        let none = try text { _ in "" }
        #expect(
            none.contains(
                "// 0 of 12 rows are deleted, by \"\(name)\": export them too, and each deletion as a second row")
                && none.contains(#"credit_id: "flow_id""#))
        #expect(none.contains("// \"??\": the text was lost in the export"))
        let some = try text { $0.number == 3 ? "1" : "0" }
        #expect(some.contains(#"credit_id: "DECIDE flow_id""#) && some.contains("1 of 12 rows are deleted"))
    }

    private func grants(_ column: String, _ word: (Purchase) -> String) throws -> String {
        try samples.write(
            shop.rows("grant_id,order_id,user_id,sku,\(column),granted_at") {
                "G\($0.number),\($0.order),\($0.account),\($0.product),\(word($0)),\($0.paid + 9000)"
            }, to: "grants-2026-07-13.csv")
        return try samples.proposal().text
    }

    /// A column whose name says nothing, in which a few rows have a time.
    @Test func aTimeThatFewRowsHave() throws {
        let text = try grants("weg_am") { $0.number < 3 ? String($0.paid + 90_000) : "" }
        #expect(text.contains(#"credit_id: "DECIDE grant_id""#))
        #expect(
            text.contains(#"3 of 12 rows have a time in "weg_am": if it says that the goods were taken back, export"#))
    }

    /// Later a row may say that goods were taken back: its word must be rejected, and not be read as a credit.
    @Test(arguments: ["op", "oper_type", "in_out"]) func aKindOfOneWord(_ name: String) throws {
        let known = try grants(name) { _ in "SEND" }
        #expect(known.contains("kind: { from: \"\(name)\", words: {") && known.contains(#""SEND": "credit","#))
        let unknown = try grants(name) { _ in "HIN" }
        #expect(
            unknown.contains("kind: { from: \"DECIDE \(name)\", words: {") && unknown.contains(#""HIN": "DECIDE","#))
        #expect(try grants("weg") { _ in "HIN" }.contains(#""weg" (HIN 12): does one of them say"#))
    }

    /// The commonest log of lost orders: a failed attempt gave nothing.
    @Test(arguments: ["send_status", "是否成功", "发放结果"]) func attemptsThatFailed(_ name: String) throws {
        let text = try grants(name) { $0.number < 3 ? "2" : "1" }
        #expect(
            text.contains(
                #""\#(name)" (1 9, 2 3): does one of them say that nothing was given, or what was taken back?"#))
        #expect(text.contains("Leave failed rows out with whereNot (first-night.md, Files). If none, remove this line"))
    }

    /// The sign is the kind: what is below 0 in a row of an order was taken back.
    @Test func aWalletWithASign() throws {
        let rows = shop.rows("seq,order_id,uid,sku,delta,left,at") {
            "\($0.number),\($0.order),\($0.account),\($0.product),\($0.number * 7 + 60),\($0.number % 2),\($0.paid + 9000)"
        }
        try samples.write(
            rows + ["99,\(shop[3].order),\(shop[3].account),\(shop[3].product),-81,0,\(shop[3].paid + 99_000)"],
            to: "wallet-2026-07-13.csv")
        let text = try samples.proposal().text
        #expect(
            text.contains(#"kind: "DECIDE","#)
                && text.contains(#""delta" (1 row below 0, such as -81), "left" (0 7, 1 6)"#))
    }

    /// The kind says who gave it.
    @Test(arguments: ["GM_ADD", "客服赠送"]) func aKindThatNamesTheDesk(_ word: String) throws {
        try samples.write(
            shop.rows("flow_id,order_id,user_id,kind,created_at") {
                "\($0.number),\($0.number == 5 ? "" : $0.order),\($0.account),\(["RECHARGE", word][$0.number % 5 / 4]),\($0.paid)"
            } + ["88,,70001,CONSUME,\(shop[0].paid)"], to: "wallet-2026-07-13.csv")
        let text = try samples.proposal().text
        #expect(text.contains(#"origin: { from: "DECIDE kind", words: {"#) && text.contains("\"\(word)\": \"desk\","))
        #expect(
            text.contains(#""RECHARGE": "auto","#) && text.contains("did the desk give \"\(word)\", and the system"))
        #expect(text.contains(#"whereNot: { "kind": "DECIDE CONSUME" }"#) && !text.contains(#""CONSUME": "auto""#))
    }

    /// `||` of MySQL is a logical OR: every reversal of the query has the id 1.
    @Test func oneIdForSeveralOrders() throws {
        try samples.write(
            shop.rows("flow_id,order_no,user_id,kind,created_at") {
                "\($0.number < 3 ? 1 : $0.number),\($0.order),\($0.account),credit,\($0.paid)"
            }, to: "credits-2026-07-13.csv")
        let text = try samples.proposal().text
        #expect(text.contains(#"credit_id: "DECIDE flow_id""#))
        #expect(text.contains("2 of 12 rows have the id of another purchase: each record needs an id of its own"))
    }

    /// An agent is the desk. What is in question elsewhere keeps its evidence.
    @Test func whatAShopOfItsOwnWordsHas() throws {
        let text = try grants("by") { ["system", "agent"][$0.number % 5 / 4] }
        #expect(text.contains(#"origin: { from: "by", words: {"#) && text.contains(#""agent": "desk","#), "\(text)")
        try samples.write(
            shop.rows("upload,uid,data,check,received_at") {
                "U\($0.number),\($0.account),MIIT\(String(repeating: "Ab0/", count: 30)),\(["ok", "late"][$0.number % 5 / 4]),\($0.paid)"
            }, to: "receipts-2026-07-13.csv")
        try samples.write(
            shop.rows("order_id,user_id,sku,status,transaction_id,placed") {
                "\($0.order),\($0.account),\($0.product),paid,\($0.transaction),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        let all = try samples.proposal().text
        #expect(all.contains(#"receipt_id: "upload","#), "\(all)")
        #expect(
            all.contains(#"// "check" (ok 10, late 2) is a word: if it says what Apple's check of the receipt found"#))
        #expect(
            all.contains(#"created_at: "placed","#) && all.contains("// 12 of 12 are within 15 min of Apple's"))
    }

    @Test func whoGaveIt() throws {
        #expect(try !grants("operator") { _ in "sys" }.contains("origin"))
        let text = try grants("operator") { ["sys", "gm_wang"][$0.number % 2] }
        #expect(
            text.contains(#"origin: { value: "DECIDE desk" },"#)
                && text.contains(#""operator" (gm_wang 6, sys 6), which names a person"#))
    }

    /// Where most rows are the system's, the column says who gave the others.
    @Test(arguments: [(12, true), (90, false)]) func theSystemAmongPersons(_ count: Int, _ areFew: Bool) throws {
        try samples.write(
            Purchase.all(count).rows("grant_id,order_id,user_id,sku,operator,granted_at") {
                "G\($0.number),\($0.order),\($0.account),\($0.product),\($0.number % 2 == 0 ? "system" : "cs\($0.number / 2)"),\($0.paid)"
            }, to: "grants-2026-07-13.csv")
        let text = try samples.proposal().text
        #expect(text.contains(#"origin: { from: "DECIDE operator", words: {"#) == areFew, "\(text)")
        #expect(text.contains(#""system": "auto","#) == areFew && text.contains(#""cs0": "desk","#) == areFew)
        #expect(text.contains(#"origin: "DECIDE","#) != areFew)
        #expect(text.contains("CASE WHEN operator = 'system' THEN 'auto' ELSE 'desk' END AS origin"))
    }

    /// The page says to begin the name of a file with what it holds.
    @Test func theNameOfTheFileDecides() throws {
        try samples.write(
            shop.rows("id,order_no,uid,status,ctime") {
                "\($0.number),\($0.order),\($0.account),1,\($0.paid)"
            }, to: "credits-2026-07-13.csv")
        try samples.write(
            ["code,名称,price_fen", "com.shop.coins0,60 金币,600", "com.shop.coins1,300 金币,3000"], to: "products.csv")
        let text = try samples.proposal().text
        #expect(text.contains(#"{ kind: "credits","#) && text.contains(#"{ kind: "products","#))
        #expect(text.contains(#"product_id: "code""#))
    }
}
