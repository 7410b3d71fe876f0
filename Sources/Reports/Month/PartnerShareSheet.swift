extension Page {
    /// Apple's share of the customer prices, for information, and the payment from the report to the bank.
    init(partnerShare bridge: AppleBridge, _ texts: Texts) {
        self.init(
            title: texts.monthSheet(.partnerShare), widths: [30, 11, 11] + Array(repeating: 14, count: 10), texts)
        add([.text(texts.month(.forInformation))])
        addProceeds(bridge.proceeds)
        if let payout = bridge.payout { add(payout) }
    }

    private mutating func addHeading(_ title: String, ids: [String], figures: [MonthLabel]) {
        addHeading(
            title, texts: ids.map { $0.isEmpty ? "" : texts.column($0) }, figures: figures.map { texts.month($0) })
    }

    private mutating func addProceeds(_ lines: [ProceedsLine]) {
        addHeading(
            texts.month(.partnerShare), ids: ["product_id", "customer_currency", "partner_currency"],
            figures: [.units, .customerPrice, .partner, .kept])
        for line in lines {
            let kept: Formula = .cell(row: next, column: 4) - .cell(row: next, column: 5)
            add([
                .text(line.product), .text(line.customerCurrency.text), .text(line.partnerCurrency.text),
                .integer(line.units), .money(line.customer, line.customerCurrency),
                .money(line.partner, line.partnerCurrency),
                line.kept == nil ? .text("") : .formula(kept, line.customerCurrency),
            ])
        }
    }

    private mutating func add(_ payout: Payout) {
        let bank = payout.bankCurrency
        addHeading(
            texts.month(.payout, payout.period ?? payout.month), ids: ["currency", "", ""],
            figures: [.payoutReported, .earned, .difference])
        for line in payout.earned {
            let difference: Formula = .cell(row: next, column: 4) - .cell(row: next, column: 3)
            add(
                [.text(line.currency.text), .text(""), .text("")]
                    + [line.reported, line.earned].map { .money($0, line.currency) }
                    + [.formula(difference, line.currency)]
                    + (line.rounding.map { [.text(texts.month(.rounded, decimalText($0, line.currency)))] } ?? []))
        }
        addHeading(
            payout.file, ids: ["region", "currency", ""],
            figures: [
                .earned, .inputTax, .adjustments, .withholdingTax, .owed, .difference, .rate, .expected, .proceeds,
                .difference,
            ])
        let first = next
        for line in payout.lines {
            let owed = (3...6).reduce(Formula.cell(row: next, column: 7)) { $0 - .cell(row: next, column: $1) }
            let amounts: [Entry] =
                line.fractions?.map { Entry.figure(Double($0) / 10_000, \.fraction) }
                ?? line.amounts.map { Entry.money($0, line.currency) }
            add(
                [.text(line.region), .text(line.currency.text), .text("")] + amounts
                    + [.formula(owed, line.currency), .text(line.rate)]
                    + [
                        line.expected == 0
                            ? .money(line.expected, bank)
                            : .formula(
                                .converted(.cell(row: next, column: 7), rate: line.rate, line.expected, bank), bank),
                        .money(line.proceeds, bank), .money(line.rateDifference, bank),
                    ])
        }
        let proceeds = (first..<next).map { Formula.cell(row: $0, column: 11) }
        add()
        // It stands below the proceeds, whose sum it is.
        add(
            [.label(texts.month(.paid)), .text(bank.text)] + Array(repeating: .text(""), count: 9) + [
                .money(payout.paid, bank),
                .formula(proceeds.reduce(.cell(row: next, column: 11)) { $0 - $1 }, bank),
            ])
    }
}
