extension SheetWriter {
    /// Adds the sheet of what lost orders have in common, where purchases are on record.
    func add(
        _ loss: LossReport?, of dates: ClosedRange<BusinessDate>, to workbook: inout Workbook
    ) throws(XlsxError) {
        guard let loss, !loss.days.isEmpty else { return }
        try Page(loss, of: dates, texts).write(named: texts.sheet(.common), with: self, to: &workbook)
    }
}

extension Page {
    /// Explanations, the table of days with charts, and the table of values. Purchases, those in trouble and their share are
    /// in the same columns of all three.
    fileprivate init(_ loss: LossReport, of dates: ClosedRange<BusinessDate>, _ texts: Texts) {
        self.init(
            title: texts.why(.title), widths: [18, 40, 12, 12, 12, 13, 13, 13, 13, 24], texts)
        add([.text(texts.why(.meaning))])
        for alarm in texts.alarms(in: loss) { add([.label(alarm)]) }
        add(loss.explanations, of: dates)
        let last = loss.days.lastIndex(where: \.isSettled) ?? 0
        let hasCharts = last > 0 && loss.days[...last].contains(where: \.hasEnough)
        let top = next + 1
        for _ in 0..<(hasCharts ? Self.chartRows + 1 : 1) { add() }
        add(loss.days, chartsAt: hasCharts ? top : nil, last: last)
        add(loss.values)
    }

    /// A row is 20 pixels high.
    private static let chartRows = 16

    private mutating func add(titles: [String], figures: [String], last: [String] = []) {
        addHeader(
            texts: titles.map(texts.column), figures: figures.map(texts.column),
            last: last.map { $0.isEmpty ? "" : texts.column($0) })
    }

    private mutating func add(_ lines: [ExplanationLine], of dates: ClosedRange<BusinessDate>) {
        add()
        if lines.isEmpty { return add([.text(texts.why(.nothing))]) }
        add(
            titles: ["explanation_of", "in_common"],
            figures: [
                "purchases", "explained", "rate_with", "rate_elsewhere", "explained_of", "support", "risk_ratio",
            ], last: ["dates"])
        for line in lines {
            add([
                .text(texts.title(line.of)), .text(texts.common(line)), .cell(Cell(line.purchases)),
                .cell(Cell(line.count)), .figure(line.rate, \.percent), .figure(line.rateElsewhere, \.percent),
                .cell(Cell(line.ofCount)), .figure(line.support, \.percent), .figure(line.riskRatio, \.decimal),
                .text(texts.dates(line.span, of: dates)),
            ])
        }
    }

    /// - Parameter last: the last day of the charts.
    private mutating func add(_ days: [LossDay], chartsAt top: Int?, last: Int) {
        add(
            titles: ["purchase_date", "remark"],
            figures: [
                "purchases", "lost_orders", "lost_order_rate", "usual_rate", "rate_limit", "delay_p50", "delay_p90",
                "delay_p99",
            ])
        let rows = next...(next + days.count - 1)
        for day in days {
            let isAbove = day.limit.map { $0 < day.rate } ?? false
            let remark =
                !day.isSettled
                ? texts.why(.notSettled) : !day.hasEnough ? texts.why(.tooFew) : isAbove ? texts.why(.aboveLimit) : ""
            // As text: programs differ in how they label a chart with dates.
            add(
                [.text(day.date.text), .text(remark), .cell(Cell(day.purchases)), .cell(Cell(day.lost))]
                    + [day.hasEnough ? day.rate : nil, day.usual, day.limit].map { Self.figure($0, \.percent) }
                    + [day.p50, day.p90, day.p99].map { delay in
                        Self.figure((day.hasEnough ? delay : nil).map { Double($0.count) / 86_400_000 }, \.duration)
                    })
        }
        add([.label(texts.label(.total)), .text("")] + [2, 3].map { .formula(.sum(.column($0, rows)), nil) })
        guard let top else { return }
        func chart(
            _ title: WhyLabel, _ lines: [(column: Int, color: UInt32, isDashed: Bool)], format: String, column: Int
        ) -> LineChart {
            LineChart(
                rows: rows.lowerBound...(rows.lowerBound + last), lines: lines, format: format, title: texts.why(title),
                row: top, column: column, size: (560, 20 * Double(Self.chartRows)))
        }
        lineCharts = [
            chart(.rates, [(4, 0x2F5597, false), (5, 0x7F7F7F, true), (6, 0xC55A11, true)], format: "0.0%", column: 0),
            chart(.delays, [(8, 0x2F5597, false), (7, 0x7F7F7F, true)], format: "[h]:mm:ss", column: 4),
        ]
    }

    /// Nothing where the number is not known.
    private static func figure(_ number: Double?, _ style: KeyPath<SheetStyles, Style>) -> Entry {
        number.map { .figure($0, style) } ?? .cell(.empty)
    }

    private mutating func add(_ values: [ValueLine]) {
        if values.isEmpty { return }
        beginPart()
        add()
        let header = next
        add(
            titles: ["dimension", "value"],
            figures: [
                "purchases", "lost_orders", "lost_order_rate", "purchases_later", "purchases_by_hand",
                "purchases_lost",
            ], last: ["", "lost_worth"])
        for line in values {
            add([
                .text(texts.title(line)), .text(texts.value(line.value, of: line.dimension, isLabel: line.isLabel)),
                .cell(Cell(line.purchases)), .cell(Cell(line.lost)), .figure(line.rate, \.percent),
                .cell(Cell(line.later)), .cell(Cell(line.byHand)), .cell(Cell(line.notGiven)), .cell(.empty),
                .text(texts.amounts(line.lostAmounts, shown: 3)),
            ])
        }
        filtered = (header, next - 1, 10)
    }
}
