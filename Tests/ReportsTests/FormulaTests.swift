import Domain
import Testing

@testable import Reports

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
        page.add([.formula("$A$1+$D$1", nil), .text("2025-11"), .check("$A$1-3"), .check("ROUND($D$1,0)+1")])
        cells.add(page, named: "Page")
        return cells
    }

    @Test(arguments: [
        ("1+2-4", -1), ("-(2-3)", 1), ("ABS($D$1)", 1.25), ("(-12.345)+0.05", -12.295), ("ROUND($D$1,1)", -1.3),
        ("ROUND($D$1,0)", -1),
        ("$A$2", 1.75), ("SUM($A$1:$D$1)", 1.75), ("$B$1+1", 1), ("SUMIF($A$1:$D$1,\">0\")", 3),
        ("SUMIF($A$1:$D$1,\"<0\")", -1.25), ("SUMIFS('It''s a table'!$B$2:$B$5,'It''s a table'!$A$2:$A$5,$B$1)", 0.06),
        ("SUMIFS('It''s a table'!$B$2:$B$5,'It''s a table'!$A$2:$A$5,\"KWD\")", 0.004),
        ("COUNTIFS('It''s a table'!$A$2:$A$5,$B$1)", 2), ("COUNTIFS('It''s a table'!$A$2:$A$9,\"EUR\")", 0),
        (
            "SUMPRODUCT(('It''s a table'!$A$2:$A$5=$B$1)*('It''s a table'!$C$2:$C$5=$B$2)*'It''s a table'!$B$2:$B$5)",
            0.06
        ),
    ])
    func aFormulaIsComputed(formula: String, value: Double) {
        #expect(Formula.value(of: formula, on: "Page", in: cells()).double == value)
    }

    @Test func checksThatAreNotNothingAreNamed() {
        #expect(cells().failedChecks.isEmpty)
        let cells = cells()
        var page = Page(widths: [], texts)
        page.addTotal(of: "all", column: 1)
        for value in ["0", "2-1", "0-3", "0"] { page.add([.text(""), .text("-"), .check(value)]) }
        cells.add(page, named: "Other")
        #expect(cells.failedChecks == ["Other!C3 is 1.0", "Other!C4 is -3.0"])
        #expect(cells.value("Other", row: 0, column: 1).double == 4)
    }
}
