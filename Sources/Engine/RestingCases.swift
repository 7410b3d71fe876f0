public import Domain
internal import Exceptions
internal import Matching
internal import Rules

/// An open case that no night need judge again until something else changes than the time: its verdict is the same
/// tomorrow and at any later time. See docs/spec/rules.md#resting.
///
/// The register contains its exception, and the retry entries its demand, so a report lists the case without its
/// evidence. Only what the input guard counts must be kept apart.
public struct RestingCase: Hashable, Sendable {
    /// When the purchase was made. Nil if the case has none.
    public var purchasedAt: Instant?
    /// What the guard counts for the date of `purchasedAt`.
    public var counts: DateCounts

    public init(purchasedAt: Instant?, counts: DateCounts) {
        self.purchasedAt = purchasedAt
        self.counts = counts
    }
}

extension Basis {
    /// Whether cases may rest. No case rests while there is a coverage gap, because closing it may change any open case.
    var letsCasesRest: Bool { horizon.coverage.gaps.isEmpty && horizon.coverage.creditsUnseen.isEmpty }
}

extension JudgedCases {
    /// Whether the case of this subject may rest. It must have no other subject.
    ///
    /// - Parameter counts: what the verdict counts for the guard.
    /// - Returns: nil if every night must judge the case.
    func resting(
        _ subject: Subject, _ judgement: Judgement, in evidence: Case, counts: DateCounts
    ) -> RestingCase? {
        guard basis.letsCasesRest, judgement.verdict.isException, evidence.transactions.count <= 1 else { return nil }
        // The desk's orders, and whose order a receipt names, are worked out each night from all cases concerned.
        let orders = Set(evidence.orders.map(\.id))
        let isElsewhere = { (receipt: Receipt) in receipt.order.map { !orders.contains($0) } ?? false }
        guard !evidence.receipts.contains(where: isElsewhere),
            !orders.contains(where: { basis.policy.facts.deskOrders[$0] != nil })
        else { return nil }
        var horizon = basis.horizon
        (horizon.instant, horizon.businessDate) = (.endOfTime, basis.policy.zone.date(of: .endOfTime))
        let facts = Facts(subject: subject, file: evidence, policy: basis.policy, horizon: horizon)
        guard Rules.judge(facts) == judgement else { return nil }
        var resting = RestingCase(purchasedAt: evidence.transactions.first?.purchasedAt, counts: counts)
        if let column = evidence.transactions.first.flatMap({ DateCounts.column(of: $0, basis.policy) }) {
            resting.counts[keyPath: column] += 1
        }
        return resting
    }
}

extension Instant {
    /// Later than any date that evidence may have: 9999-12-30.
    fileprivate static let endOfTime = Instant(milliseconds: 253_402_128_000_000)
}

extension Findings {
    /// Appends what judging these cases again would find: what is on record.
    ///
    /// - Parameter exceptions: contains the one unresolved exception of each case.
    mutating func append(_ cases: [CaseID: RestingCase], _ exceptions: [ExceptionRecord], zone: Zone) {
        judged += cases.count
        observations.reserveCapacity(observations.count + cases.count)
        for record in exceptions where record.state != .resolved && cases[record.caseID] != nil {
            let flags = Flags(named: record.facts.flags)
            if !flags.isEmpty { self.flags[flags, default: 0] += 1 }
            observations.append(Observation(onRecord: record))
        }
        for resting in cases.values {
            guard let purchasedAt = resting.purchasedAt else { continue }
            let date = zone.date(of: purchasedAt)
            dates[date] = (dates[date] ?? DateCounts()) + resting.counts
        }
    }
}

extension Observation {
    /// What judging a resting case again would show. Its demand is that of its retry entry.
    fileprivate init(onRecord record: ExceptionRecord) {
        self.init(
            subject: record.subject, verdict: record.verdict, cause: record.cause, amount: record.amount,
            facts: record.facts, aliases: [], news: [], retry: nil, id: record.id)
        caseID = record.caseID
        isOnRecord = true
    }

    /// Whether the register says the same.
    ///
    /// - Parameter demand: what the retry entry of the observation's key demands.
    func isSame(as record: ExceptionRecord, _ demand: RetryFacts?) -> Bool {
        guard var facts, subject == record.subject, retry == demand else { return false }
        if let retry { facts.retryKey = retry.key }
        return facts == record.facts
    }
}
