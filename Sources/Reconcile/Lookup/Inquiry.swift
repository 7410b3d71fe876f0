internal import Domain
internal import Ledger
internal import Matching
internal import Rules

/// Some cases of the ledger, judged as the last night judged them.
struct Inquiry {
    /// One subject, and where its evidence lies.
    struct Finding {
        /// The ledger's number of the case.
        var caseIndex: Int64
        /// The book's.
        var number: Int
        var subject: Subject
        var judgement: Judgement
    }
    let snapshot: LedgerSnapshot
    let cases: Set<Int64>
    let book: CaseSet
    /// All copies, by the book's number of their case.
    let evidence: [Evidence]
    private(set) var subjects: [Finding] = []
    let entries: [ExceptionRecord]
    /// Whose account each of the tokens is, where they are per account.
    private(set) var tokenBook = TokenBook()

    init(_ snapshot: LedgerSnapshot, cases: Set<Int64>) throws {
        self.snapshot = snapshot
        self.cases = cases
        let prior = try snapshot.ledger.load(cases: cases)
        var tokens = TokenBook()
        if snapshot.policy.tokenUse == .account {
            let carried =
                prior.evidence.orders.compactMap(\.token) + prior.evidence.transactions.compactMap(\.token)
            tokens = try TokenBook(ledger: snapshot.ledger, tokens: Set(carried), atMost: 2)
        }
        tokenBook = tokens
        book = CaseSet(
            Versions(prior.evidence, policy: snapshot.policy), policy: snapshot.policy, stored: prior.stored,
            owner: tokens.owner)
        evidence = (0..<book.count).map(book.evidence)
        entries = try snapshot.ledger.entries(ofCases: cases)
        var file = Case()
        for number in 0..<book.count {
            book.load(number, into: &file)
            let caseIndex = book.ledgerCase(of: number, prior)
            let kept = try snapshot.ledger.verdicts(ofCase: caseIndex)
            for subject in Matching.subjects(
                of: file, policy: snapshot.policy, horizon: snapshot.horizon, owner: tokens.owner)
            {
                let facts = Facts(subject: subject, file: file, policy: snapshot.policy, horizon: snapshot.horizon)
                var judgement = judge(facts)
                if let night = kept.first(where: { $0.subject == judgement.subject }) { judgement.follow(night) }
                subjects.append(
                    Finding(caseIndex: caseIndex, number: number, subject: subject, judgement: judgement))
            }
        }
    }
}

extension Judgement {
    /// What the night saw and no case shows by itself: a refused file, an order that may belong to it.
    fileprivate mutating func follow(_ night: KeptVerdict) {
        verdict = night.verdict
        cause = night.cause
        flags = night.flags
    }
}

extension CaseSet {
    /// The ledger's number of a case that was recalled.
    fileprivate func ledgerCase(of number: Int, _ prior: StoredEvidence) -> Int64 {
        for (groups, cases) in [
            (orderGroups, prior.orderCases), (creditGroups, prior.creditCases),
            (transactionGroups, prior.transactionCases), (receiptGroups, prior.receiptCases),
        ] {
            if let position = groups[number].first { return cases[Int(position)] }
        }
        preconditionFailure("a case holds no evidence")
    }
}
