/// The first sheet of a month's workbook: the money tie-out, the roll-forward and the control totals.
///
/// Each figure has three cells: the value that this program computed, a live formula (SUMIFS or COUNTIFS) that adds up
/// the rows of a detail sheet or the lines above it, and a check, which is their rounded difference and must be 0. The
/// sum of all checks is at the top of the sheet, so a reviewer needs to look at one cell only. Because the page is laid
/// out before it is written, a formula may refer to rows below it. A month whose checks are not 0 is not published.
struct TieOutSheet {
    let report: MonthReport
    let texts: Texts
    /// The rows of the detail sheets.
    let ranges: [MonthSheet: DetailRange]
    var page: Page
    /// Where each figure of the money is, by currency.
    var moneyCells: [Currency: [MonthLabel: Formula]] = [:]
    /// The first row of the summary, and its rows: also what only Apple has.
    private var summary = 0
    var currencies: [Currency] {
        Set(report.money.map(\.currency)).union(report.apple?.currencies ?? []).ordered()
    }
    private static let summarized: [MonthLabel] = [
        .net, .netCredited, .difference, .unexplained, .closingOwed, .closingFree,
    ]

    init(_ report: MonthReport, ranges: [MonthSheet: DetailRange], _ texts: Texts) {
        self.report = report
        self.ranges = ranges
        self.texts = texts
        page = Page(
            title: texts.title(of: report),
            widths: [20, 42] + Array(repeating: 13, count: 6) + Array(repeating: 12, count: 5), texts)
        addHead()
        (page.frozen, page.repeated) = (1, 0)
        addMoney()
        fillSummary()
        addRollForward()
        addPopulation()
        addCompleteness()
        addSources()
    }

    /// Title, status, dates, coverage gaps, the summary with its signatures, and the closed months that changed.
    private mutating func addHead() {
        page.add([.text(monthStatus(report, texts), \.headline)])
        if let other = texts.otherCalendar(report) { page.addLines(other) }
        page.add()
        for (index, line) in lines(of: texts.apps(of: report)).enumerated() {
            page.add([.label(index == 0 ? texts.month(.app) : ""), .text(line)])
        }
        page.add([.label(texts.month(.days)), .cell(.date(report.first)), .cell(.date(report.last))])
        page.add([.label(texts.label(.timeZone)), .text(report.timeZone)])
        page.add([.label(texts.label(.asOf)), .cell(.instant(report.asOf))])
        page.add([
            .label(texts.month(.lastNight)), .cell(.date(report.lastNight)),
            .text(
                ["\(texts.label(.run)) \(report.run)", "reconcile \(report.version)"]
                    .joined(separator: texts.label(.listSeparator))),
        ])
        if let first = report.recordsFrom {
            page.add([.label(texts.month(.incomplete, "")), .text(texts.month(.recordsFrom, first.text))])
        }
        for spot in report.coverageGaps {
            page.add([
                .label(texts.month(.incomplete, "")), .cell(texts.cell(.feed, spot.feed.rawValue)),
                .cell(.date(spot.date)), .text(dated(texts.sentence(spot.reason), spot.date.text)),
            ])
        }
        for gap in report.acceptedGaps {
            page.add([
                .label(texts.label(.acceptedGaps)), .text(texts.feed(of: gap, report)), .cell(.date(gap.date)),
                .text(texts.month(.pair, gap.by, gap.note)),
            ])
        }
        addClosing()
        addSummary()
        if !restatedMonths.isEmpty {
            let sheet = texts.monthSheet(.restated)
            page.add([.link(restatedTitle + " → " + sheet, sheet: sheet)])
        }
        addSignatures()
        addRestated()
    }

    /// The sum of all checks, and the lines for signatures. They follow the summary, on the same printed page.
    private mutating func addSignatures() {
        page.addTotal(of: texts.month(.allChecks), column: 2)
        if let line = report.apple.flatMap(texts.notChecked) { page.addLines(line) }
        page.add()
        page.add([.header("")] + [MonthLabel.name, .date, .signature].map { .header(texts.month($0)) })
        for person in [MonthLabel.preparer, .reviewer] {
            page.add([.label(texts.month(person))] + (0..<3).map { _ in .text("", \.blank) }, height: 24)
        }
    }

    /// The month by currency, on the page that is signed. Its rows are filled when the figures have their places.
    private mutating func addSummary() {
        if currencies.isEmpty { return }
        // A bracket begins a line, because some programs end the line with its first sign.
        page.addHeading(
            texts.month(.summary), texts: [texts.column("currency"), ""],
            figures: Self.summarized.map { texts.month($0).replacing("（", with: "\n（") })
        summary = page.next
        for currency in currencies { page.add([.text(currency.text)]) }
        if let apple = report.apple {
            addGlance(apple)
        } else if report.closing != nil {
            page.addLines(texts.month(.notCompared))
        }
        if let text = texts.unpriced(report) { page.addLines(text) }
    }

    /// The bridge by currency. It is a block of its own: the widest one decides how large the page is printed.
    private mutating func addGlance(_ bridge: AppleBridge) {
        var figures = [
            texts.month(.bridgeUnexplained), texts.title(.priceDifference), texts.title(.neverCollected),
            texts.title(.unknownProduct), texts.month(.salesInTransit), texts.month(.lateOfIt),
            texts.month(.returnsInTransit), texts.month(.lateOfIt),
        ]
        if bridge.ledgerNight != nil { figures.append(texts.title(.restated)) }
        page.addHeading(texts.monthSheet(.bridge), texts: [texts.column("currency"), ""], figures: figures)
        for currency in currencies {
            let own = bridge.lines.filter { $0.currency == currency }
            let restated = bridge.ledgerNight == nil ? [] : [own.gross { $0.minor(of: .restated) }]
            let isOpen = bridge.undetermined.contains(currency)
            var figures: [Page.Entry] = (own.glance + restated).map { .money($0, currency) }
            if isOpen { figures[0] = .text("—", \.figureText) }
            page.add([.text(currency.text), .text(isOpen ? texts.month(.undetermined) : "")] + figures)
        }
        page.addLines(texts.month(.grossWhat, texts.monthSheet(.bridge)))
        page.addLines(texts.thresholds(report))
        for line in bridge.lines where line.withheld.minor != 0 {
            page.addLines(texts.detail(line, texts.month(.withheld), line.withheld.minor))
        }
        for line in texts.unsigned(bridge) { page.addLines(line) }
        if bridge.isBySums { page.addLines(texts.month(.bySums)) }
        if bridge.ledgerNight != nil { page.addLines(texts.month(.notSealed)) }
        if let night = bridge.ledgerNight { page.addLines(texts.month(.bridgeKnown, night.text)) }
        if bridge.lines.contains(where: { !$0.inExcess.isEmpty || !$0.undecided.isEmpty }) {
            let sheet = texts.monthSheet(.transitAging)
            page.add([.link(texts.month(.bridgeUnexplained) + " → " + sheet, sheet: sheet)])
        }
    }

    private mutating func fillSummary() {
        for (index, currency) in currencies.enumerated() {
            page.replace(
                row: summary + index,
                [.text(currency.text), .text("")]
                    + Self.summarized.map { .formula(moneyCells[currency]?[$0] ?? .number(0), currency) })
        }
    }

    /// The rows of a detail sheet that have the currency of the row that is added next.
    func ownCurrency() -> RangeCondition { ("currency", .cell(row: page.next, column: 0)) }

    /// The sum of a column over the rows of a detail sheet; without a column, the number of rows.
    func sum(_ column: String?, of sheet: MonthSheet, where conditions: [RangeCondition]) -> Formula {
        ranges[sheet]!.sum(column, where: conditions)
    }
}
