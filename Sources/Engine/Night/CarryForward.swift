/// Exceptions and retry entries, carried forward from the last night to this one.
struct CarryForward {
    private let night: NightContext
    /// Tonight's observations, with what is withheld and what is known of their retry entries.
    private(set) var observations: [Observation]
    /// What the guard looks at, even where no machine is asked.
    private(set) var demands: [InputGuard.Demand] = []
    /// The consumer's acknowledgements delivered tonight.
    private(set) var answers = Answers([]) { _ in false }
    /// What tonight does to the register.
    private(set) var transitions: [ExceptionTransition] = []
    private(set) var rollForward: [RollForwardLine] = []
    /// The exceptions that earlier runs of the date resolved, or that were waived, as they were reported.
    private(set) var clearedToday: [ExceptionRow] = []
    private(set) var retries: RetryRegister
    private(set) var warnings: [NightWarning] = []

    /// Begins with the retry entries that the last night demanded. Call `withhold`, `recordAnswers`,
    /// `updateExceptions` and `updateRetries` in this order.
    init(_ observations: [Observation], in night: NightContext) throws {
        self.night = night
        self.observations = observations
        let plan = night.plan
        retries = RetryRegister(
            settings: plan.settings.retry, businessDate: plan.time.businessDate, asOf: plan.time.asOf,
            history: plan.head.retryTotals)
        retries.load(try night.history.demandedRetryEntries(threads: night.threads))
    }

    /// Withdraws demands for goods that may have been given already.
    /// - Parameters:
    ///   - facts: after tonight.
    ///   - known: the exceptions of earlier nights.
    mutating func withhold(
        by findings: Findings, _ facts: LedgerFacts, _ rejected: RejectedRows, _ handOuts: [HandOut],
        _ known: [ExceptionRecord]
    ) throws {
        let settings = night.plan.settings
        let withholding = Withholding(
            rejected: rejected, strays: findings.strays, openOrders: findings.openOrders,
            periods: findings.periods,
            renewed: facts.renewals.recordedSince,
            handOuts: handOuts, lost: try lostPayments(known), policy: settings.policy)
        warnings += withholding.apply(to: &observations, on: night.plan.time.businessDate)
        demands = observations.demands
        for index in observations.indices { observations[index].retry?.removePrefixes(settings.prefixes) }
    }

    /// What became of the payments for Non-Consumables that lack their goods.
    private func lostPayments(_ known: [ExceptionRecord]) throws -> LostPayments {
        var lost = LostPayments()
        let subjects = Set(
            observations.lazy.filter { $0.isLifetime && $0.verdict == .paidNotCredited }.map(\.subject))
        if subjects.count < 2 { return lost }
        let records = known.filter { subjects.contains($0.subject) }
        for record in records where record.state == .waived { lost.add(waived: record.subject.id.text) }
        let entries = try night.history.retryEntries(ofExceptions: Set(records.map(\.id)))
        for entry in entries {
            if let id = entry.facts.transaction, try night.history.mayHaveGiven(entry) { lost.add(given: id) }
        }
        return lost
    }

    /// Records the acknowledgements delivered tonight.
    mutating func recordAnswers(in delivered: Delivered) throws {
        let history = night.history
        answers = try Answers(delivered.evidence.acknowledgements, isKnown: history.isKnown)
        let keys = observations.compactMap { $0.retry?.key } + answers.fresh.map(\.key)
        retries.load(try history.retryEntries(ofKeys: retries.unknown(keys)))
        let unknown = retries.record(answers.fresh)
        if let first = unknown.first {
            let name = delivered.deliveries.first { $0.number == first.source.delivery }?.name ?? ""
            warnings.append(
                .unknownAcknowledgements(
                    count: unknown.count, key: first.key, place: "\(name):\(first.source.line)"))
        }
        for index in observations.indices { retries.mark(&observations[index]) }
    }

    /// Turns the known exceptions into tonight's transitions.
    mutating func updateExceptions(_ known: [ExceptionRecord]) throws {
        let (date, head) = (night.plan.time.businessDate, night.plan.head)
        let isSameDate = head.lastRun?.businessDate == date
        var register = ExceptionRegister(
            businessDate: date, lastDate: head.lastRun?.businessDate, horizon: night.plan.basis.horizon.instant,
            notes: head.notes, shownToday: isSameDate ? try night.history.rows(ofDate: date) : [])
        register.apply(observations, records: known)
        transitions = register.transitions
        rollForward = register.rollForward
        clearedToday = register.clearedToday
    }

    /// Updates the retry entries from the demands of the exceptions that are open after tonight's transitions.
    ///
    /// - Parameter guarded: the guard's findings. They hold all entries, except those to give goods that no finding concerns.
    mutating func updateRetries(_ guarded: [GuardFinding]) throws {
        let facts = Dictionary(
            observations.compactMap { observation in observation.retry.map { (observation.subject, $0) } }
        ) { first, _ in first }
        let demands: [(ExceptionID, RetryFacts)] = transitions.compactMap { transition in
            guard transition.record.isOpen else { return nil }
            return facts[transition.record.subject].map { (transition.record.id, $0) }
        }
        let others = Set(demands.lazy.filter { [retries] in retries.dependsOnOthers($0.1) }.map(\.0))
        retries.load(try night.history.retryEntries(ofExceptions: others))
        let zone = night.plan.settings.policy.zone
        let held: [String] =
            guarded.isEmpty
            ? []
            : observations.compactMap { seen -> String? in
                guard let retry = seen.retry else { return nil }
                let isHeld = guarded.contains {
                    retry.action != .credit || $0.mayConcern(retry.product, paidAt: seen.purchasedAt, in: zone)
                }
                return isHeld ? retry.key : nil
            }
        retries.apply(demands, guarded: Set(held))
        if !guarded.isEmpty { warnings.append(.guarded(guarded, held: retries.counts.held)) }
        if let reason = retries.counts.holdReason { warnings.append(.manifestHeld(reason)) }
    }
}
