/// The sums from which the others are computed.
private let lines = movementLines.filter {
    [.purchases, .refunds, .refundReversals, .credited, .reversed].contains($0.label)
}

extension Page {
    /// What later evidence has changed in closed months: by figure, then by subject.
    init(restated report: MonthReport, _ texts: Texts) {
        self.init(title: texts.monthSheet(.restated), widths: [13, 10, 42, 26, 15, 15, 15, 15, 15, 52, 8, 12], texts)
        let figures = report.restatedFigures
        guard !report.restated.isEmpty || !report.restatedSubjects.isEmpty || !figures.isEmpty else {
            if report.apple?.changes.isEmpty ?? true {
                add([.text(texts.otherCalendar(report) ?? texts.month(.restatedNothing))])
            }
            add(settingsChanged: report, most: .max, texts)
            if let apple = report.apple { add(changesOf: apple, texts) }
            return
        }
        addTotal(of: texts.month(.allChecks), column: 3)
        add(settingsChanged: report, most: .max, texts)
        if let apple = report.apple { add(changesOf: apple, texts) }
        add()
        addHeader(
            texts: [texts.column("closed_month"), texts.column("currency"), texts.month(.line)],
            figures: [MonthLabel.reported, .now, .change, .bySubject].map { texts.month($0) } + [texts.label(.check)])
        let moved = report.restatedSubjects.filter { $0.change != .zero }
        let first = next + report.restated.count * lines.count + figures.count + 3
        let parts = first + moved.count + 3
        for line in report.restated { add(line, subjects: first...first + max(0, moved.count - 1)) }
        for line in figures { add(line, subjects: parts...parts + max(0, report.figureCount - 1)) }
        addHeading(
            texts.month(.bySubject), texts: ["closed_month", "currency", "subject_id", "product_id"].map(texts.column),
            figures: lines.map { texts.month($0.label) }, last: ["file", "line", "business_date"].map(texts.column))
        for subject in moved { add(subject, report) }
        if figures.isEmpty { return }
        addHeading(
            texts.month(.bySubject),
            texts: ["closed_month", "currency"].map(texts.column) + [texts.month(.line)]
                + ["subject_id", "product_id"].map(texts.column),
            figures: [texts.month(.change)], last: ["", "", ""] + ["file", "line", "business_date"].map(texts.column))
        for subject in report.restatedSubjects { addFigures(subject, report) }
    }

    private mutating func add(_ line: RestatedLine, subjects: ClosedRange<Int>) {
        let currency = line.currency
        for (index, (label, value)) in lines.enumerated() {
            let row = next
            let sum = Formula.sumProduct(
                subjects, column: 4 + index, where: [0, 1].map { ($0, .cell(row: row, column: $0)) })
            add(
                [.text(line.period), .text(currency.text), .text(texts.month(label))]
                    + [line.reported, line.now].map { .money(value($0), currency) }
                    + [
                        .formula(.cell(row: row, column: 4) - .cell(row: row, column: 3), currency),
                        .formula(sum, currency),
                        .check(.cell(row: row, column: 6) - .cell(row: row, column: 5), currency),
                    ])
        }
    }

    private mutating func add(_ line: RestatedFigure, subjects: ClosedRange<Int>) {
        let row = next
        let sum = Formula.sumProduct(subjects, column: 5, where: (0...2).map { ($0, .cell(row: row, column: $0)) })
        add(
            [.text(line.period), .text(line.currency.text), .text(texts.title(ofFigure: line.figure))]
                + [line.reported, line.now].map { .money($0, line.currency) }
                + [
                    .formula(.cell(row: row, column: 4) - .cell(row: row, column: 3), line.currency),
                    .formula(sum, line.currency),
                    .check(.cell(row: row, column: 6) - .cell(row: row, column: 5), line.currency),
                ])
    }

    private mutating func addFigures(_ subject: RestatedSubject, _ report: MonthReport) {
        for (figure, minor) in subject.figures.ordered() {
            add(
                [
                    .text(subject.period), .text(subject.currency.text), .text(texts.title(ofFigure: figure)),
                    .text(subject.subject), .text(subject.product ?? ""), .money(minor, subject.currency),
                    .text(""), .text(""), .text(""),
                ] + origin(subject, figure, report))
        }
    }

    private mutating func add(_ subject: RestatedSubject, _ report: MonthReport) {
        // Of a purchase that counts for another product or storefront now, both, each with its storefront.
        let storefront = subject.storefront.map { " (" + ($0.isEmpty ? texts.label(.unpriced) : $0) + ")" }
        let place = (subject.product ?? "") + (storefront ?? "")
        add(
            [
                .text(subject.period), .text(subject.currency.text),
                .text(subject.subject.isEmpty ? texts.cause(ofRestOf: report) : subject.subject),
                .text(place),
            ] + lines.map { .money($0.value(subject.change), subject.currency) }
                + origin(subject, RestatedSubject.movements, report))
    }

    private func origin(_ subject: RestatedSubject, _ figure: String, _ report: MonthReport) -> [Entry] {
        // A change without a subject says there what is known of its cause.
        let setting = texts.changedSettings(report, of: subject, figure)
        let known = [subject.file, setting].compactMap(\.self).joined(separator: texts.label(.clauseSeparator))
        let file = known.isEmpty && !subject.subject.isEmpty ? report.whyWithoutRow(subject, texts) : known
        let night = subject.night.map { Entry.cell(.date($0)) }
        let others = subject.also.joined(separator: texts.label(.listSeparator))
        let files = others.isEmpty ? file : texts.month(.restatedAlso, file, others)
        return [.text(files), .text(subject.line.map(String.init) ?? ""), night ?? .cell(.empty)]
    }
}

extension MonthReport {
    /// Why a subject changed without a new row, as far as it is known.
    fileprivate func whyWithoutRow(_ subject: RestatedSubject, _ texts: Texts) -> String {
        let figures = subject.figures.filter { subject.settings[$0.key] == nil }
        let (waits, isDoubtful) = (figures["waiting"] != nil, figures["undetermined"] != nil)
        // Where a gap began, a wait may have ended in a doubt: both have a part in it.
        let hasBegun = gapChanges.contains(where: \.hasBegun)
        if isDoubtful, !(waits && hasBegun), let gaps = texts.changedGaps(self) { return gaps }
        if waits == isDoubtful || isDoubtful && hasSameGaps == true { return texts.month(.noNewRow) }
        return texts.month(waits ? .noNewRowWait : .noNewRowGap)
    }

    fileprivate var figureCount: Int { restatedSubjects.reduce(0) { $0 + $1.figures.count } }
}
