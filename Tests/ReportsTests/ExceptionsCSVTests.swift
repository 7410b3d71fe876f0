import Domain
import Foundation
import Reports
import Testing

@testable import Engine

@Suite struct ExceptionsCSVTests {
    let scratch: ScratchBuffer

    init() throws { scratch = try ScratchBuffer() }

    private func csv(_ rows: [ExceptionRow]) throws -> String {
        var report = NightReport(
            businessDate: BusinessDate("2025-11-18")!, asOf: Instant(milliseconds: 1),
            horizon: Instant(milliseconds: 0), timeZone: "UTC", run: 1, version: "0")
        report.exceptions = rows
        return String(decoding: try scratch.render(report)["exceptions.csv"]!, as: UTF8.self)
    }

    private var row: ExceptionRow {
        ExceptionRow(
            facts: ExceptionFacts(
                verdict: .paidNotCredited, cause: .creditFailed, severity: .critical,
                eventAt: Instant(milliseconds: 1_763_424_000_250)),
            id: ExceptionID("E00000000000000e1")!, state: .new, firstSeen: BusinessDate("2025-11-18")!,
            lastSeen: BusinessDate("2025-11-18")!, ageDays: 0)
    }

    @Test func everyValueStandsInItsColumn() throws {
        var row = row
        row.accounts = ["A1"]
        row.orders = ["O1", "O2"]
        row.transactions = ["2000000912345678"]
        row.originals = ["2000000900000000"]
        row.receipts = ["R1"]
        row.credits = ["C1"]
        row.product = "coins_60"
        row.quantity = 2
        row.amount = Money(minor: 1500, currency: "KWD")
        row.effect = Money(minor: -1500, currency: "KWD")
        row.short = .customer
        row.differences = [
            Difference(field: .product, left: "coins_60", right: "coins_300"),
            Difference(field: .quantity, left: "1", right: "2"),
        ]
        row.flags = ["cut_off", "late_credit"]
        row.suggestedOrder = "O9"
        row.action = .credit
        row.retryKey = "rk1"
        row.evidence = ["a.csv:2", "b.jsonl:7"]
        row.note = "called, will wait"
        row.assignee = "=li"
        row.ticket = "T-1"
        #expect(
            readCSV(try csv([row]))[1].prefix(30) == [
                "E00000000000000e1", "new", "paid_not_credited", "credit_failed", "critical", "2025-11-18",
                "2025-11-18",
                "2025-11-18T00:00:00.250Z", "0", "A1", "O1;O2", "2000000912345678", "2000000900000000", "R1", "C1",
                "coins_60", "2", "KWD", "1.500", "-1.500", "customer", "product: coins_60≠coins_300; quantity: 1≠2",
                "cut_off;late_credit", "O9", "credit", "rk1", "a.csv:2;b.jsonl:7", "called, will wait", "'=li", "T-1",
            ])
    }

    @Test(arguments: [
        "=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t1", "\r1", "\n1", "＝1+1", "＋1", "=cmd|' /C calc'!A0", "-", "+.5",
        "-1.",
    ])
    func whatBeginsAFormulaGetsAnApostrophe(text: String) throws {
        var row = row
        row.note = text
        row.product = text
        row.accounts = ["A", text]
        let fields = readCSV(try csv([row]))[1]
        #expect(try fields.count == readCSV(csv([]))[0].count)
        #expect(fields[27] == "'" + text && fields[15] == "'" + text)
        #expect(fields[9] == "A;'" + text)
    }

    /// A program that splits at semicolons, tabs or bars starts a new cell there, and does not know quotes within a
    /// cell.
    @Test(arguments: [
        ("a;=1+1", "a;'=1+1"), ("a|@x", "a|'@x"), ("a\t+1", "a\t'+1"), ("a\n-1", "a\n'-1"), ("a\r\n＝1", "a\r\n'＝1"),
        ("a;\"=1\"", "a;'\"=1\""), ("a; =1", "a;' =1"), (";;=1", ";;'=1"), ("=1;=2", "'=1;'=2"), ("\t=1", "'\t'=1"),
        ("a;b=1", "a;b=1"), ("a=1|b", "a=1|b"), ("a;1-1", "a;1-1"),
    ])
    func whatBeginsAFormulaBehindASeparatorGetsOneToo(text: String, expected: String) throws {
        var row = row
        row.note = text
        row.accounts = [text]
        let fields = readCSV(try csv([row]))[1]
        #expect(try fields.count == readCSV(csv([]))[0].count && fields[27] == expected && fields[9] == expected)
    }

    /// Python's reader refuses a field of 131,073 characters; a spreadsheet cuts at 32,767.
    @Test func aListOfThousandsOfReceiptsEndsWithTheirNumber() throws {
        var row = row
        row.facts.receipts = (1000..<9000).map { "receipt-\($0)" }
        let cell = try #require(try csv([row]).split(separator: ",").first { $0.hasPrefix("receipt-1000;") })
        #expect(cell.utf8.count < 32_100 && cell.hasSuffix(";receipt-3460;… +5539"), "\(cell.suffix(40))")
    }

    @Test(arguments: ["-12", "+3.50", "-0.001", "12", "a=b", "", "'=1"])
    func numbersAndHarmlessTextStayExact(text: String) throws {
        var row = row
        row.note = text
        #expect(readCSV(try csv([row]))[1][27] == text)
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func whateverIsWrittenIsReadBack(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let alphabet: [Character] = ["a", "\"", ",", "\n", ";", "字", " ", "'", "\r", "é", "\u{1B}"]
        let rows = (0..<200).map { _ in
            var row = row
            row.note =
                "n"
                + String(
                    (0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
            return row
        }
        let read = readCSV(try csv(rows)).dropFirst().map { $0[27] }
        #expect(zip(read, rows).allSatisfy { Array($0.utf8) == Array($1.note!.utf8) }, "seed \(seed)")
        #expect(read.count == rows.count, "seed \(seed)")
    }
}
