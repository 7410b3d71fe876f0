/// Where the month's figures come from: the list of all purchases, and the way there from the files.
extension TieOutSheet {
    /// Ties the rows of `month-purchases.csv.gz`, as they were written, to the money.
    mutating func addPopulation() {
        if report.population.isEmpty { return }
        page.beginPart()
        page.addHeading(
            texts.month(.population), texts: [texts.column("currency"), texts.month(.line)],
            figures: [
                texts.month(.figure), texts.month(.money), texts.label(.check), texts.column("rows"),
                texts.month(.units),
            ])
        let currencies = Set(report.population.map(\.currency)).ordered()
        for currency in currencies where currency != .absent {
            for kind in PurchaseRow.Kind.allCases {
                let sums = report.population.filter { $0.currency == currency && $0.kind == kind }
                if !sums.isEmpty { addPopulation(sums, of: kind, in: currency) }
            }
        }
        for sum in report.population where sum.currency == .absent {
            page.add([
                .text(texts.label(.unpriced)), .text(texts.title(sum)), .text(""), .text(""), .text(""),
                .cell(Cell(sum.count)), .integer(sum.units),
            ])
        }
    }

    private mutating func addPopulation(_ sums: [PopulationSum], of kind: PurchaseRow.Kind, in currency: Currency) {
        let first = page.next
        for sum in sums {
            page.add([
                .text(currency.text), .text("    " + texts.title(sum)), .money(sum.minor, currency), .text(""),
                .text(""), .cell(Cell(sum.count)), .integer(sum.units),
            ])
        }
        let label: MonthLabel =
            switch kind {
            case .purchase: .purchases
            case .refund: .refunds
            case .refundReversal: .refundReversals
            case .credited: .credited
            case .reversed: .reversed
            case .closingOwed: .closingOwed
            case .closingGivenFree: .closingFree
            }
        let rows = first...page.next - 1
        func total(_ column: Int) -> Formula { .sum(.column(column, rows)) }
        let (own, other) = (Formula.cell(row: page.next, column: 2), moneyCells[currency]?[label] ?? .number(0))
        page.add([
            .text(currency.text), .label(texts.month(label)), .formula(total(2), currency), .formula(other, currency),
            .check(own - other, currency), .formula(total(5), nil), .formula(total(6), nil),
        ])
    }

    /// The way from the files' control totals to the month's purchases and bookings.
    mutating func addCompleteness() {
        let feeds = Dictionary(grouping: report.completeness, by: \.feed)
        for feed in [FeedKind.transactions, .orders] {
            guard let lines = feeds[feed] else { continue }
            page.beginPart()
            page.addHeading(
                texts.month(.completenessOf, texts.word(.feed, feed.rawValue)),
                texts: [texts.column("currency"), texts.month(.line)],
                figures: [texts.month(.figure), texts.month(.money), texts.label(.check), texts.label(.count)])
            for (_, own) in Dictionary(grouping: lines, by: \.currency).ordered() {
                addCompleteness(own, feed)
            }
        }
    }

    private mutating func addCompleteness(_ lines: [CompletenessLine], _ feed: FeedKind) {
        let first = page.next
        for line in lines {
            let isSubtracted = ![.files, .estimated, .month].contains(line.step)
            let count = Page.Entry.cell(line.count.map { Cell($0) } ?? .empty)
            guard line.step == .month else {
                let isOlder = line.step == .duplicates && line.minor < 0
                page.add([
                    .text(line.currency.text),
                    .text(isOlder ? texts.month(.olderFiles) : texts.title(line.step)),
                    .money(isSubtracted ? 0 &- line.minor : line.minor, line.currency), .text(""), .text(""), count,
                ])
                continue
            }
            let label: MonthLabel = feed == .transactions ? .purchases : .booked
            let other = moneyCells[line.currency]?[label] ?? .number(0)
            let own = Formula.cell(row: page.next, column: 2)
            page.add([
                .text(line.currency.text), .label(texts.month(label)),
                .formula(.sum(.column(2, first...page.next - 1)), line.currency),
                .formula(other, line.currency), .check(own - other, line.currency), count,
            ])
        }
        page.add()
    }
}
