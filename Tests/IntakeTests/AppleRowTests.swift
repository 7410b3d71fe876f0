import Domain
import Intake
import Testing

@Suite struct AppleRowTests {
    private func payload(_ id: String, price: String = "6000") -> String {
        #"{"transactionId":"\#(id)","productId":"coins_60","bundleId":"com.example.game","purchaseDate":1763435045000,"#
            + #""environment":"Production","price":\#(price),"currency":"CNY"}"#
    }

    private func transactions(_ lines: [String], trust: Trust) throws -> FileContents {
        var vouched = feed(.transactions)
        vouched.trust = trust
        return try contents(lines.joined(separator: "\n"), vouched, name: "t.jsonl.gz", threads: 2, block: 300)
    }

    @Test func aTrustedBackendsTransactionsAreCounted() throws {
        let lines = (1...50).map { payload("20000000000000\($0)") } + ["", "nonsense", payload("", price: "1")]
        let read = try transactions(lines, trust: .backend)
        #expect(read.evidence.transactions.count == 50)
        #expect(read.evidence.transactions.map(\.source.line) == Array(1...50))
        #expect(read.rejects.map(\.line) == [52, 53])
        #expect(read.totals.rows == 52 && read.totals.rejected == 2)
        #expect(read.totals.amounts == ["CNY": 30_000])
        #expect(read.totals.firstEvent?.text == "2025-11-18T03:04:05Z")
    }

    @Test func withoutTrustABarePayloadIsRejected() throws {
        let read = try transactions([payload("2000000000000001")], trust: .signature)
        #expect(read.evidence.transactions.isEmpty)
        #expect(read.totals.rows == 1 && read.totals.rejected == 1)
    }

    @Test func applesNoToAnEmailedOrderIsKept() throws {
        let lines = [
            #"{"order_id":"MK1","response":{"status":1}}"#,
            #"{"order_id":"MK2","response":{"status":0,"signedTransactions":[]}}"#,
            #"{"order_id":"MK3","response":{"status":0,"signedTransactions":["x.y.z"]}}"#,
            #"{"order_id":"MK4","response":{}}"#,
            #"{"order_id":"MK5"}"#, #"{"response":{"status":1}}"#, #"{"order_id":"MK7","response":"{\"status\":1}"}"#,
        ]
        let read = try contents(lines.joined(separator: "\n"), feed(.orderLookups), name: "l.jsonl")
        #expect(read.evidence.orderLookups.map(\.emailedOrder.text) == ["MK1", "MK7"])
        #expect(read.evidence.orderLookups.allSatisfy { $0.transaction == nil } && read.evidence.transactions.isEmpty)
        #expect(read.rejects.map(\.line) == [3, 4, 5, 6])
        #expect(read.totals.rows == 7 && read.totals.rejected == 4)
    }

    @Test func receiptDataThatIsNoneAccusesNobody() throws {
        let lines = [
            "", #","receipt_data":"""#, #","receipt_data":"LCdRCk/RIzlKulQq""#, #","receipt_data":"not base64""#,
        ]
        .map { #"{"received_at":0,"account_id":"a","transaction_id":"2000000000000001""# + $0 + "}" }
        let read = try contents(lines.joined(separator: "\n"), feed(.receipts), name: "r.jsonl")
        #expect(read.evidence.receipts.map(\.proof) == [.unchecked, .unchecked, .unverifiable, .unverifiable])
        #expect(read.evidence.transactions.isEmpty && read.rejects.isEmpty)
    }

    @Test func applesReportsAreHashedAndNotRead() throws {
        let read = try contents("Start Date\tEnd Date\n", feed(.appleFinance), name: "80012345_1025_ZZ.txt")
        #expect(read.totals == ControlTotals())
        #expect(read.digest.bytes == sha256(Array("Start Date\tEnd Date\n".utf8)))
        #expect(throws: Never.self) { try refusal(gzip("Start".utf8).dropLast(), feed(.appleFinance)) }
    }
}
