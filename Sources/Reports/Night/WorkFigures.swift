/// A night's exceptions as work: how many were opened and closed, and how many days those that were closed took from the
/// night that first saw them. It counts no persons.
struct WorkFigures {
    struct Line {
        let verdict: Verdict
        let cause: Cause
        let closed: Int
        let medianDays: Int
        /// Nine of ten took at most that long.
        let p90Days: Int
    }
    let opened: Int
    let closed: Int
    let open: Int
    let inHand: Int
    /// By verdict and cause, in the catalogue's order.
    let lines: [Line]

    init(_ report: NightReport) {
        let rows = report.exceptions
        // By number, because a loop over the rows copies each.
        let closedRows = rows.indices.filter { !rows[$0].state.isOpen }.map { rows[$0] }
        opened = rows.indices.count { rows[$0].state == .new || rows[$0].state == .reopened }
        closed = closedRows.count
        open = rows.count - closed
        inHand = rows.indices.count { rows[$0].state.isOpen && rows[$0].assignee != nil }
        lines = Self.lines(of: closedRows) { report.businessDate.day - $0.firstSeen.day }
    }

    /// By verdict and cause, in the catalogue's order.
    /// - Parameter days: how many days an exception took.
    static func lines(of closed: [ExceptionRow], days: (ExceptionRow) -> Int32) -> [Line] {
        let days = Dictionary(grouping: closed) { $0.verdict }.mapValues { rows in
            Dictionary(grouping: rows) { $0.cause }.mapValues { rows in rows.map { Int(days($0)) }.ordered() }
        }
        return Verdict.allCases.flatMap { verdict in
            verdict.causes.compactMap { cause in
                guard let days = days[verdict]?[cause] else { return nil }
                return Line(
                    verdict: verdict, cause: cause, closed: days.count, medianDays: days[(days.count - 1) / 2],
                    p90Days: days[(days.count * 9 + 9) / 10 - 1])
            }
        }
    }
}

extension WorkFigures {
    var json: JSON {
        .object([
            "opened": JSON(opened), "closed": JSON(closed), "open": JSON(open), "in_hand": JSON(inHand),
            "days_to_close": .list(
                lines.map { line in
                    .object([
                        "verdict": .text(line.verdict.rawValue), "cause": .text(line.cause.rawValue),
                        "closed": JSON(line.closed), "median": JSON(line.medianDays), "p90": JSON(line.p90Days),
                    ])
                }),
        ])
    }

    /// In sentences; none where nothing was closed and nobody has anything in hand.
    func text(_ texts: Texts) -> [String] {
        if closed == 0, inHand == 0 { return [] }
        let figures = [opened, closed, open, inHand].map { String($0) }
        return [texts.label(.workFigures, figures[0], figures[1], figures[2], figures[3])]
            + lines.map { line in
                // The cause says more than the verdict, and one line is enough.
                let title = line.cause == .none ? texts.title(line.verdict) : texts.title(line.verdict, line.cause)
                let figures = [line.closed, line.medianDays, line.p90Days].map { String($0) }
                return texts.label(
                    .daysToClose, title, figures[0], figures[1], figures[2])
            }
    }
}
