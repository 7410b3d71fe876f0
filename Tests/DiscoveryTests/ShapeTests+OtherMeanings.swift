import Intake
import Testing

/// Columns that have a known name and another meaning.
extension ShapeTests {
    private static let header = "order_id,user_id,sku,amount,currency,status,transaction_id"

    private func row(_ purchase: Purchase) -> String {
        "\(purchase.order),\(purchase.account),\(purchase.product),\(purchase.major),CNY,paid,\(purchase.transaction)"
    }

    private func text(_ rows: [String], _ name: String = "orders-2026-07-13.csv") throws -> String {
        try samples.write(rows, to: name)
        return try samples.proposal().text
    }

    /// By the instant of a migration, all older orders would be out of scope without a word.
    @Test(arguments: [0, 6]) func theInstantOfAMigration(_ first: Int) throws {
        func created(_ purchase: Purchase) -> Int64 { purchase.number < first ? purchase.paid : 1_785_000_000_000 }
        let both = try text(
            shop.rows(Self.header + ",created_at,purchased_at") { "\(row($0)),\(created($0)),\($0.paid)" })
        #expect(both.contains(#"created_at: "DECIDE purchased_at""#) && both.contains("historyFrom: null"))
        #expect(both.contains(#""purchased_at" or "created_at": 12 and 0 of 12 are within 15 min of Apple's"#))
        let alone = try text(shop.rows(Self.header + ",created_at") { "\(row($0)),\(created($0))" })
        #expect(alone.contains(#"created_at: "created_at""#) && alone.contains("historyFrom: null"))
    }

    /// A time that some orders lack is asked about with the remedy, and one that says no more is not.
    @Test func aTimeOfPayment() throws {
        func created(_ purchase: Purchase) -> Int64 { purchase.number == 0 ? 1_700_000_000_000 : purchase.paid }
        let header = Self.header + ",created_at,paid_at"
        let same = try text(shop.rows(header) { "\(row($0)),\(created($0)),\($0.number == 1 ? "" : String($0.paid))" })
        #expect(same.contains(#"created_at: "created_at""#))
        let nearer = try text(
            shop.rows(header) { "\(row($0)),1785000000000,\($0.number == 1 ? "" : String($0.paid))" })
        #expect(
            nearer.contains("11 and 0 of 11 are within") && nearer.contains("1 row has none: COALESCE in the query"))
    }

    /// Without the line, the wallet's own number would be read as Apple's.
    @Test func whatIsNotUsedIsNotRead() throws {
        _ = try text(shop.rows(Self.header + ",created_at,updated_at") { "\(row($0)),\($0.paid)," })
        let own = try text(
            shop.rows("id,order_id,user_id,transaction_id,granted_at") {
                "\($0.number),\($0.order),\($0.account),W\($0.number),\($0.paid)"
            }, "grants-2026-07-13.csv")
        #expect(own.contains("transaction_id: null,") && own.contains(#"// not used: "transaction_id""#))
        #expect(own.contains("a column has this name and other values, such as W0"))
        // An empty column is read once it has values.
        #expect(!own.contains("updated_at"))
    }

    @Test func mixedNumbersAreAskedAbout() throws {
        let mixed = try text(
            Purchase.all(8, first: 400, seed: 4).rows(Self.header + ",created_at") {
                let id = $0.number % 2 == 0 ? $0.transaction : "pi_\($0.number)"
                return "\($0.order),\($0.account),\($0.product),6.00,CNY,paid,\(id),\($0.paid)"
            })
        #expect(mixed.contains(#"transaction_id: "DECIDE transaction_id","#) && mixed.contains("null if none is"))
    }

    @Test func theOrdersNumberIsCalledTransaction() throws {
        _ = try text(
            shop.rows("transaction_id,user_id,sku,amount,currency,status,app_token,created_at") {
                "TR\($0.order),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.token),\($0.paid)"
            })
        let text = try text(
            shop.rows("id,transaction_id,user_id,granted_at") {
                "\($0.number + 1),TR\($0.order),\($0.account),\($0.paid)"
            }, "grants-2026-07-13.csv")
        #expect(text.contains(#"order_id: "DECIDE transaction_id""#))
        #expect(text.contains(#"order_id: "transaction_id","#), "\(text)")
        #expect(text.split(separator: "transaction_id: null,").count == 3)
    }

    @Test func centsThatAreCalledAmount() throws {
        let text = try text(
            shop.rows(Self.header + ",created_at") { row($0).replacing($0.major, with: "\($0.price)") + ",\($0.paid)" })
        #expect(
            text.contains(#"amount_minor: "amount","#) && text.contains("// the column of this name is amount_minor"))
    }

    /// The ids of other movements equal the numbers of orders.
    @Test func movementsThatNameNoOrder() throws {
        _ = try text(shop.rows(Self.header + ",created_at") { "\(row($0)),\($0.paid)" })
        let own = shop.map { "\($0.number),80,Order,\($0.order),\($0.account),credit,\($0.paid)" }
        let others = shop.prefix(10).map {
            "\($0.number + 50),5,Referral,\(shop[($0.number + 5) % 12].order),\($0.account),credit,\($0.paid)"
        }
        let text = try text(
            ["id,coins,source_type,source_id,user_id,kind,granted_at"] + own + others, "grants-2026-07-13.csv")
        #expect(
            text.contains(#"account_id: "DECIDE user_id""#) && text.contains("12 of 22 are the account of their order"))
        #expect(text.contains(#"whereNot: { "source_type": "DECIDE Referral" }"#))
    }

    /// A refund may be a row of its own, with the token of its order.
    @Test func aTokenThatARefundRepeats() throws {
        let header = "order_id,user_id,sku,amount,currency,status,app_account_token,created_at"
        let orders = shop.filter { $0.number % 2 == 0 }
        let rows = orders.rows(header) {
            "\($0.order),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.token),\($0.paid)"
        }
        let text = try text(rows + ["R" + rows[1]])
        #expect(text.contains(#"appAccountToken: "DECIDE","#) && text.contains("1 of 6 tokens are in two rows"))
    }

    @Test func numbersWithATabForExcel() throws {
        let text = try text(
            shop.rows("订单号,用户ID,商品ID,状态,苹果交易号,下单时间") {
                "\($0.order)\t,\($0.account)\t,\($0.product),已付款\t,\($0.transaction)\t,\($0.paid)"
            })
        #expect(text.contains(#"transaction_id: "苹果交易号","#) && text.contains(#"order_id: "订单号","#))
        #expect(text.contains(#""已付款": "paid""#))
    }

    /// Events of a service that sells in the shop's place name customers by these columns, and purchases by Apple's ids.
    @Test(arguments: ["app_user_id", "customer_user_id"]) func eventsOfAService(_ account: String) throws {
        _ = try text(shop.rows(Self.header + ",created_at") { "\(row($0)),\($0.paid)" })
        let text = try text(
            shop.rows("event_id,\(account),store_transaction_id,event_datetime") {
                "\($0.number),\($0.account),\($0.transaction),\($0.clock("yyyy-MM-dd HH:mm:ssXXX", "UTC"))"
            }, "grants-2026-07-13.csv")
        #expect(
            text.contains(#"credit_id: "event_id""#) && text.contains("account_id: \"\(account)\",")
                && text.contains("12 of 12 are the account of their order"))
        #expect(text.contains(#"credited_at: "event_datetime""#))
    }

    @Test(arguments: [true, false]) func tokensWithoutHyphens(_ haveBraces: Bool) throws {
        let text = try text(
            shop.rows(Self.header + ",created_at,app_token") {
                "\(row($0)),\($0.paid),\(haveBraces ? "{\($0.token.uppercased())}" : $0.token.replacing("-", with: ""))"
            })
        #expect(
            text.contains(#"// "app_token" has Apple's tokens in braces or without their hyphens, and is not read"#))
    }

    @Test func oneCurrencyInAnotherUnit() throws {
        try samples.write(
            shop.map { $0.number % 2 == 0 ? $0.record.replacing(#""CNY""#, with: #""JPY""#) : $0.record },
            to: "apple-2026-07-13.jsonl")
        let text = try text(
            shop.rows(Self.header + ",created_at") {
                "\(row($0).replacing("\($0.major),CNY", with: "\($0.price),\($0.number % 2 == 0 ? "JPY" : "CNY")")),\($0.paid)"
            })
        #expect(
            text.contains(
                "only 6 of 12 are the price in minor units by Apple's records or the product list, and none in JPY"))
    }

    @Test func timesThatAreNone() throws {
        let zero = try text(
            shop.rows(Self.header + ",created_at,updated_at") {
                let time = $0.clock("yyyy-MM-dd HH:mm:ss", "UTC")
                return "\(row($0)),\(time),\($0.number % 2 == 0 ? "0000-00-00 00:00:00" : time)"
            })
        #expect(zero.contains(#"updated_at: "updated_at""#))
        let firestore = try text(
            shop.rows {
                let time = "{\"_seconds\":\($0.paid / 1000),\"_nanoseconds\":0}"
                return
                    #"{"orderId":"\#($0.order)","uid":"\#($0.account)","sku":"\#($0.product)","status":"paid","transactionId":"\#($0.transaction)","#
                    + "\"createdAt\":\(time),\"updatedAt\":\(time)}"
            }, "orders-2026-07-13.jsonl")
        #expect(firestore.contains(#"updated_at: "updatedAt._seconds""#))
    }
}
