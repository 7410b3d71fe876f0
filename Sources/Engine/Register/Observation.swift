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
