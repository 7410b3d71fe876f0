internal import Domain
internal import ReportData
internal import Xlsx

/// The bridge from the ledger to Apple's financial reports: units, then customer prices, with each difference divided
/// into steps.
struct BridgeSheet {
    private let writer: SheetWriter
    private let texts: Texts
    private(set) var page = Page()
    private static let steps = BridgeStep.allCases
    /// In characters.
    static let widths: [Double] = [26, 8, 9, 7] + Array(repeating: 12, count: 18)

    init(_ bridge: AppleBridge?, _ writer: SheetWriter) {
        self.writer = writer
        texts = writer.texts
        page.add([.text(texts.monthSheet(.bridge), writer.styles.title)])
        page.add([.text(texts.month(.cannotBeKnown))])
        guard let bridge else {
            page.add()
            page.add([.text(texts.month(.noReport), writer.styles.label)])
            return
        }
        addFiles(bridge.files)
        page.addTotal(of: .text(texts.month(.allChecks), writer.styles.label), column: 1)
        page.add()
        addHeader()
        for line in bridge.lines { add(line) }
    }

    private mutating func addFiles(_ files: [AppleReportFile]) {
        page.add([.text(texts.month(.reportFiles), writer.styles.heading)])
        for file in files {
            let facts = ["\(file.first) – \(file.last)", texts.column("rows") + " \(file.rows)", file.digest]
            page.add([.text(file.name), .text(facts.joined(separator: ", "))])
            for remark in file.remarks { page.add([.text(""), .text(remark)]) }
        }
    }

    private mutating func addHeader() {
        let sides = [texts.month(.ledger), texts.month(.apple), texts.month(.difference)]
        let figures = sides + Self.steps.map(texts.title) + [texts.month(.unexplained), texts.label(.check)]
        let groups = [MonthLabel.units, .value].flatMap { group in figures.map { texts.month(group) + ": " + $0 } }
        let ids = ["product_id", "country", "currency", "sales_or_return"].map(texts.column)
        page.add(
            ids.map { .text($0, writer.styles.header) } + groups.map { .text($0, writer.styles.figureHeader) },
            height: 92)
    }

    private mutating func add(_ line: BridgeLine) {
        let row = page.next
        let ids = [
            line.product, line.country, line.currency == .absent ? texts.label(.unpriced) : line.currency.text,
            line.kind.rawValue,
        ]
        page.add(
            ids.map { .text($0) }
                + figures(line, row, from: 4, exponent: 0) { .integer($0.units) }
                + figures(line, row, from: 4 + 5 + Self.steps.count, exponent: line.currency.exponent) {
                    line.currency == .absent
                        ? .integer($0.minor) : .money(Money(minor: $0.minor, currency: line.currency))
                })
    }

    /// Both sides, their difference, its steps, the unexplained rest by formula, and a check of that rest.
    private func figures(
        _ line: BridgeLine, _ row: Int, from column: Int, exponent: Int, _ cell: (UnitsAndValue) -> Cell
    ) -> [Page.Entry] {
        let name = { (offset: Int) in cellName(row: row, column: column + offset) }
        let last = name(2 + Self.steps.count)
        let rest = "\(name(0))-\(name(1))-SUM(\(name(3)):\(last))"
        let steps = Self.steps.map { Page.Entry.cell(cell(line.steps[$0] ?? UnitsAndValue())) }
        return [
            .cell(cell(line.ledger)), .cell(cell(line.apple)), .formula("\(name(0))-\(name(1))", cell(line.difference)),
        ]
            + steps
            + [
                .cell(cell(line.unexplained)),
                .check("ROUND(\(name(3 + Self.steps.count))-(\(rest)),\(exponent))"),
            ]
    }
}
