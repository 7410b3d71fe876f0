package import Domain

/// One exception as the book holds it. RULES §4.
package struct BookEntry: Equatable, Sendable {
    package var id: String
    package var caseFile: Int64
    package var subject: SubjectKey
    package var state: ExceptionState
    /// Part of the last closing balance.
    package var isBooked: Bool
    /// Business date, `YYYY-MM-DD`.
    package var firstSeen: String
    package var verdict: Verdict
    package var cause: Cause
    package var amount: Money?
    /// What is known of it, with the times left blank.
    package var facts: ExceptionRow

    package var isOpen: Bool { state != .resolved && state != .waived }
}

/// What the rules say tonight of a subject.
package struct Sighting: Sendable {
    package var caseFile: Int64
    package var subject: SubjectKey
    package var verdict: Verdict
    package var cause: Cause
    package var amount: Money?
    /// Set where the verdict is an exception: its facts, with the times left blank.
    package var facts: ExceptionRow?
    /// Keys under which the subject's evidence was or might have been known before.
    package var aliases: [SubjectKey]
    /// `file:line` of the evidence that came tonight.
    package var news: [String]
    /// What a machine may do about it.
    package var retry: RetryFacts?

    package init(caseFile: Int64, judgement: Judgement, facts: ExceptionRow?, aliases: [SubjectKey], news: [String]) {
        self.caseFile = caseFile
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
package struct BookMove: Sendable {
    package var entry: BookEntry
    /// The row of tonight's reports; nil where none is shown (a waiver that stands).
    package var row: ExceptionRow?
    /// Set where something happened that history keeps.
    package var event: String?
    /// The facts or the state differ from the last version kept.
    package var isNews: Bool
    /// The ledger holds the entry as it is.
    package var isStored = false
}
