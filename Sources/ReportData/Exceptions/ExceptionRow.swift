public import Domain

/// One exception in a report. The fields are shared, so that handing a row on copies one reference.
public typealias ExceptionRow = Shared<ExceptionFields>

extension ExceptionRow {
    public init(
        id: ExceptionID?, state: ExceptionState, verdict: Verdict, cause: Cause, severity: Severity,
        firstSeen: BusinessDate?,
        lastSeen: BusinessDate?, eventAt: Instant, ageDays: Int
    ) {
        self.init(
            fields: ExceptionFields(
                id: id, state: state, verdict: verdict, cause: cause, severity: severity, firstSeen: firstSeen,
                lastSeen: lastSeen, eventAt: eventAt, ageDays: ageDays))
    }
}

private struct ReportRank: Hashable, Comparable {
    var severity: Severity
    var firstSeen: BusinessDate?

    static func < (left: Self, right: Self) -> Bool {
        (left.severity, left.firstSeen ?? .absent) < (right.severity, right.firstSeen ?? .absent)
    }
}

extension [ExceptionRow] {
    /// In the order of all lists of exceptions: most severe first, then longest open, then by id.
    public func inReportOrder() -> [ExceptionRow] {
        // There are few ranks, and within each the rows are nearly always sorted by id already, so sorting is one pass.
        let ranks = Dictionary(grouping: self) {
            ReportRank(severity: $0.severity, firstSeen: $0.firstSeen)
        }
        return ranks.sorted { $0.key < $1.key }
            .flatMap { $0.value.sorted { ($0.id ?? .least) < ($1.id ?? .least) } }
    }
}
