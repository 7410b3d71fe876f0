internal import Domain
internal import Exceptions
internal import Matching

/// Some cases of the ledger, judged as the last night judged them.
struct CaseInquiry {
    /// One subject, and where its evidence lies.
    struct Finding {
        var caseID: Int64
        /// The case, as an index of `book`.
        var number: Int
        var subject: Subject
        var judgement: Judgement
    }
    let source: Inquiry
    let cases: Set<Int64>
    let book: CaseSet
    /// All copies, by the book's number of their case.
    let evidence: [Evidence]
    private(set) var subjects: [Finding] = []
    let entries: [ExceptionRecord]
    /// Which account each of the tokens belongs to, where tokens are per account.
    private(set) var owners = TokenOwners()

    init(_ source: Inquiry, cases: Set<Int64>) throws {
        self.source = source
        self.cases = cases
        let (history, basis) = (source.history, source.basis)
        let stored = try history.load(cases: cases)
        // Two accounts tell that a token is not one account's; a token that is shared may have very many.
        if basis.policy.tokenUse == .account {
            owners = TokenOwners(try history.owners(of: stored.evidence.tokens, atMost: 2))
        }
        let judged = JudgedCases(
            Versions(stored.evidence, policy: basis.policy), basis, stored: stored.cases, owner: owners.owner)
        book = judged.cases
        evidence = (0..<book.count).map(book.evidence)
        entries = try history.exceptions(ofCases: cases, except: [])
        let numbers = CaseNumbering(of: book, stored: stored).numbers
        let recorded = try history.verdicts(of: cases)
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
    /// What the night saw and no case shows by itself: a refused file, an order that may belong to it.
    fileprivate mutating func follow(_ night: StoredVerdict) {
        verdict = night.verdict
        cause = night.cause
        flags = night.flags
    }
}
