import Base
import Domain
import Engine
import Foundation
import Reports
import Testing

@Suite struct NightWorkbookTests {
    let scratch: ScratchBuffer

    init() throws { scratch = try ScratchBuffer() }

    private func sheets(
        _ report: NightReport, _ language: Language = .english
    ) throws -> [String: [String: SheetCell]] {
        let workbook = try scratch.render(report, language)["reconciliation.xlsx"]!
        return Dictionary(uniqueKeysWithValues: try scratch.sheets(workbook).map { ($0.name, $0.cells) })
    }

    /// The cells below a title, from the sheet's second row on. Nil if there is no such title.
    private func column(_ title: String, of sheet: [String: SheetCell]) throws -> [SheetCell?] {
        let head = try #require(sheet.first { $0.key.hasSuffix("1") && row($0.key) == 1 && $0.value.text == title })
        let letters = head.key.prefix { $0.isLetter }
        let last = sheet.keys.map(row).max() ?? 1
        return last < 2 ? [] : (2...last).map { sheet[letters + String($0)] }
    }

    private func row(_ place: String) -> Int { Int(place.drop { $0.isLetter }) ?? 0 }

    @Test func thereIsASheetForEveryVerdictThatHasRows() throws {
        let workbook = try scratch.render(SampleNight().report)["reconciliation.xlsx"]!
        #expect(
            try scratch.sheets(workbook).map(\.name) == [
                "Summary", "New", "Resolved", "Credited to wrong account", "Paid not credited", "Invalid transaction",
                "Credited not paid", "Refunded not reversed", "Credited twice", "Value mismatch", "Orphan receipt",
                "Order unverified", "Order missing", "Aging", "Roll-forward", "Refunds", "Rejected rows", "Sources",
            ])
        #expect(try sheets(SampleNight(exceptions: 0).report, .chinese)["掉单（已付款未发放）"] == nil)
    }

    @Test func sumsOfASheetAreThoseOfTheReport() throws {
        let report = SampleNight().report
        let sheet = try #require(try sheets(report)["Paid not credited"])
        let amounts = try column("Amount", of: sheet)
        let currencies = try column("Currency", of: sheet)
        let rows = report.exceptions.filter { $0.verdict == .paidNotCredited && $0.state != .resolved }
        #expect(amounts.count == rows.count)
        for currency in SampleNight.currencies {
            let shown = zip(amounts, currencies).filter { $1?.text == currency.text }
                .reduce(Decimal(0)) { $0 + Decimal(string: $1.0!.text)! }
            let expected = rows.filter { $0.amount?.currency == currency }.reduce(Int64(0)) { $0 + $1.amount!.minor }
            #expect(shown == Decimal(string: Money(minor: expected, currency: currency).text))
        }
    }

    @Test func identifiersAreTextAndAmountsAreNumbers() throws {
        let sheet = try #require(try sheets(SampleNight().report)["New"])
        #expect(try column("Apple transaction", of: sheet).allSatisfy { $0?.isText == true })
        #expect(try column("Amount", of: sheet).allSatisfy { $0?.isText != true })
        #expect(try column("Event (Asia/Shanghai)", of: sheet).allSatisfy { $0?.isText == false })
    }

    @Test func instantsAreShownInTheReportsZone() throws {
        var report = SampleNight(exceptions: 1).report
        // 2025-11-18T00:00:00Z, 08:00 in Shanghai
        report.exceptions[0].eventAt = Instant(milliseconds: 1_763_424_000_000)
        let cell = try column("Event (Asia/Shanghai)", of: try #require(try sheets(report)["New"]))[0]
        let serial = try #require(Double(cell?.text ?? ""))
        #expect(abs(serial - (45_979 + 8.0 / 24)) < 1e-8)
    }

    @Test(arguments: ["=1+1", "@SUM(A1)", "=HYPERLINK(\"http://x\")", "\u{1B}[2J=1", "-1+1"])
    func nothingFromDataIsAFormula(text: String) throws {
        var report = SampleNight(exceptions: 1).report
        report.exceptions[0].accounts = [text]
        report.exceptions[0].note = text
        report.rejects[0].reject.row = Array(text.utf8)
        let sheets = try sheets(report)
        #expect(sheets.values.allSatisfy { $0.values.allSatisfy { !$0.isFormula } })
        #expect(try column("Account", of: sheets["New"]!)[0] == SheetCell(text: display(text), isText: true))
        #expect(
            try column("Row as read", of: sheets["Rejected rows"]!)[0] == SheetCell(text: display(text), isText: true))
    }

    @Test func rowsBeyondASheetsEndGoOnInTheNext() throws {
        let report = SampleNight(exceptions: 130).report
        let file = scratch.path + "/small.xlsx"
        try Data().write(to: URL(fileURLWithPath: file))
        let handle = try #require(FileHandle(forUpdatingAtPath: file))
        let workbook = try nightWorkbook(
            report, try Texts(language: .english), temporaryFolder: scratch.path, rowsMax: 11)
        try workbook.close(into: handle.fileDescriptor)
        let sheets = try scratch.sheets(try Data(contentsOf: URL(fileURLWithPath: file)))
        let new = sheets.filter { $0.name.hasPrefix("New") }
        let wanted = report.exceptions.filter { $0.state == .new }.map(\.id.text)
        #expect(new.map(\.name) == ["New", "New (2)", "New (3)"])
        #expect(try new.flatMap { try column("Exception", of: $0.cells) }.map { $0?.text } == wanted)
    }

    @Test func agingCountsEveryOpenExceptionOnce() throws {
        let report = SampleNight().report
        let open = report.exceptions.filter { $0.state != .resolved && $0.state != .waived }
        let shown = try column("Total", of: try #require(try sheets(report)["Aging"]))
        #expect(shown.reduce(0) { $0 + (Int($1?.text ?? "") ?? 0) } == open.count)
    }

    @Test(arguments: [(1, 0), (2, 1), (3, 1), (4, 2), (90, 6), (91, 7), (4000, 7)])
    func anAgeFallsIntoItsBucket(days: Int, bucket: Int) throws {
        var report = SampleNight(exceptions: 1).report
        report.exceptions[0].ageDays = days
        report.exceptions[0].amount = Money(minor: 600, currency: "CNY")
        let aging = try #require(try sheets(report)["Aging"])
        let titles = ["0–1", "2–3", "4–7", "8–14", "15–30", "31–60", "61–90", ">90"].map { $0 + " days" }
        for (index, title) in titles.enumerated() {
            #expect(try column(title, of: aging)[0]?.text == (index == bucket ? "1" : nil), "\(title)")
            #expect(try column(title + " amount", of: aging)[0]?.text == (index == bucket ? "6" : nil), "\(title)")
        }
    }

    @Test func aRollForwardThatDoesNotAddUpShowsIt() throws {
        var report = SampleNight().report
        report.rollForward[0].closing.count += 1
        report.rollForward[0].closing.minor += 600
        let sheet = try #require(try sheets(report)["Roll-forward"])
        #expect(try column("Check (must be 0)", of: sheet).map { $0?.text } == ["-1", "0", "0", "0"])
        #expect(try column("Check (must be 0) amount", of: sheet).map { $0?.text } == ["-6", "0", "0", "0"])
    }
}
