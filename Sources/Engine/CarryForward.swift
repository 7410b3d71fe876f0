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
    /// The cases with an open exception that needs no other treatment than judging the case shows.
    let unaltered: Set<CaseID>

    init(
        _ observations: [Observation], _ records: [ExceptionRecord], _ delivered: Delivered, _ plan: NightPlan,
        _ history: some History, threads: Int
    ) throws {
        let (time, settings, head) = (plan.time, plan.settings, plan.head)
        var observations = observations
        retries = RetryRegister(
            settings: settings.retry, businessDate: time.businessDate, asOf: time.asOf, history: head.retryTotals)
        retries.load(try history.demandedRetryEntries(threads: threads))
        try Self.takeDemands(&observations, &retries, history)
        let rejected = try RejectedCredits(delivered, history, for: observations, zone: settings.policy.zone)
        if let warning = Self.withhold(&observations, rejected) { warnings.append(warning) }
        if let warning = Self.withholdGiven(
            &observations, delivered.handOuts, on: time.businessDate, settings.policy.zone)
        {
            warnings.append(warning)
        }
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
        unaltered = Set(transitions.lazy.filter { $0.record.isOpen }.map { $0.record.caseID })
            .subtracting(observations.lazy.filter { $0.isAltered }.map { $0.caseID })
        rollForward = register.rollForward
        clearedToday = register.clearedToday
        self.observations = observations
    }

    /// Gives each case that was not judged the demand of its retry entry.
    private static func takeDemands(
        _ observations: inout [Observation], _ retries: inout RetryRegister, _ history: some History
    ) throws {
        let resting = observations.indices.filter {
            observations[$0].isOnRecord && observations[$0].facts?.retryKey != nil
        }
        let keys = retries.unknown(resting.map { observations[$0].facts!.retryKey! })
        retries.load(try history.retryEntries(ofKeys: keys))
        for index in resting {
            let key = observations[index].facts!.retryKey!
            guard let demand = retries.facts(ofKey: key) else {
                throw EngineError.unproven("an exception names the retry entry \(key), which does not exist")
            }
            observations[index].retry = demand
        }
    }

    /// Turns a demand for a credit into the action `fix_input` where a rejected row of a credits file mentions its
    /// transaction or order: the goods may have been given already. The row has to be corrected first.
    private static func withhold(_ observations: inout [Observation], _ rejected: RejectedCredits) -> NightWarning? {
        if rejected.isEmpty { return nil }
        var withheld = 0
        var first: String?
        for index in observations.indices {
            guard let retry = observations[index].retry, retry.action == .credit,
                let place = rejected.place(mentioning: retry.ids + [observations[index].facts?.suggestedOrder ?? ""])
            else { continue }
            observations[index].retry = nil
            observations[index].facts?.action = .fixInput
            observations[index].isAltered = true
            first = first ?? place
            withheld += 1
        }
        return first.map { .creditsWithheld(count: withheld, place: $0) }
    }

    /// Withdraws the demand for a credit where the desk recorded that it gave the goods: the action is to wait for that
    /// credit. A warning where the credits of the record's day are here and the credit is not among them.
    private static func withholdGiven(
        _ observations: inout [Observation], _ handOuts: [HandOut], on date: BusinessDate, _ zone: Zone
    ) -> NightWarning? {
        if handOuts.isEmpty { return nil }
        let given = Dictionary(handOuts.map { ($0.transaction.text, $0) }) { first, _ in first }
        var late: [HandOut] = []
        for index in observations.indices where observations[index].verdict == .paidNotCredited {
            guard let handOut = observations[index].facts?.transactions.compactMap({ given[$0] }).first else {
                continue
            }
            observations[index].isAltered = true
            if observations[index].retry?.movesGoods == true { observations[index].retry = nil }
            if observations[index].facts?.action == .credit { observations[index].facts?.action = .wait }
            if zone.date(of: handOut.at) <= date { late.append(handOut) }
        }
        let first = late.min { ($0.at, $0.transaction) < ($1.at, $1.transaction) }
        return first.map { .handOutsWithoutCredit(count: late.count, $0) }
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

extension RetryFacts {
    /// The identifiers that a credit for this demand would name.
    fileprivate var ids: [String] { [self.transaction, self.order].compactMap { $0 } }
}

extension RejectedCredits {
    /// Collects tonight's rejected credit rows, and those of earlier nights that may concern what a machine would
    /// credit: rows of files dated from the day before the earliest of these purchases on.
    fileprivate init(
        _ delivered: Delivered, _ history: some History, for observations: [Observation], zone: Zone
    ) throws {
        self.init()
        let anchors = observations.compactMap { $0.retry?.action == .credit ? $0.facts?.eventAt : nil }
        guard let earliest = anchors.min() else { return }
        let date = zone.date(of: earliest).advanced(by: -1)
        for row in try history.rejectedCredits(since: date) { add(row) }
        let files = Set(delivered.deliveries.filter { $0.kind == .credits }.map(\.name))
        for reject in delivered.rejects where files.contains(reject.source) {
            add(RejectedCredit(source: reject.source, line: reject.line, row: reject.row))
        }
    }
}
