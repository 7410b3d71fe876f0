internal import Domain
internal import Engine
internal import Xlsx

/// The sheet of the lost-order rate: purchases by date and by what became of them, their worth by currency, and a chart.
struct LostOrderSheet {
    private let orders: LostOrders
    private let writer: SheetWriter
    private var texts: Texts { writer.texts }
    private static let widths: [Double] = [16, 12, 13, 14, 12, 12, 12, 12, 12, 14]

    init(_ lines: [PurchaseLine], _ writer: SheetWriter) {
        orders = LostOrders(lines)
        self.writer = writer
    }

    func write(to sheet: inout Sheet) {
        sheet.setWidths(Self.widths)
        sheet.setUpPrint(repeating: nil, footer: writer.footer)
        sheet.write(texts.label(.lostOrders), row: 0, column: 0, style: writer.styles.title)
        sheet.write(texts.label(.lostOrdersMeaning), row: 1, column: 0)
        writeHeader("purchase_date", "purchases", row: 3, to: &sheet)
        let first = 4
        for (index, day) in orders.days.enumerated() {
            // As text: programs differ in how they label the bars of a chart with dates.
            write(counts(.text(day.date.text), day.count), share: day.count.ratio, row: first + index, to: &sheet)
        }
        let last = first + orders.days.count - 1
        write(counts(.text(texts.label(.total)), orders.total), share: orders.total.ratio, row: last + 1, to: &sheet)
        writeHeader("currency", "amount", row: last + 3, to: &sheet)
        let worth = orders.total.worth { _ in true }.amounts
        for (index, amount) in worth.enumerated() { write(amount, row: last + 4 + index, to: &sheet) }
        guard last >= first else { return }
        sheet.addBars(
            of: first...last, names: 0, values: Self.widths.count - 2, title: texts.column("lost_orders"),
            row: last + 5 + worth.count, column: 0, size: (780, 140 + 20 * Double(last - first)), color: 0xC55A11)
    }

    /// Writes the titles of a table: of its rows, of what is all, of its parts, and of those that are lost.
    private func writeHeader(_ name: String, _ all: String, row: Int, to sheet: inout Sheet) {
        let figures = [all] + Fulfilment.allCases.map { "purchases_" + $0.name } + ["lost_orders", "lost_order_rate"]
        sheet.setHeight(32, row: row)
        writer.writeHeader(
            [(texts.column(name), false)] + figures.map { (texts.column($0), true) }, row: row, to: &sheet)
    }

    private func counts(_ head: Cell, _ count: LostOrders.Count) -> [Cell] {
        [head, Cell(count.purchases)] + Fulfilment.allCases.map { Cell(count[$0]) } + [Cell(count.lost)]
    }

    /// Writes the worth of all purchases in a currency.
    private func write(_ all: Money, row: Int, to sheet: inout Sheet) {
        let currency = all.currency
        func worth(_ belongs: (Fulfilment) -> Bool) -> Int64 { orders.total.worth(of: belongs)[currency] }
        let lost = worth(\.isLost)
        let amounts = [all.minor] + Fulfilment.allCases.map { way in worth { $0 == way } } + [lost]
        write(
            [.text(currency.text)] + amounts.map { .money(Money(minor: $0, currency: currency)) },
            share: LostOrders.ratio(lost, of: all.minor), row: row, to: &sheet)
    }

    /// - Parameter share: what is lost, in ten thousandths; nil if there is nothing.
    private func write(_ cells: [Cell], share: Int?, row: Int, to sheet: inout Sheet) {
        writer.write(cells, row: row, to: &sheet)
        guard let share else { return }
        sheet.write(Double(share) / 10_000, row: row, column: Self.widths.count - 1, style: writer.styles.percent)
    }
}
