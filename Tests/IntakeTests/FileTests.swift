import Domain
import Foundation
import Intake
import Testing

@Suite struct FileTests {
    @Test(arguments: [
        ("a.csv", orderHeader), ("a.csv", orderHeader + "\n"), ("a.csv", orderHeader + "\r\n\r\n"),
        ("a.jsonl", "\n"), ("a.jsonl", "\r\n\n"),
    ])
    func aFileWithoutRowsHasArrivedAndHoldsNothing(_ name: String, _ text: String) throws {
        let read = try contents(text, feed(.orders), name: name)
        #expect(read.totals == ControlTotals())
        #expect(read.evidence.orders.isEmpty && read.rejects.isEmpty)
    }

    /// An empty file is an export that failed at its first byte. It must not count as a day without rows.
    @Test(arguments: ["a.csv", "a.tsv", "a.jsonl", "a"])
    func aFileOfNoBytesIsRefused(_ name: String) throws {
        for bytes in [[], Array("\u{feff}".utf8), gzip([])] {
            for kind in [FeedKind.orders, .credits, .receipts, .acks, .transactions] {
                let reason = try refusal(bytes, feed(kind), name: name).reason
                #expect(reason.hasPrefix("it is empty"), "\(kind) \(reason)")
            }
        }
    }

    @Test func aFileWithoutAHeaderIsNamedAsSuch() throws {
        for text in [orderRow("A") + "\n", "a;b\n1;2\n"] {
            let reason = try refusal(text.utf8, feed(.orders)).reason
            #expect(reason.hasPrefix("its first line has no column of orders"), "\(reason)")
        }
        #expect(try refusal("\n\n".utf8, feed(.orders)).reason.hasPrefix("it is empty"))
    }

    /// Wherever an export breaks off within a line, the rest of that line shows it, unless what is left of the last
    /// field is a value.
    @Test func aFileThatBreaksOffWithinALineIsRefused() throws {
        let rows = orderHeader + "\n" + orderRow("A") + "\n"
        for last in [
            "B", "B,acct1,coins_60,paid", "\"B,acct1", "B,acct1,coins_60,paid,", "B,acct1,coins_60,paid,2025-1",
            "B,acct1,coins_60,paid,\"2025-11-18T03:04:05Z",
        ] {
            let reason = try refusal((rows + last).utf8, feed(.orders), share: 1_000_000).reason
            #expect(reason.hasPrefix("it ends in the middle of line 3"), "\(last) \(reason)")
            #expect(try contents(rows + last + "\n", feed(.orders)).rejects.map(\.line) == [3], "\(last)")
        }
        let whole = #"{"received_at":0,"account_id":"a","order_id":"}"}"#
        for count in 1..<whole.count {
            let text = whole + "\n" + whole.prefix(count)
            let refusal = try refusal(text.utf8, feed(.receipts), name: "r.jsonl")
            #expect(refusal.reason.hasPrefix("it ends in the middle of line 2"), "\(count)")
        }
        #expect(try contents(whole + "\n" + whole, feed(.receipts), name: "r.jsonl").totals.rows == 2)
        // A machine that lost its power leaves zeros.
        for (kind, name) in [(FeedKind.receipts, "r.jsonl"), (.transactions, "t.jsonl")] {
            let text = whole + "\n" + String(repeating: "\0", count: 100)
            let reason = try refusal(text.utf8, feed(kind), name: name, share: 1_000_000).reason
            #expect(reason.hasPrefix("it ends in the middle of line 2"), "\(reason)")
        }
        let jws = "eyJhbGciOiJFUzI1NiJ9.eyJ0cmFuc2FjdGlvbklkIjoiMSJ9." + String(repeating: "A", count: 85)
        for count in [20, 50, jws.count] {
            let refusal = try refusal(jws.prefix(count).utf8, feed(.transactions), name: "t.jsonl", share: 1_000_000)
            #expect(refusal.reason.hasPrefix("it ends in the middle of line 1"), "\(count)")
        }
        #expect(throws: Unexpected.self) {
            try refusal((jws + "A").utf8, feed(.transactions), name: "t.jsonl", share: 1_000_000)
        }
    }

    /// A row of transactions can be used although its end is missing.
    @Test(arguments: [
        #"{"transactionId":"1","productId":"}","signedDate":0}"#,
        #"{"signedTransactionInfo":"eyJhbGciOiJFUzI1NiJ9.eyJhIjoiMSJ9.AAAA"}"#,
        #"{"hasMore":false,"signedTransactions":["eyJhbGciOiJFUzI1NiJ9.eyJhIjoiMSJ9.AAAA","eyJh"]}"#,
    ])
    func transactionsThatBreakOffWithinALineAreRefused(whole: String) throws {
        for count in 1..<whole.count {
            let text = whole + "\n" + whole.prefix(count)
            let refusal = try refusal(text.utf8, feed(.transactions), name: "t.jsonl", share: 1_000_000)
            #expect(refusal.reason.hasPrefix("it ends in the middle of line 2"), "\(count)")
        }
        // A complete row needs no line ending, and in the middle of a file even an incomplete one is only rejected.
        for text in [whole + "\n" + whole, whole.prefix(20) + "\n" + whole + "\n" + whole] {
            #expect(throws: Unexpected.self, "\(text)") {
                try refusal(text.utf8, feed(.transactions), name: "t.jsonl", share: 1_000_000)
            }
        }
    }

    /// An export without quoting writes whatever a client sends into the CSV.
    @Test func noRowOfAClientRefusesAFile() throws {
        let header = "received_at,account_id,device_id\n"
        let text = header + (0..<30).map { "x\($0),a,d\n" }.joined() + "0,a,d\n0,\"a"
        guard case .read(let contents) = try outcome(text.utf8, feed(.receipts), name: "r.csv", share: 0) else {
            throw Unexpected(what: "refused")
        }
        #expect(contents.totals.rows == 32 && contents.totals.rejected == 31)
        #expect(try refusal(String(repeating: "x\n", count: 20).utf8, feed(.receipts), name: "r.jsonl").rejected == 20)
    }

    @Test func aFewRejectedRowsRefuseNoFileUnlessTheyAreMostOfIt() throws {
        func isRefused(rejected: Int, of rows: Int) throws -> Bool {
            let text = orderHeader + "\n" + (0..<rows).map { orderRow($0 < rejected ? "" : "A\($0)") + "\n" }.joined()
            guard case .refused = try outcome(text.utf8, feed(.orders), share: 10_000) else { return false }
            return true
        }
        #expect(try !isRefused(rejected: 10, of: 20))
        #expect(try isRefused(rejected: 11, of: 100))
        #expect(try isRefused(rejected: 1, of: 1) && isRefused(rejected: 6, of: 11))
    }

    @Test(arguments: [
        "\(orderHeader)\n\(orderRow("A"))\n\(orderRow("B"))\n",
        "\u{feff}\(orderHeader)\r\n\(orderRow("A"))\r\n\(orderRow("B"))",
        "\n\(orderHeader)\n\n\(orderRow("A"))\n\r\n\(orderRow("B"))\n\n",
        "Order ID,\"accountId\",PRODUCT-ID,\" status \",Created_At\n\(orderRow("A"))\n\"B\",\"acct1\",coins_60,\"paid\",\"2025-11-18T03:04:05Z\"",
        "\(orderHeader.replacing(",", with: "\t"))\n\(orderRow("A").replacing(",", with: "\t"))\n\(orderRow("B").replacing(",", with: "\t"))\n",
        [
            #"{"order_id":"A","account_id":"acct1","product_id":"coins_60","status":"paid","created_at":"2025-11-18T03:04:05Z"}"#,
            #"{"order_id":"B","account_id":"acct1","product_id":"coins_60","status":"paid","created_at":"2025-11-18T03:04:05Z"}"#,
        ]
        .joined(separator: "\r\n"),
    ])
    func theSameRowsAreReadFromEveryFormat(_ text: String) throws {
        for bytes in [Array(text.utf8), gzip(text.utf8)] {
            let read = try contents(bytes, feed(.orders), name: "told-by-content")
            #expect(read.evidence.orders.map(\.id) == ["A", "B"])
            #expect(read.evidence.orders.map(\.createdAt.text) == ["2025-11-18T03:04:05Z", "2025-11-18T03:04:05Z"])
            #expect(read.rejects.isEmpty)
        }
    }

    @Test func theExtensionTellsTheFormatBeforeTheContentDoes() throws {
        let text = orderHeader + ",x\ty\n" + orderRow("A") + ",1\n"
        for name in ["a.csv", "a.CSV.gz", "a.csv.GZ"] {
            #expect(try contents(text, feed(.orders), name: name).evidence.orders.count == 1)
        }
        // The content says TSV, but only commas divide the header into columns of orders.
        #expect(try contents(text, feed(.orders), name: "a").evidence.orders.count == 1)
        #expect(try contents(text, feed(.orders, format: .csv), name: "a.tsv").evidence.orders.count == 1)
    }

    @Test(arguments: [
        ("order_id,account_id,product_id,status\n", "no column created_at"),
        (orderHeader + ",Order-Id\n", "order_id twice"),
        (Array(repeating: "x", count: 1001).joined(separator: ","), "more than 1000 columns"),
        ("\"order_id\"x,a\n", "quotes"),
        ("\u{1f}\u{8b}", "no column"), (String(repeating: "x", count: 5 << 20), "longer than 4 MiB"),
    ])
    func aFileWhoseHeaderCannotBeUsedIsRefused(_ header: String, _ reason: String) throws {
        let refusal = try refusal(header.utf8, feed(.orders))
        #expect(refusal.reason.contains(reason), "\(refusal.reason)")
    }

    @Test func aFileIsRefusedOnlyBeyondTheShareOfRejectedRows() throws {
        func text(rejected: Int) -> String {
            orderHeader + "\n" + (0..<1000).map { orderRow($0 < rejected ? "" : "A\($0)") + "\n" }.joined()
        }
        guard case .read(let contents) = try outcome(text(rejected: 10).utf8, feed(.orders), share: 10_000) else {
            throw Unexpected(what: "refused at the share itself")
        }
        #expect(contents.totals.rows == 1000 && contents.totals.rejected == 10 && contents.rejects.count == 10)
        let refusal = try refusal(text(rejected: 11).utf8, feed(.orders))
        #expect(refusal.rows == 1000 && refusal.rejected == 11 && refusal.rejects.count == 11)
        #expect(refusal.digest != nil)
    }

    @Test func allRejectsOfAFileThatIsReadAreListedAndFewOfOneThatIsRefused() throws {
        let garbage = String(repeating: "x\n", count: 15_000)
        let read = try contents(garbage, feed(.orders), name: "r.jsonl")
        #expect(read.rejects.map(\.line) == Array(1...15_000))
        let refusal = try refusal(garbage.utf8, feed(.orders), name: "r.jsonl")
        #expect(refusal.rejects.map(\.line) == Array(1...1000))
        #expect(refusal.rows == 15_000 && refusal.rejected == 15_000)
    }

    @Test func controlTotalsCountWhatWasUsed() throws {
        let text =
            orderHeader + ",currency,amount\n"
            + [
                orderRow("A") + ",CNY,6.00", orderRow("B") + ",JPY,230", orderRow("C") + ",CNY,-1.50",
                orderRow("") + ",CNY,9.00",
                "D,acct1,coins_60,paid,2025-11-17T00:00:00Z,,",
            ].joined(separator: "\n")
        let totals = try contents(text, feed(.orders)).totals
        #expect(totals.rows == 5 && totals.rejected == 1)
        #expect(totals.amounts == ["CNY": 450, "JPY": 230])
        #expect(totals.firstEvent?.text == "2025-11-17T00:00:00Z" && totals.lastEvent?.text == "2025-11-18T03:04:05Z")
        // FNV-1a of one byte b: (0xcbf29ce484222325 ^ b) × 0x100000001b3; of A, B, C and D, added up.
        let digests: [UInt64] = [
            0xaf63_fc4c_8602_22ec, 0xaf63_ff4c_8602_2805, 0xaf63_fe4c_8602_2652, 0xaf63_f94c_8602_1dd3,
        ]
        #expect(totals.hashTotal == digests.reduce(0, &+))
    }

    @Test func aRowOfThousandsOfMembersIsRejectedAtTheFirstTooMany() throws {
        func row(_ count: Int) -> String {
            "{" + (0..<count).map { #""m\#($0)":1,"# }.joined() + #""received_at":0,"account_id":"a"}"# + "\n"
        }
        let read = try contents(row(1000) + row(1001) + row(100_000), feed(.receipts), name: "r.jsonl")
        #expect(read.totals.rows == 3 && read.rejects.map(\.line) == [2, 3])
        #expect(read.rejects.allSatisfy { $0.reason.contains("more than 1000 unknown members") })
    }

    @Test func unknownColumnsAreNamedOnce() throws {
        let json = (0..<50).map { #"{"received_at":0,"account_id":"a","X\#($0 % 2)":1,"y":null}"# }.joined(
            separator: "\n")
        #expect(
            try contents(json, feed(.receipts), name: "r.jsonl", threads: 2, block: 64).ignoredColumns == [
                "X0", "X1", "y",
            ])
        #expect(try contents(orderHeader + ",zeta,Alpha\n", feed(.orders)).ignoredColumns == ["Alpha", "zeta"])
    }

    @Test func theDigestIsThatOfTheFileOnDisk() throws {
        let bytes = gzip((orderHeader + "\n").utf8)
        let read = try contents(bytes, feed(.orders))
        #expect(read.digest.bytes == Array(sha256(bytes)))
        #expect(read.stamp.bytes == Int64(bytes.count))
    }

    @Test func onlyRegularFilesAreRead() throws {
        let folder = try Folder()
        try folder.write(orderHeader, to: "real.csv")
        try FileManager.default.createDirectory(atPath: folder.path + "/folder", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link.csv", withDestinationPath: "real.csv")
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        func result(_ file: FoundFile) throws(IntakeError) -> ReadOutcome {
            try read(file, feed: feed(.orders), delivery: 1, settings: IntakeSettings(appStore: testAppStore))
        }
        #expect(throws: Never.self) { try result(folder.file("link.csv")) }
        for name in ["folder", "pipe"] {
            let error = IntakeError.notAFile(path: folder.path + "/" + name)
            #expect(throws: error) { try result(folder.file(name)) }
            #expect(throws: error) { try stamp(of: folder.file(name)) }
        }
        let device = FoundFile(feed: 0, path: "/dev/zero", name: "zero", fileDate: testDate, isDated: false)
        #expect(throws: IntakeError.notAFile(path: "/dev/zero")) { try result(device) }
        #expect(throws: IntakeError.self) { try result(folder.file("absent")) }
        #expect(try stamp(of: folder.file("real.csv")) == stamp(of: folder.file("link.csv")))
    }

    @Test func everyStandardColumnHasItsNameInTheDocumentation() {
        let names = FeedKind.allCases.flatMap(Feed.columnNames)
        #expect(names.contains("app_account_token") && names.contains("verify_retryable") && names.contains("valid_to"))
        #expect(Feed.columnNames(of: .transactions).isEmpty)
        #expect(names.allSatisfy { !$0.isEmpty && $0 == $0.lowercased() })
    }
}
