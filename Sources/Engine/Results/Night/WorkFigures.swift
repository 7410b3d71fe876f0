/// A night's exceptions as work: how many were opened and closed, and how many days those that were closed took from the
/// night that first saw them. It counts no persons.
public struct WorkFigures: Sendable {
    public struct Line: Sendable {
        public let verdict: Verdict
        public let cause: Cause
        public let closed: Int
        public let medianDays: Int
        /// Nine of ten took at most that long.
        public let p90Days: Int
    }
    public let opened: Int
    public let closed: Int
    public let open: Int
    public let inHand: Int
    /// By verdict and cause, in the catalogue's order.
    public let lines: [Line]

    public init(_ report: NightReport) {
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
    public static func lines(of closed: [ExceptionRow], days: (ExceptionRow) -> Int32) -> [Line] {
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
