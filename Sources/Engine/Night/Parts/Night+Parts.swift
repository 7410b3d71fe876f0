extension Night {
    /// Reconciles a night from what judging all parts of a history found. The ledger is a book (`Ledger.isBook`): it keeps no
    /// evidence.
    ///
    /// - Parameters:
    ///   - findings: of all cases of the whole history.
    ///   - delivered: what tonight's files contain, apart from the rows judged.
    ///   - plan: what the parts were judged by.
    ///   - facts: the facts about the whole history that the parts were judged with.
    public static func reconcile(
        _ findings: consuming Findings, delivered: consuming Delivered, by plan: NightPlan, facts: LedgerFacts,
        after history: some History, threads: Int = 1, timer: some StageTimer = Untimed()
    ) throws -> Night {
        var (plan, facts) = (plan, facts)
        facts.crowdedTokens.formUnion(findings.crowdedTokens)
        facts.takenOrders = findings.takenOrders
        facts.renewals = plan.head.facts.renewals
        facts.renewals.add(findings.renewals)
        facts.renewals.sample()
        plan.basis.policy.facts = facts
        // A book has no case numbers, so all exceptions are of the same case.
        let open = try history.unresolvedExceptions(threads: threads)
        let exceptions = try open + history.exceptions(ofCases: [0], except: Set(open.map(\.id)))
        let night = NightContext(plan: plan, history: history, threads: threads, timer: timer)
        let rejected = try night.rejectedRows(of: delivered, for: findings.observations)
        return try night.conclude(
            findings, records: NightRecords(facts), exceptions: exceptions, delivered: delivered, rejected: rejected)
    }
}

extension [ExceptionRecord] {
    /// The keys of the cases' evidence by exception, after these transitions.
    ///
    /// - Parameter keys: by the key of a subject.
    func caseKeys(
        after transitions: [ExceptionTransition], _ keys: [SubjectKey: [SubjectKey]]
    ) -> [ExceptionID: [SubjectKey]] {
        if keys.isEmpty { return [:] }
        var subjects = Dictionary(map { ($0.id, $0.subject) }) { first, _ in first }
        for transition in transitions { subjects[transition.record.id] = transition.record.subject }
        return subjects.compactMapValues { keys[$0] }
    }
}
