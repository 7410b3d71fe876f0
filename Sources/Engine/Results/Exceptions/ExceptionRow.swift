/// One exception in a report: the columns of `exceptions.csv`. The facts about its subject are read and written as if
/// they were members of the row.
@dynamicMemberLookup
public struct ExceptionRow: Hashable, Sendable, Codable {
    /// What the exception says about its subject.
    public var facts: ExceptionFacts
    /// The permanent id, derived from the subject's key when the exception was first seen.
    public var id: ExceptionID
    /// Where the exception stands tonight.
    public var state: ExceptionState
    public var firstSeen: BusinessDate
    /// The business date on which it was last open.
    public var lastSeen: BusinessDate
    /// Whole days from the event to the run's horizon.
    public var ageDays: Int
    /// What brought the exception into its state. Nil if it is new or still open without a change.
    public var lastEvent: ExceptionEvent?
    /// The note that a person attached; nil if absent.
    public var note: String?
    /// The user at the desk to whom it is assigned. Nil if it is unassigned. Only reports have this value; the register does not.
    public var assignee: String?
    /// The number of its ticket; nil if absent.
    public var ticket: String?

    @inlinable
    public subscript<Value>(dynamicMember member: KeyPath<ExceptionFields, Value>) -> Value {
        @inline(__always) get { facts[dynamicMember: member] }
    }

    @inlinable
    public subscript<Value>(dynamicMember member: WritableKeyPath<ExceptionFields, Value>) -> Value {
        @inline(__always) get { facts[dynamicMember: member] }
        @inline(__always)
        _modify { yield &facts[dynamicMember: member] }
    }
}

private struct ReportRank: Comparable {
    var severity: Severity
    var firstSeen: BusinessDate
    var id: ExceptionID

    static func < (left: Self, right: Self) -> Bool {
        (left.severity, left.firstSeen, left.id) < (right.severity, right.firstSeen, right.id)
    }
}

extension [ExceptionRow] {
    /// In the order of all lists of exceptions: most severe first, then longest open, then by id.
    public func inReportOrder() -> [ExceptionRow] {
        ordered(byKey: { ReportRank(severity: $0.severity, firstSeen: $0.firstSeen, id: $0.id) })
    }
}
