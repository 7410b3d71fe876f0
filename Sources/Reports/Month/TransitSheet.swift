internal import Domain
internal import ReportData
internal import Xlsx

/// What was sold and not reported by Apple yet: rolled forward by Apple's periods, and by the time of sale.
struct TransitSheet {
    private let writer: SheetWriter
    private let texts: Texts
    private(set) var page = Page()
    static let widths: [Double] = [26, 12, 12, 9, 9] + Array(repeating: 14, count: 9)

    private typealias Figure = (title: String, sum: (TransitLine) -> UnitsAndValue)
    private var figures: [Figure] {
        [
            (texts.month(.opening), { $0.opening }), (texts.month(.sold), { $0.sold }),
            (texts.month(.reportedByApple), { $0.reported }), (texts.title(.unknownProduct), { $0.unknownProduct }),
            (texts.month(.lost), { $0.neverCollected }), (texts.month(.price), { $0.price }),
            (texts.month(.unexplained), { $0.unexplained }), (texts.month(.closing), { $0.closing }),
        ]
    }

    init(_ bridge: AppleBridge, _ writer: SheetWriter) {
        self.writer = writer
        texts = writer.texts
        page.add([.text(texts.monthSheet(.inTransit), writer.styles.title)])
        page.addTotal(of: .text(texts.month(.allChecks), writer.styles.label), column: 3)
        addRollForward(.transit, bridge) { line, sum in
            line.currency == .absent
                ? .integer(sum.minor) : .money(Money(minor: sum.minor, currency: line.currency))
        }
        addRollForward(.transitUnits, bridge) { _, sum in .integer(sum.units) }
        addAging(bridge)
    }

    private mutating func addRollForward(
        _ title: MonthLabel, _ bridge: AppleBridge, _ cell: (TransitLine, UnitsAndValue) -> Cell
    ) {
        page.add()
        page.add([.text(texts.month(title), writer.styles.heading)])
        let ids = [
            "", texts.column("from"), texts.column("to"), texts.column("currency"), texts.column("sales_or_return"),
        ]
        page.add(
            ids.map { .text($0, writer.styles.header) }
                + figures.map { .text($0.title, writer.styles.figureHeader) }
                + [.text(texts.label(.check), writer.styles.figureHeader)], height: 48)
        for line in bridge.rollForward {
            let row = page.next
            let name = { (index: Int) in cellName(row: row, column: 5 + index) }
            page.add(
                [
                    .text(""), .cell(.date(line.first)), .cell(.date(line.last)),
                    .text(line.currency == .absent ? texts.label(.unpriced) : line.currency.text),
                    .text(line.kind.rawValue),
                ] + figures.map { .cell(cell(line, $0.sum(line))) }
                    + [
                        .check(
                            "ROUND(\(name(0))+\(name(1))-SUM(\(name(2)):\(name(7))),\(line.currency.exponent))")
                    ])
        }
    }

    private mutating func addAging(_ bridge: AppleBridge) {
        page.add()
        page.add([.text(texts.month(.agingOfTransit), writer.styles.heading)])
        let ids = ["product_id", "country", "sold_until", "currency", "sales_or_return"].map(texts.column)
        page.add(
            ids.map { .text($0, writer.styles.header) }
                + [
                    .text("", writer.styles.header), .text(texts.month(.units), writer.styles.figureHeader),
                    .text(texts.month(.value), writer.styles.figureHeader),
                ], height: 32)
        for line in bridge.lines {
            for part in line.aging {
                page.add([
                    .text(line.product), .text(line.country), .cell(.date(part.soldUntil)),
                    .text(line.currency == .absent ? texts.label(.unpriced) : line.currency.text),
                    .text(line.kind.rawValue),
                    .text(texts.month(part.isNeverCollected ? .lost : part.isLate ? .late : .inTransit)),
                    .cell(.integer(part.sum.units)),
                    .cell(
                        line.currency == .absent
                            ? .integer(part.sum.minor)
                            : .money(Money(minor: part.sum.minor, currency: line.currency))),
                ])
            }
        }
    }
}
