/// The money of the month: one block for each currency, from what the backend booked to what customers are owed.
extension TieOutSheet {
    mutating func addMoney() {
        if report.money.isEmpty {
            page.add([.text(texts.month(.money), \.heading)])
            page.add([.text(texts.month(.nothing))])
        }
        for line in report.money { add(line) }
        for (label, count) in unpricedFigures(report) where count > 0 {
            page.add([
                .text(texts.label(.unpriced)), .text(texts.month(.pair, texts.month(.unpriced), texts.month(label))),
                .cell(Cell(count)),
            ])
        }
    }

    private mutating func add(_ line: MoneyLine) {
        page.beginPart()
        page.addHeading(
            texts.month(.pair, texts.month(.money), line.currency.text),
            texts: [texts.column("currency"), texts.month(.line)],
            figures: [texts.month(.figure), texts.month(.fromDetails), texts.label(.check)])
        addBookings(line)
        for (label, value) in movementLines {
            let own = [ownCurrency()]
            // The sums are checked against two breakdowns of the same sales (by product and by storefront) and the list
            // of refunds, so that these are checked against each other too.
            let formula: Formula
            switch label {
            case .refunds: formula = sum("amount", of: .refunds, where: own)
            case .refundReversals: formula = sum("reversed_amount", of: .refunds, where: own)
            case .net, .netCredited, .difference: formula = sum(texts.month(label), of: .byStorefront, where: own)
            default: formula = sum(texts.month(label), of: .byProduct, where: own)
            }
            remember(label, line)
            let source: MonthSheet =
                switch label {
                case .refunds, .refundReversals: .refunds
                case .net, .netCredited, .difference: .byStorefront
                default: .byProduct
                }
            addFigure(
                texts.month(label), value(line.movements), in: line.currency, rows: formula, from: source,
                isLabel: [.net, .netCredited, .difference].contains(label))
            if label == .purchases, line.estimated != 0 {
                addFigure("    " + texts.month(.estimated), line.estimated, in: line.currency)
            }
        }
        let difference = Formula.cell(row: page.next - 1, column: 2)
        let reasons = page.next
        for explained in line.explained {
            let sheet: MonthSheet = explained.reason == .cutOff ? .cutOff : .differences
            addFigure(
                texts.title(explained.reason), explained.minor, in: line.currency,
                rows: sumOfDifferences(explained.reason.code, sheet), from: sheet, code: explained.reason.code)
        }
        remember(.unexplained, line)
        addFigure(
            texts.month(.unexplained), line.unexplained, in: line.currency,
            rows: sumOfDifferences("unexplained", .differences), from: .differences, code: "unexplained", isLabel: true)
        addFigure(
            texts.month(.reasonsTotal), line.movements.difference, in: line.currency,
            rows: .sum(.column(2, reasons...page.next - 1)))
        addBalances(line, difference: difference)
        page.add()
    }

    /// A formula for what a reason explains by the rows of a detail sheet, in the currency of the row that is added next.
    func sumOfDifferences(_ code: String, _ sheet: MonthSheet) -> Formula {
        sum("difference", of: sheet, where: [ownCurrency(), ("explanation_code", .word(code))])
    }

    /// What the backend booked, and the way from there to the purchases.
    private mutating func addBookings(_ line: MoneyLine) {
        if line.bookings.booked == 0, line.bookings.parts.allSatisfy({ !$0.reason.isListed }) { return }
        let first = page.next
        remember(.booked, line)
        addFigure(texts.month(.booked), line.bookings.booked, in: line.currency, isLabel: true)
        for part in line.bookings.parts {
            let formula = part.reason.isListed ? sumOfDifferences(part.reason.rawValue, .bookings) : nil
            addFigure(
                "    " + texts.title(part.reason), part.minor, in: line.currency, rows: formula,
                from: part.reason.isListed ? .bookings : nil, code: part.reason.rawValue)
        }
        addFigure(
            texts.month(.bookedPurchases), line.movements.purchases, in: line.currency,
            rows: .sum(.column(2, first...page.next - 1)), isLabel: true)
    }

    /// What customers are owed, and what they were given free, at both ends of the month.
    private mutating func addBalances(_ line: MoneyLine, difference: Formula) {
        let first = page.next
        addFigure(texts.month(.openingOwed), line.opening.owed, in: line.currency)
        addFigure(texts.month(.openingFree), line.opening.givenFree, in: line.currency)
        remember(.closingOwed, line)
        addFigure(texts.month(.closingOwed), line.closing.owed, in: line.currency, isLabel: true)
        remember(.closingFree, line)
        addFigure(texts.month(.closingFree), line.closing.givenFree, in: line.currency, isLabel: true)
        let cells = (0..<4).map { Formula.cell(row: first + $0, column: 2) }
        moneyCells[line.currency, default: [:]][.closingNet] =
            .cells(page.next...page.next, columns: 2...2, sheet: texts.monthSheet(.tieOut))
        page.add([
            .text(line.currency.text), .text(texts.month(.closingNet)),
            .formula(cells[2] - cells[3], line.currency),
            .formula(cells[0] - cells[1] + difference, line.currency),
            .check(.cell(row: page.next, column: 3) - .cell(row: page.next, column: 2), line.currency),
        ])
        guard let closed = line.openingAsClosed else { return }
        for (label, side, cell) in [(MonthLabel.paidNotReceived, \Balance.owed, 0), (.receivedNotPaid, \.givenFree, 1)]
        {
            let change = line.opening[keyPath: side] &- closed[keyPath: side]
            if change == 0 { continue }
            let title = texts.month(label)
            addFigure(texts.month(.openingAsClosed, title), closed[keyPath: side], in: line.currency)
            addFigure(
                texts.month(.openingChanged, title), change, in: line.currency,
                rows: cells[cell] - .cell(row: page.next - 1, column: 2))
        }
    }

    /// Notes that the row that is added next has this figure.
    private mutating func remember(_ label: MonthLabel, _ line: MoneyLine) {
        moneyCells[line.currency, default: [:]][label] = .cell(row: page.next, column: 2)
        page.names.append((page.next, 2, line.currency.text + "_" + label.name))
    }

    /// Adds a line: figure, formula over the details, and check. Without a formula the line is only shown.
    ///
    /// - Parameters:
    ///   - sheet: where the rows are that make up the figure; the line leads there.
    ///   - code: what they have in common beside the currency.
    private mutating func addFigure(
        _ title: String, _ minor: Int64, in currency: Currency, rows formula: Formula? = nil,
        from sheet: MonthSheet? = nil, code: String? = nil, isLabel: Bool = false
    ) {
        let first: Page.Entry =
            sheet.flatMap { ranges[$0]?.link(title, to: currency, code) } ?? (isLabel ? .label(title) : .text(title))
        var entries: [Page.Entry] = [.text(currency.text), first, .money(minor, currency)]
        if let formula {
            let check: Formula = .cell(row: page.next, column: 3) - .cell(row: page.next, column: 2)
            entries += [.formula(formula, currency), .check(check, currency)]
        }
        page.add(entries)
    }
}
