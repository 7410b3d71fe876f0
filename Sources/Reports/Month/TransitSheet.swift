internal import Domain
internal import ReportData
internal import Xlsx

/// What was sold and not reported by Apple yet: rolled forward by Apple's periods, and by the time of sale.
struct TransitSheet {
    private let texts: Texts
    private(set) var page: Page

    private typealias Figure = (title: String, sum: (TransitLine) -> UnitsAndValue)
    private var figures: [Figure] {
        [
            (texts.month(.opening), { $0.opening }), (texts.month(.sold), { $0.sold }),
            (texts.month(.reportedByApple), { $0.reported }), (texts.title(.unknownProduct), { $0.unknownProduct }),
            (texts.month(.lost), { $0.neverCollected }), (texts.month(.price), { $0.price }),
            (texts.month(.unexplained), { $0.unexplained }), (texts.month(.closing), { $0.closing }),
        ]
    }

    init(_ bridge: AppleBridge, _ texts: Texts) {
        self.texts = texts
        page = Page(title: texts.monthSheet(.inTransit), widths: [26, 12, 12, 9, 9] + Array(repeating: 14, count: 9))
        page.addTotal(of: texts.month(.allChecks), column: 3)
        addRollForward(.transit, bridge) { .money($1.minor, $0.currency) }
        addRollForward(.transitUnits, bridge) { .integer($1.units) }
        addAging(bridge)
    }

    private mutating func addRollForward(
        _ title: MonthLabel, _ bridge: AppleBridge, _ entry: (TransitLine, UnitsAndValue) -> Page.Entry
    ) {
        page.addHeading(
            texts.month(title), [""] + ["from", "to", "currency", "sales_or_return"].map(texts.column),
            figures.map(\.title) + [texts.label(.check)], height: 48)
        for line in bridge.rollForward {
            let row = page.next
            let name = { (index: Int) in cellName(row: row, column: 5 + index) }
            let sum = "\(name(0))+\(name(1))-SUM(\(name(2)):\(name(7)))"
            page.add(
                [
                    .text(""), .cell(.date(line.first)), .cell(.date(line.last)), .text(texts.code(line.currency)),
                    .text(line.kind.rawValue),
                ] + figures.map { entry(line, $0.sum(line)) } + [.check("ROUND(\(sum),\(line.currency.exponent))")])
        }
    }

    private mutating func addAging(_ bridge: AppleBridge) {
        page.addHeading(
            texts.month(.agingOfTransit),
            ["product_id", "country", "sold_until", "currency", "sales_or_return"].map(texts.column) + [""],
            [texts.month(.units), texts.month(.value)])
        for line in bridge.lines {
            for part in line.aging {
                page.add([
                    .text(line.product), .text(line.country), .cell(.date(part.soldUntil)),
                    .text(texts.code(line.currency)), .text(line.kind.rawValue),
                    .text(texts.month(part.isNeverCollected ? .lost : part.isLate ? .late : .inTransit)),
                    .integer(part.sum.units), .money(part.sum.minor, line.currency),
                ])
            }
        }
    }
}
