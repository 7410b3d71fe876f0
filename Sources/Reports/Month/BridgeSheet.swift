/// The bridge from the ledger to Apple's financial reports: customer prices by currency, then customer prices and units
/// by product and country, with each difference divided into steps.
struct BridgeSheet {
    private let texts: Texts
    private(set) var page: Page
    /// The number of columns before the figures.
    private static let ids = 4
    /// What changed since the closing is a step only where the bridge was made after it.
    private let steps: [BridgeStep]

    /// - Parameter thresholds: those that it was made by, in words.
    init(_ bridge: AppleBridge?, thresholds: String, _ texts: Texts) {
        self.texts = texts
        steps = BridgeStep.allCases.filter { $0 != .restated || bridge?.ledgerNight != nil }
        page = Page(title: texts.monthSheet(.bridge), widths: [26, 18, 9, 9] + Array(repeating: 13, count: 14), texts)
        page.add([.text(texts.month(.cannotBeKnown))])
        guard let bridge else {
            page.add()
            page.add([.label(texts.month(.noReport))])
            return
        }
        addFiles(bridge)
        page.add([.label(thresholds)])
        page.addTotal(of: texts.month(.allChecks), column: 1)
        addBlocks(bridge)
    }

    private mutating func addFiles(_ bridge: AppleBridge) {
        page.add([.text(texts.month(.reportFiles), \.heading)])
        for file in bridge.files {
            var facts = ["\(file.first) – \(file.last)", texts.column("rows") + " \(file.rows)", file.digest]
            if file.isEarlier { facts.insert(texts.month(.earlierReport), at: 0) }
            page.add([.text(file.name)])
            page.add([.text(""), .text(facts.joined(separator: texts.label(.listSeparator)))])
            for remark in file.remarks { page.add([.text(""), .text(remark)]) }
        }
        if let first = bridge.earlierMissing {
            page.add([.text(texts.month(.earlierMissing, first.text), \.headline)])
        }
        if bridge.isBySums { page.add([.label(texts.month(.bySums))]) }
        if let line = texts.notChecked(bridge) { page.add([.label(line)]) }
        if let night = bridge.ledgerNight { page.add([.label(texts.month(.bridgeKnown, night.text))]) }
        if bridge.isPeriodStated { page.add([.label(texts.month(.statedPeriod))]) }
    }

    /// A block of figures, values or units, with all steps, so that the header is the same in all blocks. A step without this
    /// kind of figure stays empty.
    private struct Block {
        var isUnits: Bool

        func entry(_ step: BridgeStep, _ line: BridgeLine) -> Page.Entry {
            guard isUnits ? step.hasUnits : step.hasValue else { return .text("") }
            return entry(line.steps[step] ?? .zero, line.currency)
        }

        func entry(_ sum: UnitsAndValue, _ currency: Currency) -> Page.Entry {
            isUnits ? .integer(sum.units) : .money(sum.minor, currency)
        }

        func exponent(_ currency: Currency) -> Int { isUnits ? 0 : currency.exponent }
    }

    private mutating func addBlocks(_ bridge: AppleBridge) {
        let (values, units) = (Block(isUnits: false), Block(isUnits: true))
        let totals = bridge.totals
        // The lines begin below the totals, their heading, an empty row, and a heading of their own.
        let first = page.next + 3 + totals.count + 3
        addHeading(.byCurrency)
        for total in totals { add(total, values, over: first...(first + max(0, bridge.lines.count - 1))) }
        addHeading(.values)
        for line in bridge.lines { add(line, values) }
        addHeading(.counts)
        for line in bridge.lines { add(line, units) }
    }

    private mutating func addHeading(_ title: MonthLabel) {
        page.addHeading(
            texts.month(title), texts: ["product_id", "country", "currency", "sales_or_return"].map(texts.column),
            figures: [MonthLabel.ledger, .apple, .difference].map { texts.month($0) }
                + steps.map(texts.title)
                + [texts.month(.unexplained), texts.label(.check)])
    }

    /// The ids, both sides, their difference, its steps, the unexplained rest, and a check of that rest.
    private mutating func add(_ line: BridgeLine, _ block: Block) {
        let row = page.next
        let cell = { (offset: Int) in Formula.cell(row: row, column: Self.ids + offset) }
        let places = Self.ids + 3...Self.ids + 2 + steps.count
        let entry = { (sum: UnitsAndValue) in block.entry(sum, line.currency) }
        let rest = cell(0) - cell(1) - .sum(.cells(row...row, columns: places))
        let shown = block.isUnits || line.currency == .absent ? nil : line.currency
        page.add(
            ids(line.product, line)
                + [entry(line.ledger), entry(line.apple), .formula(cell(0) - cell(1), shown)]
                + steps.map { block.entry($0, line) }
                + [
                    entry(line.unexplained),
                    .check(
                        .rounded(
                            cell(3 + steps.count) - .bracket(rest),
                            decimals: block.exponent(line.currency))),
                ])
    }

    /// A currency's figures. Its check compares every figure with the sum of the rows below.
    private mutating func add(_ total: BridgeLine, _ block: Block, over rows: ClosedRange<Int>) {
        let row = page.next
        let own = { (index: Int) in Formula.cell(row: row, column: index) }
        // Ledger, Apple and the rest: the steps are what lies between them.
        let checks = [0, 1, 3 + steps.count].map { index in
            let place = Self.ids + index
            let sum = Formula.sums(.column(place, rows), where: [2, 3].map { (.column($0, rows), own($0)) })
            return Formula.absolute(sum - own(place))
        }
        let currency = total.currency
        page.add(
            ids(texts.label(.total), total)
                + [total.ledger, total.apple, total.difference].map { block.entry($0, currency) }
                + steps.map { block.entry($0, total) } + [block.entry(total.unexplained, currency)]
                + [.check(.rounded(checks[0] + checks[1] + checks[2], decimals: block.exponent(currency)))])
    }

    private func ids(_ product: String, _ line: BridgeLine) -> [Page.Entry] {
        [product, texts.country(of: line), texts.code(line.currency), texts.title(line.kind)].map { .text($0) }
    }
}
