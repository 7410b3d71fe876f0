internal import Domain
internal import ReportData

/// Where the month's figures come from: the list of all purchases, and the way there from the files.
extension TieOutSheet {
    /// Ties the rows of `month-purchases.csv.gz`, as they were written, to the money.
    mutating func addPopulation() {
        if report.population.isEmpty { return }
        page.beginPart()
        heading(
            texts.month(.population),
            [
                (texts.column("currency"), false), (texts.month(.line), false), (texts.month(.figure), true),
                (texts.month(.money), true), (texts.label(.check), true), (texts.column("rows"), true),
                (texts.month(.units), true),
            ])
        let currencies = Set(report.population.map(\.currency)).sorted()
        for currency in currencies where currency != .absent {
            for kind in PurchaseRow.Kind.allCases {
                let sums = report.population.filter { $0.currency == currency && $0.kind == kind }
                if !sums.isEmpty { addPopulation(sums, currency, kind) }
            }
        }
        for sum in report.population where sum.currency == .absent {
            page.add([
                .text(texts.label(.unpriced)), .text(texts.title(sum)), .text(""), .text(""), .text(""),
                .cell(Cell(sum.count)), .cell(.integer(sum.units)),
            ])
        }
    }

    private mutating func addPopulation(_ sums: [PopulationSum], _ currency: Currency, _ kind: PurchaseRow.Kind) {
        let first = page.next
        for sum in sums {
            page.add([
                .text(currency.text), .text("    " + texts.title(sum)),
                .cell(.money(Money(minor: sum.minor, currency: currency))), .text(""), .text(""),
                .cell(Cell(sum.count)), .cell(.integer(sum.units)),
            ])
        }
        let label: MonthLabel =
            switch kind {
            case .purchase: .purchases
            case .refund: .refunds
            case .refundReversal: .refundReversals
            }
        func total(_ column: Int) -> String {
            "SUM(\(cellName(row: first, column: column)):\(cellName(row: page.next - 1, column: column)))"
        }
        let money = Cell.money(Money(minor: 0, currency: currency))
        let (own, other) = (cellName(row: page.next, column: 2), moneyCells[currency]?[label] ?? "0")
        page.add([
            .text(currency.text), .text(texts.month(label), writer.styles.label), .formula(total(2), money),
            .formula(other, money), .check("ROUND(\(own)-\(other),\(currency.exponent))"),
            .formula(total(5), .integer(0)), .formula(total(6), .integer(0)),
        ])
    }

    /// The way from the files' control totals to the month's purchases and bookings.
    mutating func addCompleteness() {
        let feeds = Dictionary(grouping: report.completeness, by: \.feed)
        for feed in [FeedKind.transactions, .orders] {
            guard let lines = feeds[feed] else { continue }
            page.beginPart()
            heading(
                texts.month(.completenessOf, texts.word(.feed, feed.rawValue)),
                [
                    (texts.column("currency"), false), (texts.month(.line), false), (texts.month(.figure), true),
                    (texts.month(.money), true), (texts.label(.check), true), (texts.label(.count), true),
                ])
            for (_, own) in Dictionary(grouping: lines, by: \.currency).sorted(by: { $0.key < $1.key }) {
                addCompleteness(own, feed)
            }
        }
    }

    private mutating func addCompleteness(_ lines: [CompletenessLine], _ feed: FeedKind) {
        let first = page.next
        for line in lines {
            let isSubtracted = ![.files, .estimated, .month].contains(line.step)
            let money = Cell.money(Money(minor: isSubtracted ? 0 &- line.minor : line.minor, currency: line.currency))
            let count = Page.Entry.cell(line.count.map { Cell($0) } ?? .empty)
            guard line.step == .month else {
                let isOlder = line.step == .duplicates && line.minor < 0
                page.add([
                    .text(line.currency.text),
                    .text(isOlder ? texts.month(.olderFiles) : texts.title(line.step)), .cell(money), .text(""),
                    .text(""), count,
                ])
                continue
            }
            let sum = "SUM(\(cellName(row: first, column: 2)):\(cellName(row: page.next - 1, column: 2)))"
            let label: MonthLabel = feed == .transactions ? .purchases : .booked
            let other = moneyCells[line.currency]?[label] ?? "0"
            let own = cellName(row: page.next, column: 2)
            page.add([
                .text(line.currency.text), .text(texts.month(label), writer.styles.label), .formula(sum, money),
                .formula(other, money), .check("ROUND(\(own)-\(other),\(line.currency.exponent))"), count,
            ])
        }
        page.add()
    }
}
