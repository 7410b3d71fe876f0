/// One exception as the register keeps it. See docs/spec/rules.md#exceptions.
public struct ExceptionRecord: Equatable, Sendable {
    /// The permanent id; see `ExceptionRegister.id`.
    public var id: ExceptionID
    /// The ledger's number of the subject's case.
    public var caseID: CaseID
    /// The subject's key after the last night that saw it.
    public var subject: SubjectKey
    /// The state after the last night, or after a person's decision since. As a ledger keeps it, `open` stands for
    /// `new`, `changed` and `reopened`, too: the events tell them apart.
    public var state: ExceptionState
    /// The last night counted it in its closing balance.
    public var isInClosingBalance: Bool
    public var firstSeen: BusinessDate
    /// What the exception says about its subject.
    public var facts: ExceptionFacts
    /// The hash of the row that it was read from. Nil if it is not stored yet.
    public var rowHash: UInt64?

    /// What reading begins with.
    public static let blank = ExceptionRecord(
        id: .least, caseID: 0, subject: SubjectKey(.order, .absent), state: .open, isInClosingBalance: false,
        firstSeen: .absent, facts: .blank)

    public var verdict: Verdict { facts.verdict }
    public var cause: Cause { facts.cause }
    /// What the subject was worth. Nil if no price was known.
    public var amount: Money? { facts.amount }
    public var isOpen: Bool { state.isOpen }
}

/// What tonight does to one exception.
public struct ExceptionTransition: Sendable {
    /// The exception after tonight.
    public var record: ExceptionRecord
    /// The row that tonight's reports show. Nil if they show none, as for a waiver that stands.
    public var row: ExceptionRow?
    /// The event that the exception's history keeps about tonight. Nil if nothing happened that it keeps.
    public var event: ExceptionEvent?
    /// State or facts differ from the last version on record, so a new version must be kept.
    public var isNews: Bool
    /// The ledger already stores the exception as it is in `record`.
    public var isStored = false
}
