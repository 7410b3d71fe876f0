import Domain
import Testing

@testable import Reports

private let a1 = Formula.cell(row: 0, column: 0)
private let d1 = Formula.cell(row: 0, column: 3)

/// Formulas are computed as a spreadsheet would. LibreOffice computes those of whole months again in
/// scripts/soak.d/month-workbook.
@Suite struct FormulaTests {
    private let texts: Texts

    init() throws { texts = try Texts(language: .english) }

    private func cells() -> WorkbookCells {
        let cells = WorkbookCells()
        let table = Table(
            columns: [
                Column<Int>("currency") { .text($0 % 2 == 0 ? "CNY" : "KWD") },
                Column("amount") { .money(Money(minor: Int64($0), currency: $0 % 2 == 0 ? "CNY" : "KWD")) },
                Column("month") { _ in .text("2025-11") },
            ], rows: [1, 2, 3, 4])
        cells.add(table, named: "It's a table", rowsMax: 100)
        var page = Page(widths: [], texts)
        page.add([.cell(.integer(3)), .text("CNY"), .cell(.empty), .cell(.money(Money(minor: -125, currency: "USD")))])
        page.add([
            .formula(a1 + d1, nil), .text("2025-11"), .check(a1 - .number(3)),
            .check(.rounded(d1, decimals: 0) + .number(1)),
        ])
        cells.add(page, named: "Page")
        return cells
    }

    private static let row = Formula.cells(0...0, columns: 0...3)

    private static func table(_ column: Int, _ rows: ClosedRange<Int> = 1...4) -> Formula {
        .cells(rows, columns: column...column, sheet: "It's a table")
    }

    /// Formulas, what a workbook has for them, and their values.
    private static let formulas: [(Formula, String, Double)] = [
        (.number(1) + .number(2) - .number(4), "1+2-4", -1),
        (.negative(.bracket(.number(2) - .number(3))), "-(2-3)", 1), (.absolute(d1), "ABS($D$1)", 1.25),
        (.bracket(.money(-12_345, "KWD")) + .money(5, "USD"), "(-12.345)+0.05", -12.295),
        (.rounded(d1, decimals: 1), "ROUND($D$1,1)", -1.3), (.rounded(d1, decimals: 0), "ROUND($D$1,0)", -1),
        (.cell(row: 1, column: 0), "$A$2", 1.75), (.sum(row), "SUM($A$1:$D$1)", 1.75),
        (.cell(row: 0, column: 1) + .number(1), "$B$1+1", 1), (.sumOfSign(row, ">0"), "SUMIF($A$1:$D$1,\">0\")", 3),
        (.sumOfSign(row, "<0"), "SUMIF($A$1:$D$1,\"<0\")", -1.25),
        (
            .sums(table(1), where: [(table(0), .cell(row: 0, column: 1))]),
            "SUMIFS('It''s a table'!$B$2:$B$5,'It''s a table'!$A$2:$A$5,$B$1)", 0.06
        ),
        (
            .sums(table(1), where: [(table(0), .word("KWD"))]),
            "SUMIFS('It''s a table'!$B$2:$B$5,'It''s a table'!$A$2:$A$5,\"KWD\")", 0.004
        ),
        (
            .sums(nil, where: [(table(0), .cell(row: 0, column: 1))]), "COUNTIFS('It''s a table'!$A$2:$A$5,$B$1)", 2
        ),
        (.sums(nil, where: [(table(0, 1...8), .word("EUR"))]), "COUNTIFS('It''s a table'!$A$2:$A$9,\"EUR\")", 0),
        (
            .sumProduct(
                .equal(table(0), .cell(row: 0, column: 1)) * .equal(table(2), .cell(row: 1, column: 1)) * table(1)),
            "SUMPRODUCT(('It''s a table'!$A$2:$A$5=$B$1)*('It''s a table'!$C$2:$C$5=$B$2)*'It''s a table'!$B$2:$B$5)",
            0.06
        ),
    ]

    @Test(arguments: formulas)
    func aFormulaIsWrittenAndComputed(formula: Formula, text: String, value: Double) {
        #expect(formula.text == text)
        #expect(formula.value(on: "Page", in: cells()).double == value)
    }

    @Test func checksThatAreNotNothingAreNamed() {
        #expect(cells().failedChecks.isEmpty)
        let cells = cells()
        var page = Page(widths: [], texts)
        page.addTotal(of: "all", column: 1)
        for value: Formula in [.number(0), .number(2) - .number(1), .number(-3), .number(0)] {
            page.add([.text(""), .text("-"), .check(value)])
        }
        cells.add(page, named: "Other")
        #expect(cells.failedChecks == ["Other!C3 is 1.0", "Other!C4 is -3.0"])
        #expect(cells.value("Other", row: 0, column: 1).double == 4)
    }
}
