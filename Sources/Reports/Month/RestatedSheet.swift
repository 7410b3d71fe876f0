/// The sums from which the others are computed.
private let lines = movementLines.filter {
    [.purchases, .refunds, .refundReversals, .credited, .reversed].contains($0.label)
}

extension Page {
    /// What later evidence has changed in closed months: by figure, then by subject.
    init(restated report: MonthReport, _ texts: Texts) {
        self.init(title: texts.monthSheet(.restated), widths: [15, 11, 28, 16, 16, 16, 16, 16, 16, 30, 9, 12], texts)
        guard !report.restated.isEmpty || !report.restatedSubjects.isEmpty else {
            add([.text(texts.month(.restatedNothing))])
            return
        }
        addTotal(of: texts.month(.allChecks), column: 3)
        add()
        addHeader(
            texts: [texts.column("closed_month"), texts.column("currency"), texts.month(.line)],
            figures: [MonthLabel.reported, .now, .change, .bySubject].map { texts.month($0) } + [texts.label(.check)])
        let first = next + report.restated.count * lines.count + 3
        let last = first + max(0, report.restatedSubjects.count - 1)
        for line in report.restated { add(line, subjects: first...last) }
        addHeading(
            texts.month(.bySubject), texts: ["closed_month", "currency", "subject_id", "product_id"].map(texts.column),
            figures: lines.map { texts.month($0.label) }, last: ["file", "line", "business_date"].map(texts.column))
        for subject in report.restatedSubjects { add(subject) }
    }

    private mutating func add(_ line: RestatedLine, subjects: ClosedRange<Int>) {
        let currency = line.currency
        for (index, (label, value)) in lines.enumerated() {
            let row = next
            let sum = Formula.sumProduct(
                subjects, column: 4 + index, where: [0, 1].map { ($0, .cell(row: row, column: $0)) })
            add(
                [.text(line.period), .text(currency.text), .text(texts.month(label))]
                    + [line.reported, line.now, line.change].map { .money(value($0), currency) }
                    + [
                        .formula(sum, currency),
                        .check(.cell(row: row, column: 6) - .cell(row: row, column: 5), currency),
                    ])
        }
    }

    private mutating func add(_ subject: RestatedSubject) {
        add(
            [
                .text(subject.period), .text(subject.currency.text),
                .text(subject.subject.isEmpty ? texts.month(.otherVersion) : subject.subject),
                .text(subject.product ?? ""),
            ] + lines.map { .money($0.value(subject.change), subject.currency) } + [
                .text(subject.file ?? ""), .text(subject.line.map(String.init) ?? ""),
                .cell(subject.night.map { .date($0) } ?? .empty),
            ])
    }
}
