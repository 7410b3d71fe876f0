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
    /// The hash of the row it was read from; nil where it is not stored yet.
    public var rowHash: UInt64?

    public init(
        id: String, caseID: Int64, subject: SubjectKey, state: ExceptionState, isInClosingBalance: Bool,
        firstSeen: String, verdict: Verdict, cause: Cause, amount: Money?, facts: ExceptionRow, rowHash: UInt64? = nil
    ) {
        self.id = id
        self.caseID = caseID
        self.subject = subject
        self.state = state
        self.isInClosingBalance = isInClosingBalance
        self.firstSeen = firstSeen
        self.verdict = verdict
        self.cause = cause
        self.amount = amount
        self.facts = facts
        self.rowHash = rowHash
    }

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

    /// Marks an exception with the order that its purchase may belong to.
    ///
    /// Where the order is not certain to be unused, it decides what is owed, and a person looks first.
    /// - Parameters:
    ///   - order: nil where several are equally likely.
    ///   - isCertain: the order is the only likely one, and no goods were given for it.
    ///   - flags: of the subject's verdict.
    public mutating func suggest(_ order: Identifier?, isCertain: Bool, flags: inout Flags) {
        guard verdict.isException, var facts else { return }
        flags.insert(order == nil ? .ambiguousOrder : .suggestedOrder)
        facts.flags = flags.names
        facts.suggestedOrder = order?.text
        if !isCertain, [.credit, .wait].contains(facts.action) {
            facts.action = .investigate
            retry = nil
        } else if let order {
            retry?.suggest(order)
        }
        self.facts = facts
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
