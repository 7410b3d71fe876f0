internal import Domain
internal import Engine
internal import Exceptions
internal import Ledger
internal import Matching

/// Some cases of the ledger, judged as the last night judged them.
struct Inquiry {
    /// One subject, and where its evidence is.
    struct Finding {
        /// The ledger's number of the case.
        var caseID: Int64
        /// The case, as an index into `book`.
        var number: Int
        var subject: Subject
        var judgement: Judgement
    }
    let snapshot: LedgerSnapshot
    /// The cases looked at, by the ledger's numbers.
    let cases: Set<Int64>
    /// The matched cases.
    let book: CaseSet
    /// All versions of each case's evidence, by the case's index in `book`.
    let evidence: [Evidence]
    private(set) var subjects: [Finding] = []
    /// The exceptions of the cases.
    let entries: [ExceptionRecord]
    /// The account that each token belongs to, where tokens are per account.
    private(set) var owners = TokenOwners()

    init(_ snapshot: LedgerSnapshot, cases: Set<Int64>) throws {
        self.snapshot = snapshot
        self.cases = cases
        let (ledger, basis) = (snapshot.ledger, snapshot.basis)
        let stored = try ledger.load(cases: cases)
        // Two accounts are enough to show that a token is shared; a shared token may have very many.
        if basis.policy.tokenUse == .account {
            owners = TokenOwners(try ledger.owners(of: stored.evidence.tokens, atMost: 2))
        }
        let judged = JudgedCases(
            Versions(stored.evidence, policy: basis.policy), basis, stored: stored.cases, owner: owners.owner)
        book = judged.cases
        evidence = (0..<book.count).map(book.evidence)
        entries = try ledger.exceptions(ofCases: cases)
        let numbers = CaseNumbering(of: book, stored: stored).numbers
        let recorded = try ledger.verdicts(of: cases)
        var file = Case()
        for number in 0..<book.count {
            let caseID = numbers[number]
            judged.forEachSubject(of: number, in: &file) { subject, judgement, _ in
                var judgement = judgement
                if let night = recorded[caseID]?.first(where: { $0.subject == judgement.subject }) {
                    judgement.follow(night)
                }
                subjects.append(Finding(caseID: caseID, number: number, subject: subject, judgement: judgement))
            }
        }
    }
}

extension Judgement {
    /// Takes the verdict on record. It may rest on what a single case does not show: a refused file, or a suggestion.
    fileprivate mutating func follow(_ night: StoredVerdict) {
        verdict = night.verdict
        cause = night.cause
        flags = night.flags
    }
}
