internal import Domain
internal import Engine
internal import Xlsx

/// What was sold and not reported by Apple yet: rolled forward by Apple's periods, and by the time of sale.
struct TransitSheet {
    private let texts: Texts
    private(set) var page: Page

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
            transitFigures.map { $0.title(texts) } + [texts.label(.check)], height: 48)
        for line in bridge.rollForward {
            let row = page.next
            let name = { (index: Int) in cellName(row: row, column: 5 + index) }
            let sum = "\(name(0))+\(name(1))-SUM(\(name(2)):\(name(7)))"
            page.add(
                [
                    .text(""), .cell(.date(line.first)), .cell(.date(line.last)), .text(texts.code(line.currency)),
                    .text(line.kind.rawValue),
                ] + transitFigures.map { entry(line, $0.sum(line)) } + [
                    .check("ROUND(\(sum),\(line.currency.exponent))")
                ])
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

/// The sums of a line of the roll-forward, by their names in `month.json`.
let transitFigures:
    [(name: String, title: @Sendable (Texts) -> String, sum: @Sendable (TransitLine) -> UnitsAndValue)] = [
        ("opening", { $0.month(.opening) }, { $0.opening }), ("sold", { $0.month(.sold) }, { $0.sold }),
        ("reported", { $0.month(.reportedByApple) }, { $0.reported }),
        ("unknown_product", { $0.title(.unknownProduct) }, { $0.unknownProduct }),
        ("never_collected", { $0.month(.lost) }, { $0.neverCollected }), ("price", { $0.month(.price) }, { $0.price }),
        ("unexplained", { $0.month(.unexplained) }, { $0.unexplained }),
        ("closing", { $0.month(.closing) }, { $0.closing }),
    ]
