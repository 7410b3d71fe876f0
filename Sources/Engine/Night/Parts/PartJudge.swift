internal import Matching

/// All evidence of some cases, with everything else that their judging needs.
///
/// No case may be cut: all evidence that shared identifiers may link, directly or through other evidence, is in one part.
public struct Part: Sendable {
    /// Orders, credits, transactions and receipts, each in order of delivery and line.
    public var evidence = Evidence()
    /// The owners of the evidence's tokens, where tokens are per account.
    public var owners: [Token: TokenOwner] = [:]
    /// The known exceptions whose cases may be among these.
    public var followed: [FollowedException] = []
    /// Tonight's rows whose transactions may belong to cases of other parts.
    public var sharedRows: Set<Provenance> = []

    public init() {}
}

/// A known exception, and how its case is found.
public struct FollowedException: Hashable, Sendable {
    public var id: ExceptionID
    /// The keys of all evidence of the case, as the last night that saw its subject knew it.
    public var keys: [SubjectKey]

    public init(id: ExceptionID, keys: [SubjectKey]) {
        self.id = id
        self.keys = keys
    }
}

/// Judges parts of a history that are given in memory, with nothing else at hand. A night that judges all parts of its
/// history finds what a night finds that judges the history as one.
///
/// Cases have no numbers here: those of `Observation` are 0.
public struct PartJudge: Sendable {
    private let basis: Basis
    private var observer: Observer

    /// - Parameters:
    ///   - policy: with the product list and the facts about the whole history.
    ///   - files: by delivery number.
    ///   - firstDelivery: evidence of this and later deliveries arrived tonight.
    public init(
        policy: Policy, horizon: Horizon, files: [DeliveryID: NamedFile], firstDelivery: DeliveryID
    ) {
        basis = Basis(policy: policy, horizon: horizon)
        observer = Observer(files: files, firstDelivery: firstDelivery)
    }

    /// Judges the cases of a part.
    ///
    /// - Parameter threads: the number of cores to use. The result does not depend on it.
    /// - Throws: `EngineError.unproven` where a case has no verdict; `Interrupted`.
    public func findings(_ part: consuming Part, threads: Int = 1) throws -> Findings {
        let (owners, shared) = (part.owners, part.sharedRows)
        let keys = Set(part.followed.lazy.flatMap(\.keys))
        let versions = Versions(part.evidence.take(), policy: basis.policy, threads: threads)
        var judged = JudgedCases(versions, basis, threads: threads) { owners[$0] ?? .unknown }
        let cases = judged.cases
        judged.basis.policy.facts.crowdedTokens.formUnion(cases.crowdedTokens)
        var observer = observer
        observer.followed = cases.cases(holdingAnyOf: keys)
        let verdicts = try judged.verdicts(observer, threads: threads)
        var findings = try Findings(verdicts, of: cases, by: judged.basis)
        findings.rows = RowOutcomes(
            cases, from: StoredEvidence(), since: observer.firstDelivery, shared: shared)
        findings.unnamedDeskCredits = cases.credits.lazy.filter { $0.source.delivery >= observer.firstDelivery }
            .compactMap(UnnamedDeskCredit.init)
        for (observation, position) in zip(findings.observations, verdicts.observedPositions) {
            findings.caseKeys[observation.subject] = cases.keys(of: Int(verdicts.all[position].caseIndex))
        }
        return findings
    }
}

extension CaseSet {
    /// The keys of all evidence of a case. Superseded versions have the key of a current one.
    fileprivate func keys(of number: Int, receipt: (Receipt) -> SubjectKey = { SubjectKey($0) }) -> [SubjectKey] {
        groups.orders[number].map { SubjectKey(.order, orders[Int($0)].id) }
            + groups.credits[number].map { SubjectKey(.credit, credits[Int($0)].id) }
            + groups.transactions[number].map { SubjectKey(.transaction, transactions[Int($0)].id) }
            + groups.receipts[number].map { receipt(receipts[Int($0)]) }
    }

    /// The indices of the cases with evidence that has one of these keys.
    fileprivate func cases(holdingAnyOf wanted: Set<SubjectKey>) -> Set<Int32> {
        if wanted.isEmpty { return [] }
        // Receipts are looked for by their ids alone: their whole keys take long to make for all cases, and a case too
        // many does no harm.
        let wanted = Set(wanted.map { SubjectKey($0.kind, $0.idWithoutAccount) })
        let found = (0..<count).lazy.filter { number in
            !wanted.isDisjoint(with: keys(of: number) { SubjectKey(.receipt, Identifier($0.id)) })
        }
        return Set(found.map(Int32.init))
    }
}
