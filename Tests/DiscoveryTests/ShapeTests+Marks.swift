import Intake
import Testing

/// What a newcomer accepted without a mark, and what her first night then said of customers who owed nothing.
extension ShapeTests {
    private static let header = "order_no,user_id,sku,amount,currency,status,transaction_id,created_at"

    private func row(_ purchase: Purchase, account: String? = nil, amount: String? = nil, currency: String = "CNY")
        -> String
    {
        "\(purchase.order),\(account ?? purchase.account),\(purchase.product),\(amount ?? purchase.major),\(currency),paid,"
            + "\(purchase.transaction),\(purchase.paid)"
    }

    private func text(_ rows: [String], _ name: String = "orders-2026-07-13.csv") throws -> String {
        try samples.write(rows, to: name)
        return try samples.proposal().text
    }

    /// The column of the kind has nine words and an unknown name. Two of the words are in rows of orders.
    @Test(arguments: ["异动类别", "category", "movement", "notification_type"]) func wordsUnderAnyName(_ name: String)
        throws
    {
        try samples.write(shop.rows(Self.header) { row($0) }, to: "orders-2026-07-13.csv")
        let own = shop.rows("id,order_no,user_id,coins,\(name),created_at") {
            "\($0.number),\($0.order),\($0.account),\($0.number % 2 * 60 + 60),\($0.number == 3 ? "退" : "购"),\($0.paid)"
        }
        let others = (0..<70).map { "\($0 + 900),,\(shop[$0 % 12].account),3,w\($0 % 7),\(shop[$0 % 12].paid)" }
        let text = try text(own + others, "credits-2026-07-13.csv")
        #expect(text.contains(#"kind: "DECIDE","#), "\(text)")
        #expect(text.contains("\"\(name)\" (购 11, 退 1), \"coins\" (120 6, 60 6): does one of them say that nothing"))
    }

    /// Six words of notifications, all in rows that name a transaction.
    @Test func sixWordsOfNotifications() throws {
        let words = ["ONE_TIME_CHARGE", "REFUND", "SUBSCRIBED", "DID_RENEW", "EXPIRED", "PRICE_INCREASE"]
        let text = try text(
            shop.rows("id,transaction_id,user_id,notification_type,created_at") {
                "\($0.number),\($0.transaction),\($0.account),\(words[$0.number % 6]),\($0.paid)"
            }, "credits-2026-07-13.csv")
        #expect(text.contains(#"kind: "DECIDE","#) && text.contains("ONE_TIME_CHARGE 2, PRICE_INCREASE 2"), "\(text)")
    }

    /// A failed attempt stands beside the credit, and the column of the kind is known.
    @Test(arguments: ["status", "grant_result"]) func attemptsBesideTheCredit(_ name: String) throws {
        try samples.write(shop.rows(Self.header) { row($0) }, to: "orders-2026-07-13.csv")
        let own = shop.rows("id,order_no,user_id,kind,\(name),created_at") {
            "\($0.number),\($0.order),\($0.account),credit,OK,\($0.paid)"
        }
        let failed = shop.prefix(3).map { "\($0.number + 900),\($0.order),\($0.account),credit,FAILED,\($0.paid)" }
        let text = try text(own + failed, "credits-2026-07-13.csv")
        #expect(text.contains("\"\(name)\": \"DECIDE FAILED\""), "\(text)")
        #expect(
            text.contains("3 purchases have credits that differ in \"\(name)\", mostly \"OK\": which gave no goods?"))
    }

    private static let week: Int64 = 604_800_000

    /// Each of the first four purchases is a subscription with a renewal a week later.
    private func writeRenewals() throws {
        let renewals = shop.prefix(4).map {
            $0.record.replacing("\"transactionId\":\"2", with: "\"transactionId\":\"3")
                .replacing("\"purchaseDate\":\($0.paid)", with: "\"purchaseDate\":\($0.paid + Self.week)")
                .replacing("Consumable", with: "Auto-Renewable Subscription")
                .replacing("\"signedDate\":1", with: "\"expiresDate\":\($0.paid + 2 * Self.week),\"signedDate\":1")
                .replacing(":\($0.paid + 1000)", with: ":\($0.paid + Self.week + 1000)")
        }
        try samples.write(shop.records + renewals, to: "apple-2026-07-13.jsonl")
    }

    /// A row that is updated in place names the latest period; its credits name the first.
    @Test(arguments: [true, false]) func theLatestTransaction(_ haveBoth: Bool) throws {
        try writeRenewals()
        let text = try text(
            shop.rows(Self.header + (haveBoth ? ",original_transaction_id" : "")) {
                row($0).replacing(",2000", with: $0.number < 4 ? ",3000" : ",2000")
                    + (haveBoth ? ",\($0.transaction)" : "")
            })
        let column = haveBoth ? "original_transaction_id" : "transaction_id"
        #expect(text.contains("transaction_id: \"DECIDE \(column)\""), "\(text)")
        #expect(text.contains(#"4 of 12 "transaction_id" are renewals, days after the order"#))
    }

    /// A renewal that is an order of its own stays as it is, also if the order was made with the first one.
    @Test(arguments: [ShapeTests.week, 0]) func aRenewalWithItsOwnOrder(_ later: Int64) throws {
        try writeRenewals()
        let own = shop.prefix(4).map {
            row($0).replacing(",2000", with: ",3000").replacing("900010", with: "910010")
                .replacing(String($0.paid), with: String($0.paid + later)) + ",\($0.transaction)"
        }
        let text = try text(
            shop.rows(Self.header + ",original_transaction_id") { row($0) + ",\($0.transaction)" } + own)
        #expect(text.contains(#"transaction_id: "transaction_id","#), "\(text)")
    }

    /// Orders of renewals, an hour before each, or one of a week before: the first purchases may be older than the file.
    @Test(arguments: [(4, ShapeTests.week - 3_600_000), (1, 0)]) func renewalsWithoutTheirFirstPurchase(
        _ count: Int, _ later: Int64
    ) throws {
        try writeRenewals()
        let text = try text(
            shop.rows(Self.header) {
                $0.number >= count
                    ? row($0)
                    : row($0).replacing(",2000", with: ",3000").replacing(
                        String($0.paid), with: String($0.paid + later))
            })
        #expect(text.contains(#"transaction_id: "transaction_id","#), "\(text)")
    }

    /// The customer's id is the token.
    @Test func aTokenThatIsTheAccount() throws {
        let text = try text(shop.rows(Self.header) { row($0, account: $0.token) })
        #expect(
            text.contains(#"app_account_token: "user_id","#) && text.contains(#"account_id: "user_id","#), "\(text)")
        #expect(text.contains(#"appAccountToken: "account","#))
    }

    /// Apple's records have tokens, and no file has them; or one has.
    @Test(arguments: [false, true]) func aTokenThatNoFileHas(_ haveCredits: Bool) throws {
        if haveCredits {
            try samples.write(
                shop.rows("credit_id,order_no,user_id,device,created_at") {
                    "\($0.number),\($0.order),\($0.account),\($0.token),\($0.paid)"
                }, to: "credits-2026-07-13.csv")
        }
        let text = try text(shop.rows(Self.header) { row($0) })
        #expect(text.contains(#"app_account_token: "DECIDE","#) != haveCredits, "\(text)")
        #expect(text.contains("each of Apple's 12 records has a token, and no column of the files") != haveCredits)
    }

    /// Times that cannot be read and no account: the name of the file decides. A price list of packs of coins stays one.
    @Test func creditsByTheFilesName() throws {
        let text = try text(
            shop.rows("Internal ID,Created From,Date Created,Type,Item") {
                "\($0.number),Sales Order #\($0.order),上午 \($0.number),Item Fulfillment,\($0.product)"
            }, "credits-2026-07-13.csv")
        #expect(text.contains(#"{ kind: "credits","#), "\(text)")
        let list = try self.text(
            (0..<4).map { "com.shop.coins\($0),Coins \($0),6.00" }.reduce(into: ["sku,name,price"]) { $0.append($1) },
            "credits-2026-07-13.csv")
        #expect(list.contains(#"{ kind: "products","#), "\(list)")
    }

    /// Words of currencies, by their names and by Apple's records; and a country that says as much.
    @Test(arguments: [("currency", "¥"), ("currency", "新币"), ("country", "CN")])
    func currenciesByApple(_ name: String, _ own: String) throws {
        let records = shop.rows { $0.number % 3 == 0 ? $0.record.replacing("CNY", with: "SGD") : $0.record }
        try samples.write(records, to: "apple-2026-07-13.jsonl")
        let text = try text(
            shop.rows(Self.header.replacing("currency", with: name)) {
                row($0, currency: $0.number % 3 == 0 ? "S$" : own)
            })
        #expect(
            text.contains("currency: { from: \"\(name == "country" ? "DECIDE " : "")\(name)\", words: {"), "\(text)")
        #expect(text.contains("\"\(own)\": \"DECIDE CNY\"") && text.contains(#""S$": "DECIDE SGD""#))
    }

    /// The country says as much, but the column of the currency comes first.
    @Test func theCurrencyComesBeforeTheCountry() throws {
        let records = shop.rows { $0.number % 3 == 0 ? $0.record.replacing("CNY", with: "SGD") : $0.record }
        try samples.write(records, to: "apple-2026-07-13.jsonl")
        let text = try text(
            shop.rows(Self.header.replacing("currency", with: "country,currency")) {
                row($0, currency: $0.number % 3 == 0 ? "SG,S$" : "CN,¥")
            })
        #expect(text.contains(#"currency: { from: "currency", words: {"#), "\(text)")
    }

    @Test(arguments: ["NTD", "NT$", "新臺幣"]) func namesOfCurrencies(_ own: String) throws {
        let text = try text(shop.rows(Self.header) { row($0, currency: own) })
        #expect(
            text.contains(#"currency: { from: "currency", words: {"#) && text.contains("\"\(own)\": \"TWD\""), "\(text)"
        )
    }

    /// Orders of Google's, or free ones, without a column of the channel.
    @Test func ordersThatAppleDoesNotKnow() throws {
        let google = (0..<5).map { "G\($0),7,com.shop.coins1,30.00,CNY,paid,GPA.3312-000\($0),1783900900000" }
        let ids = try text(shop.rows(Self.header) { row($0) } + google)
        #expect(
            ids.contains(#"whereNot: "DECIDE","#) && ids.contains(#"5 of 17 "transaction_id" are Google's"#), "\(ids)")
        let free = (0..<5).map { "F\($0),7,com.shop.coins1,0.00,CNY,paid,,1783900900000" }
        let none = try text(shop.rows(Self.header) { row($0) } + free)
        #expect(
            none.contains(#"whereNot: { "amount": "DECIDE 0.00" },"#) && none.contains("5 of 17 cost nothing"),
            "\(none)")
        // What is not paid yet has no amount.
        let unpaid = try text(shop.rows(Self.header) { row($0) } + free.map { $0.replacing("paid", with: "created") })
        #expect(!unpaid.contains("whereNot"), "\(unpaid)")
    }

    /// One buys for another: credits name the account that gets the goods.
    @Test func giftsForOthers() throws {
        let shop = Purchase.all(24)
        try samples.write(shop.records, to: "apple-2026-07-13.jsonl")
        let recipient = { (purchase: Purchase) in
            purchase.number % 4 == 0 ? "8\(purchase.account)" : purchase.account
        }
        try samples.write(
            shop.rows("credit_id,order_no,user_id,created_at") {
                "\($0.number),\($0.order),\(recipient($0)),\($0.paid)"
            },
            to: "credits-2026-07-13.csv")
        let text = try text(
            shop.rows(Self.header.replacing("user_id", with: "buyer_id") + ",recipient_id") {
                row($0) + ",\(recipient($0))"
            })
        #expect(text.contains(#"account_id: "DECIDE recipient_id","#), "\(text)")
        #expect(
            text.contains(
                #""recipient_id" or "buyer_id": another file has them with the same order in 24 and 18 of 24"#))
    }

    /// Everything times 100, the yen too.
    @Test func hundredthsOfYen() throws {
        let records = shop.rows { $0.number % 3 == 0 ? $0.record.replacing("CNY", with: "JPY") : $0.record }
        try samples.write(records, to: "apple-2026-07-13.jsonl")
        let text = try text(
            shop.rows(Self.header) {
                let isYen = $0.number % 3 == 0
                return row($0, amount: "\($0.price)", currency: isYen ? "JPY" : "CNY")
            })
        #expect(
            text.contains(#"amount_minor: "DECIDE amount""#) && text.contains("the price in minor units"), "\(text)")
    }
}
