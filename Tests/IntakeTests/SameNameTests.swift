import Base
import Domain
import Intake
import Testing

/// Columns of a file that have a standard name and another meaning; values that are none.
@Suite struct SameNameTests {
    private let header = "id,transaction_id,account_id,product_id,status,created_at,amount,currency,app_account_token\n"
    private let row = "7,TR700351,70001,p,paid,2026-11-20T01:00:00Z,600,CNY,0f8fad5b-d9cb-469f-a165-708677289501\n"

    private func order(_ columns: [String: ColumnSource]) throws -> Order {
        let read = try contents(header + row, feed(.orders, columns: columns))
        #expect(read.rejects.isEmpty, "\(read.rejects)")
        return try #require(read.evidence.orders.first)
    }

    /// What another standard column maps is not read by its own name as well.
    @Test func aMappedColumnIsNoOther() throws {
        let mapped = try order(["order_id": "Transaction ID", "amount": .absent])
        #expect(mapped.id == "TR700351" && mapped.transaction == nil && mapped.amount == nil)
        let both = try order(["order_id": "transaction_id", "transaction_id": "transaction_id", "amount": .absent])
        #expect(both.id == "TR700351" && both.transaction == "TR700351")
        #expect(try order(["order_id": "id", "amount_minor": "amount"]).amount == Money(minor: 600, currency: "CNY"))
    }

    @Test(arguments: ["Bestell-Nr.", "Lfd. Nr.", "order.no"]) func aHeadingMayHavePoints(name: String) throws {
        let text = header.replacing("id,transaction_id", with: name + ",transaction_id") + row
        #expect(
            try contents(text, feed(.orders, columns: ["order_id": ColumnSource(name: name)])).evidence.orders.count
                == 1)
    }

    /// A wallet may name its rows by the order that they are for.
    @Test func theNumberOfACreditMayBeItsOrders() throws {
        let text = "order_id,account_id,credited_at\nO7,70001,2026-11-20T01:00:00Z\n"
        let credit = try contents(text, feed(.credits, columns: ["credit_id": "order_id"])).evidence.credits.first
        #expect(credit?.id == "O7" && credit?.order == "O7")
    }

    /// What every row needs, and a token, which is a UUID or none.
    @Test func someColumnsAreReadAllTheSame() throws {
        let read = try order(["order_id": "id", "account_id": "app_account_token", "updated_at": "created_at"])
        #expect(read.token != nil && read.updatedAt == read.createdAt && read.account.text.hasPrefix("0f8f"))
    }

    @Test func aColumnMayBeAbsent() throws {
        let orders = feed(.orders, columns: ["order_id": "id", "transaction_id": .absent, "updated_at": .absent])
        let read = try contents(header + row, orders)
        #expect(read.evidence.orders.first?.transaction == nil && read.ignoredColumns == ["transaction_id"])
        let json =
            #"{"id":"7","account_id":1,"product_id":"p","status":"paid","created_at":1763435045,"updatedAt":{"s":1}}"#
        #expect(try contents(json, orders, name: "o.jsonl").evidence.orders.count == 1)
    }

    @Test(arguments: [nil, TimeFormat("yyyy-MM-dd HH:mm:ss")]) func zeroesAreNoTime(_ format: TimeFormat?) throws {
        var orders = feed(.orders)
        orders.timeFormat = format
        let text =
            "order_id,account_id,product_id,status,created_at,updated_at\n"
            + "1,7,p,paid,2026-11-20 01:00:00,0000-00-00 00:00:00\n2,7,p,paid,0000-00-00 00:00:00,2026-11-20 01:00:00\n"
        let read = try contents(text, orders)
        #expect(read.evidence.orders.map(\.id) == ["1"] && read.evidence.orders[0].updatedAt == nil)
        #expect(read.rejects.map(\.reason) == ["is empty; every row needs a value"])
    }

    /// Reports for Excel put a tab behind a number, so that it keeps its digits.
    @Test func tabsAtTheEndAreNoPart() throws {
        var orders = feed(
            .orders,
            columns: [
                "order_id": ColumnSource(prefix: "W"), "status": ColumnSource(words: ["已付款": "paid"]),
                "transaction_id": "apple",
            ])
        orders.conditions = ["way": ["苹果"]]
        orders.excluded = ["paid": [""]]
        let text =
            "order_id,account_id,product_id,status,created_at,apple,app_account_token,way,paid\n"
            + "1\t,7\t,p\t,已付款\t,2026-11-20T01:00:00Z\t,2000000950000826\t,0f8fad5b-d9cb-469f-a165-708677289501\t,苹果\t,x\n"
            + "2\t,7\t,p,paid,2026-11-20T01:00:00Z,\t\t,,苹果,x\n3,7,p,paid,2026-11-20T01:00:00Z,,,苹果,\t\n"
        let read = try contents(text, orders)
        #expect(read.evidence.orders.map(\.id) == ["W1", "W2"] && read.leftOut == 1)
        #expect(read.evidence.orders.map(\.transaction) == ["2000000950000826", nil])
        #expect(read.evidence.orders[0].account == "7" && read.evidence.orders[0].token != nil)
        let inside = text.replacing("1\t,7", with: "1\t1,7")
        #expect(try contents(inside, orders).rejects.first?.reason.contains("contains a control character") == true)
    }
}
