extension Page {
    /// The month's exceptions as work: how many were opened and cleared, and how many days it took to clear them.
    init(work report: MonthReport, _ texts: Texts) {
        self.init(title: texts.monthSheet(.work), widths: [34, 40] + Array(repeating: 13, count: 8), texts)
        add([.text(texts.month(.workWhat))])
        addHeading(
            texts.month(.rollForward), texts: [texts.column("verdict"), ""],
            figures: rollForwardFigures.map { texts.column($0.name) })
        let lines = Dictionary(grouping: report.rollForward, by: \.verdict)
        for (verdict, lines) in lines.ordered() {
            let counts = rollForwardFigures.map { figure in lines.reduce(0) { $0 + figure.value($1).count } }
            add([.cell(texts.verdict(verdict)), .text("")] + counts.map { .integer(Int64($0)) })
        }
        addHeading(
            texts.month(.daysToClear), texts: [texts.column("verdict"), texts.column("cause")],
            figures: [texts.monthSheet(.cleared), texts.month(.daysMedian), texts.month(.daysMost)])
        // A night clears what was open in the night before.
        for line in WorkFigures.lines(of: report.cleared, days: { $0.lastSeen.day - $0.firstSeen.day + 1 }) {
            add([
                .cell(texts.verdict(line.verdict)),
                .text(line.cause == .none ? "" : texts.title(line.verdict, line.cause)),
                .integer(Int64(line.closed)), .integer(Int64(line.medianDays)), .integer(Int64(line.p90Days)),
            ])
        }
        if report.cleared.isEmpty { add([.text(texts.month(.nothing))]) }
    }
}
