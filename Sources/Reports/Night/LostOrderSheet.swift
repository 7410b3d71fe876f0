internal import Domain
internal import ReportData
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
        var row = 3
        let ways = Fulfilment.allCases.map { (texts.column("purchases_" + $0.name), true) }
        let titles = [("purchase_date", false), ("purchases", true)].map { (texts.column($0.0), $0.1) }
        let rates = ["lost_orders", "lost_order_rate"].map { (texts.column($0), true) }
        sheet.setHeight(32, row: row)
        writer.writeHeader(titles + ways + rates, row: row, to: &sheet)
        row += 1
        let first = row
        for day in orders.days {
            // As text: programs differ in how they label the bars of a chart with dates.
            write(.text(day.date.text), day.count, row: row, to: &sheet)
            row += 1
        }
        write(.text(texts.label(.total)), orders.total, row: row, to: &sheet)
        let last = row - 1
        row += 2
        writeWorth(row: &row, to: &sheet)
        guard last >= first else { return }
        sheet.addBars(
            of: first...last, names: 0, values: Self.widths.count - 2, title: texts.column("lost_orders"),
            row: row + 2, column: 0, size: (780, 140 + 20 * Double(last - first)), color: 0xC55A11)
    }

    private func write(_ head: Cell, _ count: LostOrders.Count, row: Int, to sheet: inout Sheet) {
        let ways = Fulfilment.allCases.map { Cell(count[$0]) }
        for (column, cell) in ([head, Cell(count.purchases)] + ways + [Cell(count.lost)]).enumerated() {
            writer.write(cell, row: row, column: column, to: &sheet)
        }
        if let ratio = count.ratio {
            sheet.write(
                Double(ratio) / 10_000, row: row, column: Self.widths.count - 1, style: writer.styles.percent)
        }
    }

    private func writeWorth(row: inout Int, to sheet: inout Sheet) {
        let ways = Fulfilment.allCases.map { (texts.column("purchases_" + $0.name), true) }
        let rates = ["lost_orders", "lost_order_rate"].map { (texts.column($0), true) }
        let titles = [(texts.column("currency"), false), (texts.column("amount"), true)]
        sheet.setHeight(32, row: row)
        writer.writeHeader(titles + ways + rates, row: row, to: &sheet)
        let all = orders.total.worth { _ in true }
        let lost = orders.total.worth(of: \.isLost)
        for amount in all.amounts {
            row += 1
            let currency = amount.currency
            let sums = Fulfilment.allCases.map { way in orders.total.worth { $0 == way }[currency] }
            let figures = ([amount.minor] + sums + [lost[currency]]).map {
                Cell.money(Money(minor: $0, currency: currency))
            }
            for (column, cell) in ([Cell.text(currency.text)] + figures).enumerated() {
                writer.write(cell, row: row, column: column, to: &sheet)
            }
            if let ratio = LostOrders.ratio(lost[currency], of: amount.minor) {
                sheet.write(
                    Double(ratio) / 10_000, row: row, column: Self.widths.count - 1, style: writer.styles.percent)
            }
        }
    }
}
