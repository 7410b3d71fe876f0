/// The roll-forward of the month's exceptions, and the control totals of its files.
extension TieOutSheet {
    /// Adds the roll-forward: first the counts, then the effects.
    mutating func addRollForward() {
        let priced = report.rollForward.filter { $0.currency != .absent }
        addRollForward(Rolled(label: .rollForward, suffix: "", value: { Int64($0.count) }), report.rollForward)
        addRollForward(Rolled(label: .rollForwardEffects, suffix: "_effect", value: \.effect), priced)
        addRegisterTie(priced)
    }

    /// What a roll-forward shows of each line.
    private struct Rolled {
        let label: MonthLabel
        /// Of the columns' names on the nights sheet. Empty for counts.
        let suffix: String
        let value: (CountAndAmount) -> Int64

        /// The column of the open rows that comes to the closing balance.
        var column: String? { suffix.isEmpty ? nil : String(suffix.dropFirst()) }
    }

    private mutating func addRollForward(_ rolled: Rolled, _ lines: [RollForwardLine]) {
        let isEffect = rolled.suffix == "_effect"
        page.beginPart()
        page.addHeading(
            texts.month(rolled.label), texts: [texts.column("currency"), texts.column("verdict")],
            figures: rollForwardFigures.map { texts.column($0.name) } + [texts.month(.byRows), texts.label(.check)]
                + (isEffect ? [texts.column("amount")] : []))
        if lines.isEmpty { page.add([.text(texts.month(.nothing))]) }
        for line in lines {
            let row = page.next
            let conditions: [RangeCondition] = [ownCurrency(), ("verdict_code", .word(line.verdict.rawValue))]
            let currency = rolled.column == nil ? nil : line.currency
            let rows = sum(rolled.column, of: .open, where: conditions)
            var entries: [Page.Entry] = [
                .text(texts.code(line.currency)), .cell(texts.verdict(line.verdict)),
            ]
            entries += rollForwardFigures.map { .money(rolled.value($0.value(line)), currency ?? .absent) }
            entries += [
                .formula(rows, currency),
                .check(check(row, conditions, suffix: rolled.suffix, exponent: line.currency.exponent)),
            ]
            if isEffect { entries.append(.formula(sum("amount", of: .open, where: conditions), line.currency)) }
            page.add(entries)
        }
    }

    /// The check of one line: opening plus the movements of all nights less closing, and open rows less closing.
    private func check(_ row: Int, _ conditions: [RangeCondition], suffix: String, exponent: Int) -> Formula {
        let (opening, closing) = (Formula.cell(row: row, column: 2), Formula.cell(row: row, column: 9))
        let rolled = rollForwardFigures.dropFirst().dropLast().reduce(opening) { balance, figure in
            let moved = Formula.bracket(sum(figure.name + suffix, of: .nights, where: conditions))
            return ["changed_out", "resolved", "waived"].contains(figure.name) ? balance - moved : balance + moved
        }
        let rows = Formula.cell(row: row, column: 10)
        return .rounded(.absolute(rolled - closing) + .absolute(rows - closing), decimals: exponent)
    }

    /// Ties the month's money to the register: by verdict, what subjects have too much, and what is in one of the two only.
    private mutating func addRegisterTie(_ lines: [RollForwardLine]) {
        var closing: [Currency: [Verdict: Int64]] = [:]
        for line in lines { closing[line.currency, default: [:]][line.verdict] = line.closing.effect }
        for line in report.register { closing[line.currency, default: [:]][line.verdict, default: 0] += 0 }
        for line in report.differences {
            guard case .verdict(let verdict) = line.reason else { continue }
            closing[line.currency, default: [:]][verdict, default: 0] += 0
        }
        if closing.isEmpty { return }
        page.beginPart()
        page.addHeading(
            texts.month(.registerTie), texts: [texts.column("currency"), texts.column("verdict")],
            figures: [texts.month(.byMoney), texts.month(.items), texts.label(.check), texts.month(.byRegister)])
        for (currency, verdicts) in closing.ordered() {
            for (verdict, effect) in verdicts.ordered() {
                addTie(currency, verdict, effect: effect)
            }
        }
    }

    private mutating func addTie(_ currency: Currency, _ verdict: Verdict, effect: Int64) {
        let cells = [2, 3, 5].map { Formula.cell(row: page.next, column: $0) }
        let own: [RangeCondition] = [ownCurrency(), ("verdict_code", .word(verdict.rawValue))]
        page.add([
            .text(currency.text), .cell(texts.verdict(verdict)),
            .formula(.negative(.bracket(sumOfDifferences(DifferenceClass(verdict).code, .differences))), currency),
            .formula(sum("difference", of: .register, where: own), currency),
            .check(cells[0] + cells[1] - cells[2], currency), .money(effect, currency),
        ])
    }

    /// Adds the control totals of all files by feed.
    mutating func addSources() {
        page.beginPart()
        page.addHeading(
            texts.month(.controlTotals), texts: [texts.column("feed"), ""],
            figures: ["rows", "accepted", "duplicates", "rejected"].map(texts.column) + [texts.label(.check)])
        let feeds = Dictionary(grouping: report.sources, by: \.feed)
        if feeds.isEmpty { page.add([.text(texts.month(.nothing))]) }
        for (feed, files) in feeds.ordered(by: { $0.key.rawValue < $1.key.rawValue }) {
            let counts = [\RowCounts.rows, \.accepted, \.duplicates, \.rejected].map { column in
                files.reduce(0) { $0 + $1.counts[keyPath: column] }
            }
            let cells = (2...5).map { Formula.cell(row: page.next, column: $0) }
            page.add(
                [.cell(texts.cell(.feed, feed.rawValue)), .text("")] + counts.map { .cell(Cell($0)) }
                    + [.check(cells[0] - cells[1] - cells[2] - cells[3])])
        }
    }
}
