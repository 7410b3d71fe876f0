internal import Domain
internal import Exceptions
internal import ReportData

/// Exceptions and retry entries, carried forward from the last night to this one.
struct CarryForward {
    /// What tonight does to the register.
    let transitions: [ExceptionTransition]
    let rollForward: [RollForwardLine]
    /// The exceptions that earlier runs of the date resolved, or that were waived, as they were reported.
    let clearedToday: [ExceptionRow]
    /// The consumer's acknowledgements delivered tonight.
    let answers: Answers
    private(set) var retries: RetryRegister
    private(set) var warnings: [NightWarning] = []
    private let observations: [Observation]

    init(
        _ observations: [Observation], _ records: [ExceptionRecord], strayCredits: [StrayCredit],
        _ delivered: Delivered, _ plan: NightPlan, _ history: some History, threads: Int
    ) throws {
        let (time, settings, head) = (plan.time, plan.settings, plan.head)
        var observations = observations
        retries = RetryRegister(
            settings: settings.retry, businessDate: time.businessDate, asOf: time.asOf, history: head.retryTotals)
        retries.load(try history.demandedRetryEntries(threads: threads))
        let withholding = Withholding(
            rejected: try RejectedRows(delivered, history, for: observations, settings.policy.zone),
            strays: StrayCreditIndex(strayCredits), handOuts: delivered.handOuts, policy: settings.policy)
        warnings += withholding.apply(to: &observations, on: time.businessDate)
        answers = try Answers(delivered.evidence.acknowledgements, isKnown: history.isKnown)
        let keys = observations.compactMap { $0.retry?.key } + answers.fresh.map(\.key)
        retries.load(try history.retryEntries(ofKeys: retries.unknown(keys)))
        let unknown = retries.hear(answers.fresh)
        if let first = unknown.first {
            let name = delivered.deliveries.first { $0.number == first.source.delivery }?.name ?? ""
            warnings.append(
                .unknownAcknowledgements(
                    count: unknown.count, key: first.key, place: "\(name):\(first.source.line)"))
        }
        for index in observations.indices { retries.mark(&observations[index]) }
        let isSameDate = head.lastRun?.businessDate == time.businessDate
        var register = ExceptionRegister(
            businessDate: time.businessDate, lastDate: head.lastRun?.businessDate,
            horizon: plan.basis.horizon.instant,
            notes: head.notes, shownToday: isSameDate ? try history.rows(ofDate: time.businessDate) : [])
        register.play(observations, records: records)
        transitions = register.transitions
        rollForward = register.rollForward
        clearedToday = register.clearedToday
        self.observations = observations
    }

    /// Updates the retry entries from the demands of the exceptions that are open after tonight's transitions.
    ///
    /// - Parameter guarded: the guard's findings; if there are any, all entries are held.
    mutating func playRetries(_ guarded: [GuardFinding], _ history: some History) throws {
        let facts = Dictionary(
            observations.compactMap { observation in observation.retry.map { (observation.subject, $0) } }
        ) { first, _ in first }
        let demands: [(ExceptionID, RetryFacts)] = transitions.compactMap { transition in
            guard transition.record.isOpen else { return nil }
            return facts[transition.record.subject].map { (transition.record.id, $0) }
        }
        let others = Set(demands.lazy.filter { [retries] in retries.dependsOnOthers($0.1) }.map(\.0))
        retries.load(try history.retryEntries(ofExceptions: others))
        retries.play(demands, guarded: guarded.summary)
        if let text = guarded.summary {
            warnings.append(.guarded(text))
        } else if let reason = retries.holdReason {
            warnings.append(.manifestHeld(reason))
        }
    }
}
