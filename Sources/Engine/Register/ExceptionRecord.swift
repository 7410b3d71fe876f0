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

/// One subject as tonight's judgement sees it.
public struct Observation: Sendable {
    /// The number of the subject's case.
    public var caseID: CaseID
    public var subject: SubjectKey
    public var verdict: Verdict
    public var cause: Cause
    /// What the subject is worth. Nil if no price is known.
    public var amount: Money?
    /// What an exception about the subject says. If the verdict is `waiting` or `undetermined` and the case has a known
    /// exception, verdict and cause in it are those behind. Nil if no exception can be about the subject tonight.
    public var facts: ExceptionFacts?
    /// Keys under which the subject's evidence was, or might have been, known before.
    public var aliases: [SubjectKey]
    /// The evidence that arrived tonight, as `file:line`.
    public var news: [String]
    /// What a machine may do about it. Nil if only a person may act.
    public var retry: RetryFacts?
    /// When its purchase was made; for the guard. Nil without one.
    var purchasedAt: Instant?
    /// Its purchase is of a Non-Consumable, by Apple's record or the product list.
    var isLifetime = false
    /// The tokens of its purchase and orders, if a machine would credit it.
    var tokens: [String] = []
    /// Orders of several accounts carry one of them.
    var isTokenShared = false
    /// The accounts whose orders carry one of `tokens`. Nil if they are not known.
    var tokenAccounts: [Identifier]?
    /// Its purchase is a later period of a subscription.
    var isLaterPeriod = false
    /// The same, and Apple began it, or may have: its record does not say that the customer bought it.
    var isRenewal = false
    /// The id of an exception first seen under the subject's key. It is computed together with the observation, because
    /// observations are made on all cores. Nil if it was not computed.
    public var id: ExceptionID?

    public init(caseID: CaseID, judgement: Judgement, facts: ExceptionFacts?, aliases: [SubjectKey], news: [String]) {
        self.caseID = caseID
        self.subject = judgement.subject
        self.verdict = judgement.verdict
        self.cause = judgement.cause
        self.amount = judgement.amount
        self.facts = facts
        self.aliases = aliases
        self.news = news
    }

    /// Adds the order that the exception's purchase may belong to.
    ///
    /// If the order is not certain to be unused, what is owed depends on it: the action becomes `investigate`, and no
    /// retry entry is demanded.
    ///
    /// - Parameters:
    ///   - order: nil if several orders are equally likely.
    ///   - isCertain: the order is the only likely one, and no goods were given for it.
    ///   - flags: the flags of the subject's verdict.
    public mutating func suggest(_ order: Identifier?, isCertain: Bool, flags: inout Flags) {
        guard verdict.isException, var facts else { return }
        flags.insert(order == nil ? .ambiguousOrder : .suggestedOrder)
        facts.flags = flags.names
        facts.suggestedOrder = order?.text
        if !isCertain, [.credit, .wait].contains(facts.action) {
            facts.action = .investigate
            retry = nil
        }
        self.facts = facts
    }
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
