extension Page {
    /// The month's exceptions as work: how many were opened and cleared, and how many days it took to clear them.
    init(work report: MonthReport, _ texts: Texts) {
        self.init(title: texts.monthSheet(.work), widths: [34, 40, 13, 13, 13, 13], texts)
        add([.text(texts.month(.workWhat))])
        let moved = rollForwardFigures.filter {
            ["new", "reopened", "resolved", "waived", "closing"].contains($0.name)
        }
        addHeading(
            texts.month(.rollForward), texts: [texts.column("verdict")], figures: moved.map { texts.column($0.name) })
        for (verdict, lines) in Dictionary(grouping: report.rollForward, by: \.verdict).sorted(by: { $0.key < $1.key })
        {
            add(
                [.cell(texts.verdict(verdict))]
                    + moved.map { figure in .integer(lines.reduce(0) { $0 + Int64(figure.value($1).count) }) })
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
