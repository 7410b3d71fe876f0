import Testing

/// Columns of few words with any name, and values that prove what no name says.
extension ShapeTests {
    private static let header = "order_no,user_id,sku,amount,currency,status,transaction_id,created_at"

    private func row(_ purchase: Purchase) -> String {
        "\(purchase.order),\(purchase.account),\(purchase.product),\(purchase.major),CNY,paid,\(purchase.transaction),"
            + "\(purchase.paid)"
    }

    /// Orders with Apple's records, and credits with columns beside the others.
    private func text(_ columns: String, _ rows: [String]) throws -> String {
        let shop = Purchase.all(60)
        try samples.write(shop.records, to: "apple-2026-07-13.jsonl")
        try samples.write(shop.rows(Self.header) { row($0) }, to: "orders-2026-07-13.csv")
        try samples.write(["id,order_no,user_id,kind,\(columns),created_at"] + rows, to: "credits-2026-07-13.csv")
        return try samples.proposal().text
    }

    private func credit(_ number: Int, _ values: String, id: Int = 0) -> String {
        let purchase = Purchase.all(60)[number]
        return "\(id + number),\(purchase.order),\(purchase.account),credit,\(values),\(purchase.paid + 9000)"
    }

    /// The lost orders alone have a failed attempt, and neither the column nor the word has a known name.
    @Test(arguments: [
        ("succeeded", "t", "f"), ("flag", "1", "0"), ("fulfilled", "true", "false"), ("failed", "0", "1"),
        ("zzz", "done", "aborted"), ("zzz", "성공", "실패"),
    ]) func attemptsThatTheLostAloneHave(_ name: String, _ usual: String, _ failed: String) throws {
        let text = try text(name, (0..<60).map { credit($0, $0 < 3 ? failed : usual) })
        #expect(text.contains("whereNot: { \"\(name)\": \"DECIDE \(failed)\" }"), "\(text)")
        #expect(text.contains("\"\(failed)\" stands alone in 3 of 3 purchases") && !text.contains("origin:"))
        // A later word is rejected until somebody says what it means.
        let words = [usual, failed].sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(text.contains("known: { \"\(name)\": [\(words)] },"), "\(text)")
    }

    /// No name helps: a person says which word gave nothing, unless the names or the numbers speak against it.
    @Test func aRareWordOfAnyColumn() throws {
        let rare = try text("zzz", (0..<60).map { credit($0, $0 < 3 ? "B" : "A") })
        #expect(rare.contains("whereNot: \"DECIDE\",") && rare.contains(#"known: { "zzz": ["A", "B"] }"#), "\(rare)")
        #expect(
            rare.contains(
                #""zzz" is mostly "A": which gave no goods? "A" stands alone in 57 of 57 purchases. "B" stands alone in 3"#
            ))
        for (name, words) in [("platform", ["A", "B"]), ("zzz", ["system", "Li"]), ("zzz", ["A", "A"])] {
            let text = try text(name, (0..<60).map { credit($0, words[$0 < 3 ? 1 : 0]) })
            #expect(!text.contains("whereNot"), "\(text)")
        }
        #expect(try !text("zzz", (0..<60).map { credit($0, $0 < 20 ? "B" : "A") }).contains("whereNot"))
    }

    /// A failed attempt has 0 coins, also where no other row of its purchase shows it.
    @Test(arguments: [0, 4]) func attemptsWithoutCoins(_ again: Int) throws {
        let rows = (0..<60).map { credit($0, $0 < 3 ? "0" : "\([30, 90, 300][$0 % 3])") }
        let text = try text("coins", rows + (10..<(10 + again)).map { credit($0, "0", id: 200) })
        #expect(text.contains(#"whereNot: { "coins": "DECIDE 0" }"#) && !text.contains("known:"), "\(text)")
        #expect(text.contains("\"coins\" is 0 in \(3 + again) rows: which gave no goods?"))
    }

    /// A product that has 0 coins in each of its rows, such as a subscription, has none to give.
    @Test(arguments: [0, 3]) func aProductWithoutCoins(_ failed: Int) throws {
        let rows = (0..<60).map { number in
            credit(number, number % 4 == 3 || number < failed ? "0" : "\([30, 90, 300][number % 3])")
        }
        let text = try text("coins", rows)
        #expect(text.contains("whereNot: \"DECIDE\",") == (failed > 0) && !text.contains("DECIDE 0"), "\(text)")
    }

    /// Each purchase has both words. Of two phases of one delivery, the first stands alone where the second one failed; parts of
    /// a purchase have numbers of their own.
    @Test(arguments: [(true, "RESERVED"), (false, "CONFIRMED")]) func twoWordsForEach(_ isPhase: Bool, _ none: String)
        throws
    {
        let coins = { (number: Int) in [30, 90, 300][number % 3] }
        let first = (0..<60).map { credit($0, "RESERVED,\(coins($0))") }
        let second = (3..<60).map { credit($0, "CONFIRMED,\(isPhase ? coins($0) : 5)", id: 200) }
        let text = try text("phase,coins", first + second)
        #expect(text.contains("whereNot: { \"phase\": \"DECIDE \(none)\" }"), "\(text)")
        #expect(
            text.contains(#""RESERVED" stands alone in 3 of 60 purchases. "CONFIRMED" stands alone in 0 of 57"#))
    }

    /// The shop keeps what it converted, and what the customer paid.
    @Test func theCurrencyOfTheProvenAmount() throws {
        let shop = Purchase.all(24)
        try samples.write(shop.records, to: "apple-2026-07-13.jsonl")
        try samples.write(
            shop.rows(
                "order_no,user_id,sku,amount,currency,local_amount,local_currency,status,transaction_id,created_at"
            ) {
                "\($0.order),\($0.account),\($0.product),\($0.number + 1).17,EUR,\($0.major),CNY,paid,\($0.transaction),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        let text = try samples.proposal().text
        #expect(text.contains(#"amount: "local_amount","#) && text.contains(#"currency: "local_currency","#), "\(text)")
        #expect(text.contains(#"24 of 24 are that of Apple's record; 0 of 24 "currency""#))
    }

    /// Neither file has a known name: the credits know the one who gets the goods, and prove their order.
    @Test func accountsUnderUnknownNames() throws {
        let shop = Purchase.all(90)
        let getter = { (purchase: Purchase) in "L\(purchase.number % 6 == 0 ? "9" : "")\(purchase.account)" }
        try samples.write(shop.records, to: "apple-2026-07-13.jsonl")
        try samples.write(
            shop.rows("booking,giver,getter,sku,total,currency,status,transaction_id,booked_at") {
                "\($0.number + 61_000),L\($0.account),\(getter($0)),\($0.product),\($0.major),CNY,paid,\($0.transaction),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        try samples.write(
            shop.rows("entry_id,booking,student,entry_type,entry_time") {
                "\($0.number * 7 + 310_000),\($0.number + 61_000),\(getter($0)),\($0.number == 5 ? "REVOKE" : "GRANT"),\($0.paid + 9000)"
            }, to: "credits-2026-07-13.csv")
        let text = try samples.proposal().text
        #expect(text.contains(#"order_id: "booking","#) && text.contains(#"account_id: "getter","#), "\(text)")
        #expect(text.contains(#"account_id: "student","#) && text.contains("90 of 90 are the account of their order"))
        #expect(text.contains(#"names it in 90 of 90 rows, with the same "getter""#))
        // Proven by their values, too.
        #expect(text.contains(#"created_at: "booked_at","#) && text.contains(#"credited_at: "entry_time","#))
        #expect(text.contains(#"kind: { from: "entry_type", words: {"#) && text.contains(#""REVOKE": "reversal","#))
    }

    /// Amounts in won have no decimals, and Apple's records prove them.
    @Test func aStateIsNoProvenAmount() throws {
        let shop = Purchase.all(24)
        try samples.write(
            shop.map { $0.record.replacing("\"CNY\"", with: "\"KRW\"") }, to: "apple-2026-07-13.jsonl")
        try samples.write(
            shop.rows("주문번호,회원번호,sku,결제금액,통화,단계,transaction_id,created_at") {
                "\($0.order),\($0.account),\($0.product),\($0.price / 100),KRW,\(["결제완료", "대기"][$0.number % 9 / 8]),\($0.transaction),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        let text = try samples.proposal().text
        #expect(text.contains(#"status: { from: "DECIDE 단계""#) && text.contains(#"amount: "결제금액","#), "\(text)")
    }

    /// A time that few rows have is not when the goods were given.
    @Test func aTimeOfFailedAttempts() throws {
        let rows = (0..<60).map { number in
            credit(number, "\(number < 5 ? "1783900900000" : ""),\(1_783_900_809_000 + number * 1_000_000)")
        }
        let text = try text("failed_on,entry_time", rows.map { $0.replacing(/,\d+$/, with: ",") })
        #expect(text.contains(#"credited_at: "entry_time","#), "\(text)")
        #expect(text.contains(#"if it says that nothing was given, add where: { "failed_on": "" }"#))
    }
}
