public import Domain

/// One exception as the book holds it. RULES §4.
public struct ExceptionRecord: Equatable, Sendable {
    public var id: String
    public var caseID: Int64
    public var subject: SubjectKey
    public var state: ExceptionState
    /// Part of the last closing balance.
    public var isInClosingBalance: Bool
    /// Business date, `YYYY-MM-DD`.
    public var firstSeen: String
    public var verdict: Verdict
    public var cause: Cause
    public var amount: Money?
    /// What is known of it, with the times left blank.
    public var facts: ExceptionRow
    /// The hash of its row where the ledger has one, which it was read from.
    var record: UInt64?

    public var isOpen: Bool { state != .resolved && state != .waived }
}

/// What the rules say tonight of a subject.
public struct Observation: Sendable {
    public var caseID: Int64
    public var subject: SubjectKey
    public var verdict: Verdict
    public var cause: Cause
    public var amount: Money?
    /// Set where the verdict is an exception: its facts, with the times left blank.
    public var facts: ExceptionRow?
    /// Keys under which the subject's evidence was or might have been known before.
    public var aliases: [SubjectKey]
    /// `file:line` of the evidence that came tonight.
    public var news: [String]
    /// What a machine may do about it.
    public var retry: RetryFacts?
    /// The id of an exception first seen under the subject's key: made with the sighting, for those are made on all cores.
    public var id: String?

    public init(caseID: Int64, judgement: Judgement, facts: ExceptionRow?, aliases: [SubjectKey], news: [String]) {
        self.caseID = caseID
        self.subject = judgement.subject
        self.verdict = judgement.verdict
        self.cause = judgement.cause
        self.amount = judgement.amount
        self.facts = facts
        self.aliases = aliases
        self.news = news
    }

    var keepsOpen: Bool { verdict == .waiting || verdict == .undetermined }
}

/// One exception's step tonight.
public struct ExceptionTransition: Sendable {
    public var entry: ExceptionRecord
    /// The row of tonight's reports; nil where none is shown (a waiver that stands).
    public var row: ExceptionRow?
    /// Set where something happened that history keeps.
    public var event: String?
    /// The facts or the state differ from the last version kept.
    public var isNews: Bool
    /// The ledger holds the entry as it is.
    public var isStored = false
}
