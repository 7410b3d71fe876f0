/// A sheet that is known to the formulas of a workbook before it is written.
protocol BookSheet {
    /// Makes its cells known to formulas.
    func add(to cells: WorkbookCells, named name: String, rowsMax: Int)
    /// - Parameter cells: computes the formulas of all sheets, which are known there by their names.
    func write(
        named name: String, with writer: SheetWriter, cells: WorkbookCells, to workbook: inout Workbook
    ) throws(XlsxError)
}

/// A sheet that is laid out completely before it is written. Formulas in upper rows can thus refer to cells in lower
/// ones, although libxlsxwriter writes rows only from top to bottom.
struct Page: BookSheet {
    enum Entry {
        case text(String, KeyPath<SheetStyles, Style>)
        case cell(Cell)
        /// A text that leads to cells of another sheet of the workbook.
        case link(String, sheet: String, cells: String = "A1")
        /// A live formula, whose value is shown as money of the currency; with nil, as an integer.
        case formula(Formula, Currency?)
        /// A formula that must come to 0.
        case check(Formula)
        /// A number in this style. Formulas see four decimals.
        case figure(Double, KeyPath<SheetStyles, Style>)

        static func text(_ text: String) -> Entry { .cell(Cell(text)) }
        static func label(_ text: String) -> Entry { .text(text, \.label) }
        static func header(_ text: String) -> Entry { .text(text, \.header) }
        static func figureHeader(_ text: String) -> Entry { .text(text, \.figureHeader) }
        static func integer(_ number: Int64) -> Entry { .cell(.integer(number)) }
        /// A share of 1, in ten-thousandths, as a percentage.
        static func share(_ share: Int) -> Entry { .figure(Double(share) / 10_000, \.percent) }

        /// A formula that must come to 0 when it is rounded to the decimals of the currency.
        static func check(_ difference: Formula, _ currency: Currency) -> Entry {
            .check(.rounded(difference, decimals: currency.exponent))
        }

        /// An amount; where no currency is known, the number itself.
        static func money(_ minor: Int64, _ currency: Currency) -> Entry {
            currency == .absent ? .integer(minor) : .cell(.money(Money(minor: minor, currency: currency)))
        }
    }
    /// Of the columns, in characters.
    private let widths: [Double]
    private(set) var rows: [[Entry]] = []
    private var heights: [Int: Double] = [:]
    private(set) var checks: [(row: Int, column: Int)] = []
    /// The cell that shows the sum of all checks.
    private var total: (row: Int, column: Int)?
    /// How many rows, from the first one, stay visible while scrolling. 0 for none.
    var frozen = 0
    /// The row that is repeated on every printed page. Without one, it is the header of a block: of the first where all blocks
    /// have the same header, else of the last, because a sheet repeats one row alone, on the pages below it.
    var repeated: Int?
    /// The headers of the blocks, with their titles.
    private var headers: [(row: Int, titles: [String])] = []
    /// All blocks have the same header, so they may begin and end on any page.
    private var flows: Bool { repeated == nil && headers.allSatisfy { $0.titles == headers[0].titles } }
    /// The first rows of parts that are printed on one page where they fit.
    private var parts: [Int] = []
    /// The rows above which a new printed page begins in any case.
    var breaks: [Int] = []
    /// Bars beside or below the rows that they show.
    var charts: [BarChart] = []
    /// Lines of the rows' figures.
    var lineCharts: [LineChart] = []
    /// Cells with names. See `Sheet.name(row:column:as:)`.
    var names: [(row: Int, column: Int, name: String)] = []
    /// The table that has filter buttons.
    var filtered: (header: Int, last: Int, columns: Int)?
    let texts: Texts

    init(title: String? = nil, widths: [Double], _ texts: Texts) {
        self.widths = widths
        self.texts = texts
        if let title { add([.text(title, \.title)]) }
    }

    /// Begins a part that is printed on one page where it fits. It ends where the next one begins.
    mutating func beginPart() { parts.append(next) }

    /// Of all rows, in points.
    private var height: Double { rows.indices.reduce(0) { $0 + (heights[$1] ?? 15) } }

    /// The rows above which a new printed page begins, so that parts stay together.
    ///
    /// - Parameter height: the height of a printed page, in points of the sheet.
    private func breaksBetweenParts(_ height: Double) -> [Int] {
        var breaks: [Int] = []
        var used = (0..<(parts.first ?? 0)).reduce(0) { $0 + (heights[$1] ?? 15) }
        for (index, first) in parts.enumerated() {
            let end = index + 1 < parts.count ? parts[index + 1] : rows.count
            let size = (first..<end).reduce(0) { $0 + (heights[$1] ?? 15) }
            // What is longer than a page begins where there is room.
            if used > 0, used + size > height, size <= height || used > height * 2 / 3 {
                breaks.append(first)
                used = 0
            }
            used = (used + size).truncatingRemainder(dividingBy: height)
        }
        return breaks
    }

    /// The index of the row that is added next, from 0.
    var next: Int { rows.count }

    /// What is in a cell; nil if nothing is.
    func entry(row: Int, column: Int) -> Entry? {
        if let total, total.row == row, total.column == column { return .formula(sumOfChecks, nil) }
        guard row < rows.count, column < rows[row].count else { return nil }
        return rows[row][column]
    }

    /// Adds a row. The height is in points.
    mutating func add(_ entries: [Entry] = [], height: Double? = nil) {
        for (column, entry) in entries.enumerated() {
            if case .check = entry { checks.append((next, column)) }
        }
        if let height { heights[next] = height }
        rows.append(entries)
    }

    /// Adds a text in as many rows as it needs, so that it makes no printed page wider.
    mutating func addLines(_ text: String) {
        for line in wrapped(text, to: 130) { add([.label(line)]) }
    }

    /// Puts other entries into a row that was added before, such as formulas over rows that came later.
    mutating func replace(row: Int, _ entries: [Entry]) { rows[row] = entries }

    /// Begins a block that is printed on one page where it fits: an empty row, a heading, and the titles of columns: those of
    /// texts, those of figures, then those of further texts.
    mutating func addHeading(_ heading: String, texts: [String], figures: [String], last: [String] = []) {
        beginPart()
        add()
        add([.text(heading, \.heading)])
        addHeader(texts: texts, figures: figures, last: last)
    }

    /// Adds the titles of columns, in a row as high as they need.
    mutating func addHeader(texts: [String], figures: [String], last: [String] = []) {
        let titles = (texts + figures + last).map { $0.prefix(1).uppercased() + $0.dropFirst() }
        headers.append((next, titles))
        let lines = zip(titles, widths).map { wrapped($0, to: max(4, Int($1) - 1)).count }.max() ?? 1
        let isFigure = { (column: Int) in column >= texts.count && column < texts.count + figures.count }
        add(
            titles.enumerated().map { isFigure($0) ? .figureHeader($1) : .header($1) },
            height: 16 * Double(lines) + 2)
    }

    /// Adds a row with `label` and, in `column`, the sum of all checks on the page, including those added later.
    mutating func addTotal(of label: String, column: Int) {
        total = (next, column)
        add([.label(label)])
    }

    /// A formula for the sum of the absolute values of all checks. Checks one below the other are one range, together with
    /// what lies between them, unless that is a number. So the formula stays short however many checks there are.
    private var sumOfChecks: Formula {
        var ranges: [(column: Int, first: Int, last: Int)] = []
        for (row, column) in checks.ordered(by: { ($0.column, $0.row) < ($1.column, $1.row) }) {
            if let last = ranges.last, last.column == column,
                (last.last..<row).dropFirst().allSatisfy({ isText(row: $0, column: column) })
            {
                ranges[ranges.count - 1].last = row
            } else {
                ranges.append((column, row, row))
            }
        }
        let sums = ranges.map { column, first, last in
            let range = Formula.column(column, first...last)
            return Formula.sumOfSign(range, ">0") - .sumOfSign(range, "<0")
        }
        return sums.dropFirst().reduce(sums.first ?? .number(0), +)
    }

    private func isText(row: Int, column: Int) -> Bool {
        switch entry(row: row, column: column) {
        case nil, .text, .link, .cell(.text), .cell(.empty): true
        default: false
        }
    }

    func add(to cells: WorkbookCells, named name: String, rowsMax: Int) { cells.add(self, named: name) }

    func write(
        named name: String, with writer: SheetWriter, cells: WorkbookCells, to workbook: inout Workbook
    ) throws(XlsxError) {
        try workbook.addSheet(name) { sheet in
            sheet.setWidths(widths)
            writeRows(with: writer, cells, to: &sheet)
            let header = repeated ?? (flows ? headers.first : headers.last)?.row
            // A page that repeats its title says it already.
            sheet.setUpPrint(
                repeating: header, heading: repeated == nil ? writer.header : nil, footer: writer.footer, height: height
            )
        }
    }

    /// Writes a page whose formulas refer to no other sheet.
    func write(named name: String, with writer: SheetWriter, to workbook: inout Workbook) throws(XlsxError) {
        let cells = WorkbookCells()
        cells.add(self, named: name)
        try write(named: name, with: writer, cells: cells, to: &workbook)
    }

    private func writeRows(with writer: SheetWriter, _ cells: WorkbookCells, to sheet: inout Sheet) {
        let name = sheet.name
        for (row, entries) in rows.enumerated() {
            if let height = heights[row] { sheet.setHeight(height, row: row) }
            for (column, entry) in entries.enumerated() {
                let value = cells.value(name, row: row, column: column)
                write(entry, value: value, row: row, column: column, with: writer, to: &sheet)
            }
            if let total, total.row == row {
                sheet.write(
                    formula: sumOfChecks.text, value: cells.value(name, row: row, column: total.column).double,
                    row: row,
                    column: total.column, style: writer.styles.check)
            }
        }
        if frozen > 0 { sheet.freeze(rows: frozen) }
        // A4 landscape within its margins is 785 by 515 points, and a character about 5.6 wide.
        let scale = min(1, 785 / (widths.reduce(0, +) * 5.6))
        if !Sheet.fitsOnePage(height) {
            sheet.breakPages(above: breaks + (flows ? [] : breaksBetweenParts(500 / scale)))
        }
        if let filtered {
            sheet.filter(header: filtered.header, last: filtered.last, columns: filtered.columns)
            sheet.allowNumbersAsText(lastRow: filtered.last, lastColumn: filtered.columns - 1)
        }
        for cell in names { sheet.name(row: cell.row, column: cell.column, as: cell.name) }
        for chart in charts { sheet.add(chart) }
        for chart in lineCharts { sheet.add(chart) }
    }

    private func write(
        _ entry: Entry, value: FormulaValue, row: Int, column: Int, with writer: SheetWriter, to sheet: inout Sheet
    ) {
        switch entry {
        case .text(let text, let style):
            sheet.write(text, row: row, column: column, style: writer.styles[keyPath: style])
        case .link(let text, let target, let cells):
            sheet.write(text, linkTo: target, cells: cells, row: row, column: column, style: writer.styles.link)
        case .cell(let cell): writer.write(cell, row: row, column: column, to: &sheet)
        case .figure(let number, let style):
            sheet.write(number, row: row, column: column, style: writer.styles[keyPath: style])
        case .check(let formula):
            sheet.write(
                formula: formula.text, value: value.double, row: row, column: column, style: writer.styles.check)
        case .formula(let formula, let currency):
            let style = currency.map { writer.styles.money(exponent: $0.exponent) } ?? writer.styles.integer
            sheet.write(formula: formula.text, value: value.double, row: row, column: column, style: style)
        }
    }
}

/// The amount in major units, as a cell stores it. Up to 15 digits are exact.
func major(_ amount: Money) -> Double {
    Double(amount.minor) / Double(powerOfTen(amount.currency.exponent))
}

/// A condition of a formula: a column of a detail table equals a cell or a word.
typealias RangeCondition = (column: String, value: Formula)

/// The rows of a detail table as formulas refer to them, on all sheets that the table continues on.
struct DetailRange {
    private let name: String
    private let columns: [String]
    private let rows: Int
    private let rowsMax: Int
    /// The first and the last row of each currency, and of each code in it, counted from 0; how many they are.
    private var places: [String: (first: Int, last: Int, count: Int)] = [:]

    init<Row>(_ name: String, _ table: Table<Row>, rowsMax: Int) {
        self.name = name
        columns = table.columns.map(\.name)
        rows = table.rows.count
        self.rowsMax = rowsMax
        let keys = ["currency", "explanation_code"].compactMap { name in
            table.columns.first { $0.name == name }?.cell
        }
        for (index, row) in table.rows.enumerated() {
            let words = keys.compactMap { $0(row).sheetText }
            for key in Set([words.first ?? "", words.joined(separator: "|")]) {
                let known = places[key]
                places[key] = (known?.first ?? index, index, (known?.count ?? 0) + 1)
            }
        }
    }

    /// A text that leads to the rows of a currency, and of a code in it: to all of them where they stand together, else to the
    /// first one.
    func link(_ text: String, to currency: Currency, _ code: String? = nil) -> Page.Entry {
        guard let (first, last, count) = places[([currency.text] + [code].compactMap(\.self)).joined(separator: "|")]
        else {
            return .link(text, sheet: name)
        }
        let isTogether = count == last - first + 1
        let (perSheet, end) = (rowsMax - 1, isTogether ? last : first)
        let top = first / perSheet * perSheet
        let rows = (first - top + 2, min(end - top, perSheet - 1) + 2)
        let cells = "A\(rows.0):\(columnName(columns.count - 1))\(rows.1)"
        return .link(text, sheet: sheetName(name, part: first / perSheet + 1), cells: cells)
    }

    /// The sum of a column over the rows in which other columns equal cells or words; without a column, the number of rows.
    func sum(_ column: String?, where conditions: [RangeCondition]) -> Formula {
        let perSheet = rowsMax - 1
        let count = max(1, (rows + perSheet - 1) / perSheet)
        let parts = (1...count).map { part in
            let last = max(1, min(perSheet, rows - (part - 1) * perSheet))
            func range(_ column: String) -> Formula {
                guard let position = columns.firstIndex(of: column) else {
                    preconditionFailure("the sheet has no column \(column)")
                }
                return .cells(1...last, columns: position...position, sheet: sheetName(name, part: part))
            }
            return Formula.sums(column.map(range), where: conditions.map { (range($0.column), $0.value) })
        }
        return parts.dropFirst().reduce(parts[0], +)
    }
}
