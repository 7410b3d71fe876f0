public import Matching
internal import Rules

/// Cases matched under one basis and judged by it. Nights, months, look-ups, checks and the self-test all match and
/// judge here.
public struct JudgedCases: Sendable {
    public let cases: CaseSet
    public internal(set) var basis: Basis
    /// The account that a token belongs to.
    public let owner: @Sendable (Token) -> TokenOwner
    private let clean: CleanMatch

    /// Matches all versions of the cases' evidence.
    ///
    /// - Parameters:
    ///   - stored: given where the evidence is all evidence of some of the history's cases: those cases. They are kept
    ///     apart, because the evidence that keeps them apart may belong to cases that were not read.
    ///   - threads: the number of cores to use. The result does not depend on it.
    ///   - owner: the account that a token belongs to, where tokens are per account.
    public init(
        _ versions: consuming Versions, _ basis: Basis, stored: StoredCases? = nil, threads: Int = 1,
        owner: @escaping @Sendable (Token) -> TokenOwner
    ) {
        cases = CaseSet(versions, policy: basis.policy, threads: threads, stored: stored, owner: owner)
        self.basis = basis
        self.basis.policy.facts.takenOrders.formUnion(cases.takenOrders)
        self.owner = owner
        clean = CleanMatch(policy: basis.policy)
    }

    /// Matches evidence loaded from a history.
    ///
    /// - Parameter owners: how many orders of each account carry each token, where tokens are per account.
    init(
        _ stored: StoredEvidence, by basis: Basis, threads: Int = 1,
        owners: (Set<Token>) throws -> [Token: TokenAccounts]
    ) rethrows {
        let usesTokens = basis.policy.tokenUse == .account
        let owners = TokenOwners(usesTokens ? try owners(stored.evidence.tokens) : [:])
        self.init(
            Versions(stored.evidence, policy: basis.policy, threads: threads), basis, stored: stored.cases,
            threads: threads, owner: owners.owner)
    }

    /// The positions of the payment, the order and the credit of a case whose one payment, order and credit agree in everything,
    /// what the case is worth, and its labels. Nil for any other case, and where a quick look cannot decide: the rules must then
    /// judge it. Nearly all cases match cleanly.
    public func cleanMatch(_ number: Int) -> (
        transaction: Int, order: Int, credit: Int, amount: Money, labels: LabelSet
    )? {
        guard let sole = cases.singleton(number) else { return nil }
        let amount = clean.amount(
            cases.transactions[sole.transaction], order: cases.orders[sole.order], credit: cases.credits[sole.credit],
            receipt: sole.receipt.map { cases.receipts[$0] }, owner: owner)
        guard let amount else { return nil }
        let labels = LabelSet(
            cases.orders[sole.order], sole.receipt.map { cases.receipts[$0] }, cases.transactions[sole.transaction],
            cases.credits[sole.credit])
        return (sole.transaction, sole.order, sole.credit, amount, labels)
    }

    /// Calls `body` with each subject of a case and its judgement, in the case's order.
    ///
    /// - Parameter evidence: memory to reuse from case to case. It contains the case's evidence afterwards.
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
