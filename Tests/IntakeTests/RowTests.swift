import Domain
import Foundation
import Intake
import Testing

@Suite struct RowTests {
    @Test func everyColumnOfAnOrderIsRead() throws {
        let text = """
            order_id,account_id,product_id,quantity,amount,amount_minor,currency,app_account_token,transaction_id,status,created_at,updated_at,bundle_id
            A-1,acct7,coins_60,2,6.00,600,cny,0F8FAD5B-D9CB-469F-A165-70867728950E,2000000000000001,paid,2025-11-18 11:04:05,1763435045123,com.example.game
            """
        let order = try #require(try contents(text, feed(.orders, zone: Zone("Asia/Shanghai")!)).evidence.orders.first)
        #expect(order.id == "A-1" && order.account == "acct7" && order.product == "coins_60")
        #expect(order.quantity == 2)
        #expect(order.amount == Money(minor: 600, currency: "CNY"))
        #expect(order.token?.text == "0f8fad5b-d9cb-469f-a165-70867728950e")
        #expect(order.transaction == "2000000000000001" && order.bundle == "com.example.game")
        #expect(order.status == .paid)
        #expect(order.createdAt.text == "2025-11-18T03:04:05Z")
        #expect(order.updatedAt?.text == "2025-11-18T03:04:05.123Z")
        #expect(order.source == Provenance(delivery: 7, line: 2, fileDate: testDate))
    }

    @Test func whatIsAbsentIsNilOrItsDefault() throws {
        for absent in ["", "null", "NULL", "\\N"] {
            let text = """
                order_id,account_id,product_id,status,created_at,quantity,amount,currency,app_account_token,transaction_id,updated_at
                A,a,p,created,0,\(absent),\(absent),\(absent),\(absent),\(absent),\(absent)
                """
            let order = try #require(try contents(text, feed(.orders)).evidence.orders.first, "\(absent)")
            #expect(order.quantity == 1)
            #expect(order.amount == nil && order.token == nil && order.transaction == nil && order.updatedAt == nil)
        }
    }

    @Test(arguments: [
        (FeedKind.orders, "created_at", "order_id,account_id,product_id,status,created_at\nA,a,p,paid,"),
        (.orders, "updated_at", "order_id,account_id,product_id,status,created_at,updated_at\nA,a,p,paid,0,"),
        (.credits, "credited_at", "credit_id,account_id,order_id,credited_at\nC,a,A,"),
        (.receipts, "received_at", "receipt_id,account_id,received_at\nR,a,"),
    ])
    func aRowOfMoreThanADayAheadIsRejected(kind: FeedKind, column: String, row: String) throws {
        let now = testAppStore.now
        let read = try contents(row + (now + .hours(24)).text + "\n", feed(kind))
        #expect(read.totals.rejected == 0, "\(read.rejects)")
        let late = try contents(row + (now + .hours(24) + .minutes(1)).text + "\n", feed(kind))
        #expect(late.totals.rejected == 1 && late.rejects.map(\.column) == [column])
        #expect(late.rejects.first?.reason.hasPrefix("2027-01-02T00:01:00Z is in the future; write when") == true)
    }

    @Test func zeroIsNoTransaction() throws {
        let text = "credit_id,account_id,order_id,transaction_id,credited_at\nC,a,A,0,1763435045\n"
        #expect(try contents(text, feed(.credits)).evidence.credits.first?.transaction == nil)
    }

    @Test func anAmountWithoutCurrencyIsNone() throws {
        let text = orderHeader + ",amount\n" + orderRow("A") + ",6.00\n"
        #expect(try contents(text, feed(.orders)).evidence.orders.first?.amount == nil)
    }

    @Test func amountsFollowTheCurrencysDecimals() throws {
        let text =
            orderHeader + ",currency,amount\n"
            + ["JPY,230", "CNY,6", "KWD,1.5", "JPY,230.00"].enumerated()
            .map { orderRow("A\($0)") + "," + $1 + "\n" }.joined()
        #expect(try contents(text, feed(.orders)).evidence.orders.map(\.amount?.minor) == [230, 600, 1500, 230])
    }

    @Test func aTokenThatIsNoUUIDIsNone() throws {
        let text = orderHeader + ",app_account_token\n" + orderRow("A") + ",user-17\n"
        let read = try contents(text, feed(.orders))
        #expect(read.evidence.orders.first?.token == nil)
        #expect(read.rejects.isEmpty)
    }

    @Test func creditsSayWhoGaveAndWhoTook() throws {
        let text = """
            credit_id,account_id,order_id,transaction_id,product_id,quantity,kind,origin,credited_at
            C1,a,A,,p,3,Reversal,DESK,2025-11-18T03:04:05+08:00
            C2,a,,2000000000000001,,,,,2025-11-18T03:04:05Z
            """
        let credits = try contents(text, feed(.credits)).evidence.credits
        #expect(credits.map(\.kind) == [.reversal, .credit])
        #expect(credits.map(\.origin) == [.desk, .auto])
        #expect(credits.map(\.quantity) == [3, nil])
        #expect(credits.map(\.order) == ["A", nil])
        #expect(credits.map(\.creditedAt.text) == ["2025-11-17T19:04:05Z", "2025-11-18T03:04:05Z"])
    }

    @Test func receiptsAreReadFromJSON() throws {
        let text = #"""
            {"receivedAt":"2025-11-18T03:04:05Z","accountId":"acct\u00e9","orderId":null,"transactionId":2000000000000001,"verify_status":21007,"verifyRetryable":true,"Device ID":"d-1"}
            {"received_at":1763435045,"account_id":17,"receipt_id":"R1","verify_status":"21005","verify_retryable":"0"}
            {"received_at":1763435045,"account_id":"a","verify_status":"timeout"}
            """#
        let receipts = try contents(text, feed(.receipts), name: "file.jsonl").evidence.receipts
        #expect(receipts.map(\.account) == ["acct\u{e9}", "17", "a"])
        #expect(receipts.map(\.order) == [nil, nil, nil])
        #expect(receipts.map(\.transaction) == ["2000000000000001", nil, nil])
        #expect(receipts.map(\.verifyStatus) == [21007, 21005, nil])
        #expect(receipts.map(\.isRetryable) == [true, false, nil])
        #expect(receipts.map(\.givenID) == [nil, "R1", nil])
        #expect(receipts.map(\.device) == ["d-1", nil, nil])
    }

    /// The key of a receipt without an id. The value is fixed here, so that no version gives old receipts another key.
    @Test func aReceiptsContentIsTheDigestOfItsColumns() throws {
        let json = #"{"device_id":"d","account_id":"a","order_id":"","received_at":"1763435045"}"#
        let csv = "order_id,Received-At,accountId,ignored,device_id\n,1763435045,a,x,d\n"
        let first = try contents(json, feed(.receipts), name: "r.jsonl").evidence.receipts[0]
        let second = try contents(csv, feed(.receipts), name: "r.csv").evidence.receipts[0]
        #expect(first.content == second.content)
        // printf 'received_at\x1f1763435045\x1eaccount_id\x1fa\x1edevice_id\x1fd\x1e' | sha256sum
        #expect(first.content.hex == "b5c5b37ab1bced2515c5a01c686a7ec49e1adb42280380c0c636883bc9845790")
    }

    @Test func productsAndAcknowledgementsAreRead() throws {
        let products = try contents(
            "product_id,type,name,currency,amount,valid_from,valid_to\ncoins_60,Consumable,\"60, shiny\",CNY,6.00,2025-01-01,\n",
            feed(.products)
        ).evidence.products
        #expect(products.map(\.type) == [.consumable])
        #expect(products.map(\.name) == ["60, shiny"])
        #expect(products.map(\.price) == [Money(minor: 600, currency: "CNY")])
        #expect(products.map(\.validFrom) == [BusinessDate("2025-01-01")])
        let acks = try contents(
            #"{"key":"k1","outcome":"already_applied","at":"2025-11-18T03:04:05Z","message":"done\n"}"#, feed(.acks),
            name: "a.jsonl"
        ).evidence.acknowledgements
        #expect(
            acks == [
                Acknowledgement(
                    key: "k1", outcome: .alreadyApplied, at: Instant(milliseconds: 1_763_435_045_000),
                    message: "done\n",
                    source: Provenance(delivery: 7, line: 1, fileDate: testDate))
            ])
    }

    @Test func ownColumnNamesAndStatusWordsAreMapped() throws {
        let text =
            "tradeNo,order_id,account_id,product_id,status,created_at,rechargeValue,currency\nT1,X,a,p,已充值,0,600,CNY\nT2,X,a,p,PAID,0,,\n"
        let mapped = feed(
            .orders,
            columns: [
                "order_id": "tradeNo", "amount_minor": "rechargeValue",
                "status": ColumnSource(words: ["已充值": "credited"]),
            ])
        let read = try contents(text, mapped)
        #expect(read.evidence.orders.map(\.id) == ["T1", "T2"])
        #expect(read.evidence.orders.map(\.status) == [.credited, .paid])
        #expect(read.evidence.orders.first?.amount?.minor == 600)
        #expect(read.ignoredColumns == ["order_id"])
    }

    static let rejectedOrders: [(row: String, column: String?)] = [
        (",acct1,coins_60,paid,2025-11-18T03:04:05Z,,,", "order_id"),
        ("0,acct1,coins_60,paid,2025-11-18T03:04:05Z,,,", "order_id"),
        ("null,acct1,coins_60,paid,2025-11-18T03:04:05Z,,,", "order_id"),
        ("A,,coins_60,paid,2025-11-18T03:04:05Z,,,", "account_id"),
        ("A,acct1,,paid,2025-11-18T03:04:05Z,,,", "product_id"),
        ("A,acct1,coins_60,,2025-11-18T03:04:05Z,,,", "status"),
        ("A,acct1,coins_60,shipped,2025-11-18T03:04:05Z,,,", "status"),
        ("A,acct1,coins_60,paid,,,,", "created_at"),
        ("A,acct1,coins_60,paid,2025-02-30T03:04:05Z,,,", "created_at"),
        ("A,acct1,coins_60,paid,0,0,,", "quantity"), ("A,acct1,coins_60,paid,0,-1,,", "quantity"),
        ("A,acct1,coins_60,paid,0,1.0,,", "quantity"), ("A,acct1,coins_60,paid,0,1000001,,", "quantity"),
        ("A,acct1,coins_60,paid,0,1,6.00,C1Y", "currency"), ("A,acct1,coins_60,paid,0,1,6.00,YUAN", "currency"),
        ("A,acct1,coins_60,paid,0,1,6.005,CNY", "amount"), ("A,acct1,coins_60,paid,0,1,1e3,CNY", "amount"),
        ("A,acct1,coins_60,paid,0,1,\"1,5\",CNY", "amount"), ("A,acct1,coins_60,paid,0,1,6.00 ,CNY", "amount"),
        ("A,acct1,coins_60,paid,0,1,6.5,JPY", "amount"), ("A,acct1,coins_60,paid,0,1,99999999999999,CNY", "amount"),
        ("A\u{1b}[2J,acct1,coins_60,paid,0,,,", "order_id"), ("A,acct1\u{7f},coins_60,paid,0,,,", "account_id"),
        ("\"A\n1\",acct1,coins_60,paid,0,,,", "order_id"),
        (String(repeating: "A", count: 257) + ",acct1,coins_60,paid,0,,,", "order_id"),
        ("A,acct1,coins_60,paid,0,,", nil), ("A,acct1,coins_60,paid,0,,,,", nil), ("A", nil),
        ("A,acct1,coins_60,paid,0,,,\"x\"y", nil), ("A,ac\"ct1,coins_60,paid,0,,,", nil),
        ("A,acct1,coins_60,paid,0,,,\"x", nil),
        ("A\0,acct1,coins_60,paid,0,,,", nil),
    ]

    @Test(arguments: rejectedOrders)
    func unusableOrdersAreRejectedByColumn(_ row: String, _ column: String?) throws {
        let text =
            orderHeader + ",quantity,amount,currency\n" + orderRow("GOOD1") + ",,,\n" + row + "\n" + orderRow("GOOD2")
            + ",,,\n"
        let read = try contents(text, feed(.orders))
        #expect(read.evidence.orders.map(\.id) == ["GOOD1", "GOOD2"])
        #expect(read.rejects.first?.line == 3)
        #expect(read.rejects.first?.column == column)
        #expect(read.totals.rows == read.evidence.orders.count + read.totals.rejected)
    }

    @Test(arguments: [
        ("C,a,,,0,,", "order_id"), ("C,a,0,null,0,,", "order_id"), (",a,A,,0,,", "credit_id"),
        ("C,,A,,0,,", "account_id"),
        ("C,a,A,,,,", "credited_at"), ("C,a,A,,0,gift,", "kind"), ("C,a,A,,0,,robot", "origin"),
    ])
    func unusableCreditsAreRejectedByColumn(_ row: String, _ column: String) throws {
        let text = "credit_id,account_id,order_id,transaction_id,credited_at,kind,origin\n" + row + "\n"
        let rejects = try contents(text, feed(.credits)).rejects
        #expect(rejects.map(\.column) == [column])
        #expect(rejects.map { String(decoding: $0.row, as: UTF8.self) } == [row])
    }

    @Test(
        arguments: [
            (#"{"received_at":"never","account_id":"a"}"#, "received_at"), (#"{"account_id":"a"}"#, "received_at"),
            (#"{"received_at":0}"#, "account_id"), (#"{"received_at":0,"account_id":["a"]}"#, "account_id"),
            (#"{"received_at":0,"account_id":{"a":1}}"#, "account_id"),
            (#"{"received_at":0,"account_id":"a","accountId":"b"}"#, "account_id"),
            (#"{"received_at":0,"account_id":"a","account_id":"a"}"#, nil),
            (#"{"received_at":0,"account_id":"a"} x"#, nil),
            (#"{"received_at":0,"account_id":"a","verify_retryable":"maybe"}"#, "verify_retryable"),
            (#"["received_at"]"#, nil),
            (#"{"received_at":0,"account_id":"\u0007"}"#, "account_id"), ("nonsense", nil), ("{", nil),
            (#"{"received_at":0,"account_id":"a","x":"# + String(repeating: "[", count: 200_000) + "}", nil),
        ] as [(String, String?)])
    func unusableJSONRowsAreRejectedByColumn(_ row: String, _ column: String?) throws {
        let good = #"{"received_at":0,"account_id":"good"}"# + "\n"
        let read = try contents(good + row + "\n" + good, feed(.receipts), name: "r.jsonl")
        #expect(read.evidence.receipts.map(\.source.line) == [1, 3])
        #expect(read.rejects.map(\.line) == [2])
        #expect(read.rejects.map(\.column) == [column])
        #expect(read.rejects[0].row.count <= 4096)
    }

    @Test func amountsThatContradictEachOtherAreRejected() throws {
        let text = orderHeader + ",currency,amount,amount_minor\n" + orderRow("A") + ",CNY,6.00,601\n"
        #expect(try contents(text, feed(.orders)).rejects.map(\.column) == ["amount_minor"])
    }

    @Test func bytesThatAreNoUTF8RejectTheirRowAlone() throws {
        let bytes =
            Array((orderHeader + "\n" + orderRow("A") + "\n").utf8) + [0x42, 0xFF]
            + Array((orderRow("") + "\n" + orderRow("é")).utf8)
        let read = try contents(bytes, feed(.orders))
        #expect(read.evidence.orders.map(\.id) == ["A", "é"])
        #expect(read.rejects.map(\.line) == [3])
        #expect(read.rejects.first?.row.prefix(2) == [0x42, 0xFF])
    }
}
