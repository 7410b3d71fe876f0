import Intake
import Testing

/// Rows of credits that gave nothing or took goods back, and columns that a newcomer accepted beside the right one.
extension ShapeTests {
    private static let header = "order_no,user_id,sku,amount,currency,status,transaction_id,created_at"

    private func row(_ purchase: Purchase, transaction: String? = nil) -> String {
        "\(purchase.order),\(purchase.account),\(purchase.product),\(purchase.major),CNY,paid,"
            + "\(transaction ?? purchase.transaction),\(purchase.paid)"
    }

    /// Orders with Apple's records, and credits with a column beside the others.
    private func text(
        _ column: String, _ rows: [String], kind: String = "kind,", file: String = "credits-2026-07-13.csv"
    )
        throws -> String
    {
        let shop = Purchase.all(60)
        try samples.write(shop.records, to: "apple-2026-07-13.jsonl")
        try samples.write(shop.rows(Self.header) { row($0) }, to: "orders-2026-07-13.csv")
        try samples.write(["id,order_no,user_id,\(kind)\(column),created_at"] + rows, to: file)
        return try samples.proposal().text
    }

    private func credit(_ number: Int, _ word: String, id: Int = 0, kind: String = "credit,") -> String {
        let purchase = Purchase.all(60)[number]
        return "\(id + number),\(purchase.order),\(purchase.account),\(kind)\(word),\(purchase.paid + 9000)"
    }

    /// Two purchases were really given twice: their words are the same.
    @Test(arguments: [("grant_result", "OK", "FAILED"), ("http_status", "200", "504"), ("error", "", "timeout")])
    func attemptsBesideTrueDoubles(_ name: String, _ usual: String, _ failed: String) throws {
        let rows = (0..<60).map { credit($0, usual) } + [7, 8].map { credit($0, usual, id: 100) }
        let attempts = (0..<5).map { credit($0, failed, id: 200) } + [credit(5, "409", id: 200)]
        let text = try text(name, rows + attempts)
        #expect(text.contains("whereNot: { \"\(name)\": [\"DECIDE \(failed)\", \"DECIDE 409\"] }"), "\(text)")
        #expect(
            text.contains(
                "6 purchases have credits that differ in \"\(name)\", mostly \"\(usual)\": which gave no goods?"))
    }

    /// What differs by chance is not asked about, and who gave the second one neither.
    @Test(arguments: ["pod", "operator"]) func doublesThatDifferByChance(_ name: String) throws {
        let word = { name == "pod" ? "w\($0 % 2)" : "system" }
        let rows = (0..<60).map { credit($0, word($0)) }
        let doubles = (0..<6).map { credit($0, name == "pod" ? "w\($0 / 2 % 2)" : "agent Li", id: 100) }
        let text = try text(name, rows + doubles)
        #expect(!text.contains("whereNot"), "\(text)")
    }

    /// Lost orders have a failed attempt alone.
    @Test(arguments: ["state", "status", "delivery_status", "result", "发放结果", "Ergebnis"]) func aStateOfAttempts(
        _ name: String
    ) throws {
        let text = try text(name, (0..<60).map { credit($0, $0 < 5 ? "DEAD" : "DONE") })
        #expect(text.contains("whereNot: { \"\(name)\": \"DECIDE DEAD\" }"), "\(text)")
        let one = try self.text(name, (0..<60).map { credit($0, "DONE") })
        #expect(!one.contains("whereNot"), "\(one)")
    }

    /// A column that says how rows ended has one word so far, or a few: another one is rejected. Without the name, or with many
    /// words, it is not.
    @Test(arguments: [
        ("status", "DONE", true), ("delivery_status", "ok", true), ("error_code", "0", true), ("success", "true", true),
        ("sonuc", "basarili", true), ("server_name", "eu", false), ("order_status", "paid", false),
        ("error_count", "0", false),
    ]) func oneWordSoFar(_ name: String, _ word: String, _ isKnown: Bool) throws {
        let text = try text(name, (0..<60).map { credit($0, word) })
        #expect(text.contains("known: { \"\(name)\": [\"\(word)\"] }") == isKnown, "\(text)")
        #expect(
            text.contains("known:") == isKnown && !text.contains("whereNot") && !text.contains("Only the first rows"))
        let some = try self.text(name, (0..<60).map { credit($0, $0 < 30 ? "" : word) })
        #expect(!some.contains("known: { \"\(name)\": [\"\(word)\"] }"), "an older file may lack the column")
        let many = try self.text(name, (0..<60).map { credit($0, "s\($0 % 6)") }, kind: "change_type,")
        #expect(!many.contains("known:") || many.contains("whereNot: { \"\(name)\""), "\(many)")
    }

    /// The kind is open, too, and nobody knows the words.
    @Test func wordsOfAnOutcomeBesideAnOpenKind() throws {
        let word = { (number: Int) in number < 5 ? "dustu" : "bitti" }
        let text = try text(
            "sonuc", (0..<60).map { credit($0, word($0), kind: $0 % 9 == 0 ? "alma," : "verme,") }, kind: "tur,")
        #expect(
            text.contains(#"kind: "DECIDE","#) && text.contains(#"known: { "sonuc": ["bitti", "dustu"] }"#), "\(text)")
        let other = try self.text("asama", (0..<60).map { credit($0, word($0)) })
        #expect(other.contains(#"whereNot: "DECIDE","#) && other.contains(#"known: { "asama": ["bitti", "dustu"] }"#))
    }

    /// Each error has a text of its own, with later successes of the same orders and without.
    @Test(arguments: ["error_message", "note", "失败原因"], [true, false]) func errorsOfTheirOwn(
        _ name: String, _ isLost: Bool
    ) throws {
        let failed = (0..<5).map { credit($0, "timeout after \(3000 + $0) ms", id: 200) }
        let text = try text(name, (isLost ? 5..<60 : 0..<60).map { credit($0, "") } + failed)
        #expect(
            text.contains(#"where: "DECIDE","#)
                && text.contains("rows (where: { \"\(name)\": \"\" }): which gave no goods?"), "\(text)")
        #expect(text.contains("These stand alone in \(isLost ? 5 : 0) of 5 purchases."))
        let remarks = try self.text("note", (0..<60).map { credit($0, $0 < 7 ? "regular no. \($0)" : "") })
        #expect(!remarks.contains("where: \"") && !remarks.contains("whereNot:"), "\(remarks)")
    }

    /// Only what was given has a number in the wallet, or a number of coins.
    @Test(arguments: ["wallet_tx_id", "coins"]) func emptyWhereNothingWasGiven(_ name: String) throws {
        let value = { (number: Int) in
            number < 5 ? "" : name == "coins" ? "\(60 * (number % 4 + 1))" : "w\(number * 31)"
        }
        let text = try text(name, (0..<60).map { credit($0, value($0)) })
        #expect(text.contains(#"whereNot: "DECIDE","#), "\(text)")
        #expect(
            text.contains(
                "is empty in 5 of 60 rows (whereNot: { \"\(name)\": \"\" }): which gave no goods? These stand alone in 5 of 5"
            ))
        // One of the products has no coins.
        let product = try self.text(name, (0..<60).map { credit($0, $0 % 4 == 1 ? "" : value($0 + 5)) })
        #expect(!product.contains("whereNot"), "\(product)")
    }

    /// The desk's rows have no number of a job, and what it gave was given twice.
    @Test func theDesksRowsHaveNoJob() throws {
        let rows = (0..<60).map { credit($0, "j\($0 * 31)", kind: "credit,system,") }
        let text = try text(
            "job_no", rows + (0..<4).map { credit($0, "", id: 100, kind: "credit,agent Li,") }, kind: "kind,operator,")
        #expect(!text.contains("whereNot"), "\(text)")
    }

    /// Two columns qualify: parts in two rows, and failed attempts that stand alone.
    @Test func partsBesideAttempts() throws {
        let rows =
            (5..<60).map { credit($0, "OK", kind: "credit,base,") }
            + (0..<5).map { credit($0, "FAILED", kind: "credit,base,") }
        let bonus = (5..<30).map { credit($0, "OK", id: 100, kind: "credit,bonus,") }
        let text = try text("status", rows + bonus, kind: "kind,part,")
        #expect(
            text.contains(#"differ in "part", mostly "base"; or "status" says how a row ended, mostly "OK": which"#),
            "\(text)")
        #expect(text.contains(#"known: { "part": ["base", "bonus"], "status": ["FAILED", "OK"] }"#))
    }

    /// A feed leaves rows out by one column: a person says by which.
    @Test func attemptsBesideSpending() throws {
        let rows = (0..<60).map { credit($0, "OK", kind: "RECHARGE,") }
        let failed = (0..<5).map { credit($0, "FAILED", id: 100, kind: "RECHARGE,") }
        let spent = (0..<40).map { "\(900 + $0),,70001,CONSUME,OK,1783900900000" }
        let text = try text("status", rows + failed + spent, kind: "change_type,")
        #expect(text.contains(#"whereNot: "DECIDE","#), "\(text)")
        #expect(text.contains(#"{ "change_type": "CONSUME" }: 40 of 105 rows name no purchase; and 5 purchases"#))
    }

    /// Paid and free coins, where no column is the kind: the question tells what differs.
    @Test func paidAndFreeCoins() throws {
        let rows =
            (0..<60).map { credit($0, "paid", kind: "") } + (0..<20).map { credit($0, "free", id: 100, kind: "") }
        let text = try text("coin_type", rows, kind: "")
        #expect(
            text.contains(#"20 purchases have credits that differ in "coin_type", mostly "paid". If none, remove"#),
            "\(text)")
    }

    /// A column of errors has a name that another kind of feed knows.
    @Test(arguments: ["error", "message"]) func oneErrorWithoutAKind(_ name: String) throws {
        let text = try text(name, (0..<60).map { credit($0, $0 < 5 ? "connect timeout" : "", kind: "") }, kind: "")
        #expect(text.contains("kind: \"DECIDE\",") && text.contains("\"\(name)\" (connect timeout 5)"), "\(text)")
    }

    /// Reversals in a file of their own have no kind, but the file has a name.
    @Test(arguments: ["credits_refund-2026-07-13.csv", "credits_扣回-2026-07-13.csv"]) func aFileOfReversals(
        _ file: String
    ) throws {
        let rows = (0..<5).map { credit($0, "60", id: 100, kind: "") }
        try samples.write(["id,order_no,user_id,coins,created_at"] + rows, to: file)
        let text = try text("coins", (0..<60).map { credit($0, "60", kind: "") }, kind: "")
        #expect(text.contains(#"kind: { value: "DECIDE reversal" },"#), "\(text)")
        #expect(
            text.contains("by the file's name: were these goods taken back? 5 of 5 rows name an order of another file"))
        // No name says what the order's column is.
        try samples.write(["id,booking_no,user_id,coins,created_at"] + rows, to: file)
        try samples.write(
            ["id,booking_no,user_id,coins,created_at"] + (0..<60).map { credit($0, "60", kind: "") },
            to: "credits-2026-07-13.csv")
        #expect(try samples.proposal().text.contains("5 of 5 rows name an order of another file"))
        try samples.write(["id,order_no,user_id,kind,coins,created_at"] + (0..<5).map { credit($0, "60") }, to: file)
        #expect(try !samples.proposal().text.contains("DECIDE reversal"))
    }

    /// The credits' file has a name, and its column begins like Apple's answer.
    @Test func aResponseCodeIsNoLookUp() throws {
        let text = try text("response_code", (0..<60).map { credit($0, "200") })
        #expect(text.contains(#"{ kind: "credits","#) && !text.contains("order-lookups"), "\(text)")
    }

    /// Some rows have no time of the delivery.
    @Test func aDeliveryWithoutATime() throws {
        let time = { (number: Int, after: Int64) in number < 5 ? "" : String(Purchase.all(60)[number].paid + after) }
        let text = try text("delivered_at", (0..<60).map { credit($0, time($0, 9000)) })
        #expect(text.contains(#"credited_at: "DECIDE delivered_at","#), "\(text)")
        #expect(text.contains(#"5 of 60 rows have none. If these gave no goods, add whereNot: { "delivered_at": "" }"#))
        // The end of a job has any name. A time before the other, or days later, is another one.
        let ended = try self.text("completed_at", (0..<60).map { credit($0, time($0, 9001)) })
        #expect(
            ended.contains(#"credited_at: "DECIDE completed_at","#) && ended.contains("5 of 60 rows have none"),
            "\(ended)")
        for shift in [8999, 90_000_000] as [Int64] {
            let other = try self.text("opened_at", (0..<60).map { credit($0, time($0, shift)) })
            #expect(!other.contains("rows have none"), "\(other)")
        }
    }

    /// The credits name the account by another column of the orders, whose name says nothing.
    @Test func anAccountByTheCreditsColumn() throws {
        let shop = Purchase.all(80)
        let profile = { (purchase: Purchase) in "p\(purchase.account)" }
        try samples.write(
            shop.rows("id,order_no,profile,device_id,created_at") {
                "\($0.number),\($0.order),\(profile($0)),d\($0.account),\($0.paid)"
            }, to: "credits-2026-07-13.csv")
        try samples.write(
            shop.rows(Self.header + ",device_id,profile") { row($0) + ",d\($0.account),\(profile($0))" },
            to: "orders-2026-07-13.csv")
        let text = try samples.proposal().text
        #expect(
            text.contains(#"account_id: "DECIDE profile","#) && text.contains(#"account_id: "profile","#), "\(text)")
        #expect(text.contains(#""profile" or "user_id": another file has them with the same order in 80 and 0 of 80"#))
    }

    /// The shop's own numbers stand under the name of Apple's, and Apple's under another one.
    @Test(arguments: [true, false]) func theShopsOwnTransactions(_ haveRecords: Bool) throws {
        if !haveRecords { try samples.write(["key,outcome", "A,done"], to: "apple-2026-07-13.jsonl") }
        try samples.write(
            shop.rows(Self.header + ",apple_original") {
                row($0, transaction: "90000000\(10_000_000 + $0.number)") + ",\($0.transaction)"
            }, to: "orders-2026-07-13.csv")
        let text = try samples.proposal().text
        let column = haveRecords ? "apple_original" : "transaction_id"
        #expect(text.contains("transaction_id: \"DECIDE \(column)\","), "\(text)")
        #expect(
            text.contains(#""apple_original" or "transaction_id": none of "transaction_id" is in a record of Apple's"#))
    }

    /// The credits have the orders' column of the way to pay.
    @Test func creditsOfOtherWaysToPay() throws {
        let others = (1...4).map { "9\($0),7,com.shop.coins1,30.00,CNY,paid,W\($0),1783900900000,alipay" }
        try samples.write(
            shop.rows(Self.header + ",channel") { row($0) + ",apple" } + others, to: "orders-2026-07-13.csv")
        try samples.write(
            shop.rows("id,order_no,user_id,kind,channel,created_at") {
                "\($0.number),\($0.order),\($0.account),credit,apple,\($0.paid)"
            } + (1...4).map { "80\($0),9\($0),7,credit,alipay,1783900990000" }, to: "credits-2026-07-13.csv")
        let text = try samples.proposal().text
        #expect(text.contains(#"whereNot: { "channel": "DECIDE alipay" },"#), "\(text)")
        #expect(text.contains("4 of 16 rows name no purchase, or an order that `where` leaves out"))
        #expect(text.contains(#"order_id: "order_no","#))
    }

    /// A wallet with spending and credits of orders that are left out: no word divides both, and the spending is proposed.
    @Test func spendingBesideOtherWaysToPay() throws {
        let others = (1...4).map { "9\($0),7,com.shop.coins1,30.00,CNY,paid,W\($0),1783900900000,alipay" }
        try samples.write(
            shop.rows(Self.header + ",channel") { row($0) + ",apple" } + others, to: "orders-2026-07-13.csv")
        try samples.write(
            shop.rows("id,order_no,user_id,change_type,created_at") {
                "\($0.number),\($0.order),\($0.account),RECHARGE,\($0.paid)"
            } + (1...4).map { "80\($0),9\($0),7,RECHARGE,1783900990000" }
                + (1...9).map { "90\($0),,70001,CONSUME,1783900990000" }, to: "credits-2026-07-13.csv")
        let text = try samples.proposal().text
        #expect(text.contains(#"whereNot: { "change_type": "DECIDE CONSUME" },"#), "\(text)")
        #expect(
            text.contains("9 of 25 rows name no purchase: which") && text.contains("4 are orders that `where` leaves"))
    }
}
