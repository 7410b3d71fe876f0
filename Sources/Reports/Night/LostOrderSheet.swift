extension Page {
    /// The sheet of the lost-order rate: purchases by date and by what became of them, their worth by currency, and a chart.
    init(lostOrders lines: [PurchaseLine], gaps: [CoverageGap], _ texts: Texts) {
        let orders = LostOrders(lines)
        // The chart stands beside the tables: a month's days, currencies and bars fit on one printed page then.
        let chartColumns = [4] + Array(repeating: 13.0, count: 7)
        self.init(
            title: texts.label(.lostOrders), widths: [16, 12, 13, 14, 12, 12, 12, 12, 12, 14] + chartColumns, texts)
        add([.text(texts.label(.lostOrdersMeaning))])
        if let first = orders.days.first?.date, gaps.contains(where: { $0.date >= first }) {
            add([.text(texts.label(.lostOrdersOpen))])
        }
        add()
        addLostOrderHeader("purchase_date", all: "purchases")
        let first = next
        // As text: programs differ in how they label the bars of a chart with dates.
        for day in orders.days { add(day.count, of: day.date.text) }
        let last = next - 1
        add(orders.total, of: texts.label(.total))
        beginPart()
        add()
        addLostOrderHeader("currency", all: "amount")
        for amount in orders.total.worth(of: { _ in true }).amounts { add(worth: amount, of: orders.total) }
        guard last >= first else { return }
        charts = [
            BarChart(
                rows: first...last, values: 8, title: texts.column("lost_orders"), row: first - 1, column: 11,
                size: (640, Double(140 + 15 * (last - first))), color: 0xC55A11)
        ]
    }

    /// Adds the headings of a table: row, total, parts, lost.
    private mutating func addLostOrderHeader(_ name: String, all: String) {
        let figures = [all] + Fulfilment.allCases.map { "purchases_" + $0.name } + ["lost_orders", "lost_order_rate"]
        addHeader(texts: [texts.column(name)], figures: figures.map(texts.column))
    }

    private mutating func add(_ count: LostOrders.Count, of head: String) {
        let counts = [count.purchases] + Fulfilment.allCases.map { count[$0] } + [count.lost]
        add([.text(head)] + counts.map { .cell(Cell($0)) } + (count.ratio.map { [.share($0)] } ?? []))
    }

    /// Adds the worth of all purchases in a currency, and of what became of them.
    private mutating func add(worth all: Money, of count: LostOrders.Count) {
        let currency = all.currency
        let lost = count.worth(of: \.isLost)[currency]
        let amounts =
            [all.minor] + Fulfilment.allCases.map { way in count.worth { $0 == way }[currency] } + [lost]
        let share = LostOrders.ratio(lost, of: all.minor).map { [Entry.share($0)] } ?? []
        add([.text(currency.text)] + amounts.map { .money($0, currency) } + share)
    }
}
