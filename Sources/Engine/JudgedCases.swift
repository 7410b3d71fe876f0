public import Domain
public import Matching
internal import Parallel
internal import Rules

/// Cases matched under one basis, and judged by it. Nights, months, look-ups, checks and the self-test match and judge
/// here and nowhere else.
public struct JudgedCases: Sendable {
    public let cases: CaseSet
    public internal(set) var basis: Basis
    /// Which account a token belongs to.
    public let owner: @Sendable (Token) -> TokenOwner
    private let clean: CleanMatch

    /// Matches all versions of the cases' evidence.
    ///
    /// - Parameters:
    ///   - stored: set where this is all evidence of some cases of a history and of no others. Such cases are never
    ///     joined: what keeps them apart may be evidence of others.
    ///   - threads: no result depends on how many.
    public init(
        _ versions: consuming Versions, _ basis: Basis, stored: StoredCases? = nil, threads: Int = 1,
        owner: @escaping @Sendable (Token) -> TokenOwner
    ) {
        cases = CaseSet(versions, policy: basis.policy, threads: threads, stored: stored, owner: owner)
        self.basis = basis
        self.owner = owner
        clean = CleanMatch(policy: basis.policy)
    }

    /// Loads cases of a history and matches them.
    public init(_ history: some History, _ stored: StoredEvidence, _ basis: Basis, threads: Int = 1) throws {
        let usesTokens = basis.policy.tokenUse == .account
        let owners = TokenOwners(usesTokens ? try history.owners(of: stored.evidence.tokens) : [:])
        self.init(
            Versions(stored.evidence, policy: basis.policy, threads: threads), basis, stored: stored.cases,
            threads: threads, owner: owners.owner)
    }

    /// Where the evidence stands of a case whose one payment, order and credit agree in everything, and its worth; nil for
    /// all other cases, and where that cannot be said at once. Nearly all cases are like this: the rules need not run.
    public func cleanMatch(_ number: Int) -> (transaction: Int, credit: Int, amount: Money)? {
        guard let sole = cases.singleton(number) else { return nil }
        let amount = clean.amount(
            cases.transactions[sole.transaction], cases.orders[sole.order], cases.credits[sole.credit],
            sole.receipt.map { cases.receipts[$0] }, owner: owner)
        return amount.map { (sole.transaction, sole.credit, $0) }
    }

    /// Lends the subjects of a case with their judgements, in the case's order.
    ///
    /// - Parameter evidence: memory that is used again from case to case; it holds the case afterwards.
    public func forEachSubject(
        of number: Int, in evidence: inout Case, _ body: (Subject, Judgement, Case) throws -> Void
    ) rethrows {
        cases.load(number, into: &evidence)
        let subjects = Matching.subjects(
            of: evidence, policy: basis.policy, horizon: basis.horizon, owner: owner)
        for subject in subjects {
            let facts = Facts(subject: subject, file: evidence, policy: basis.policy, horizon: basis.horizon)
            try body(subject, Rules.judge(facts), evidence)
        }
    }
}
