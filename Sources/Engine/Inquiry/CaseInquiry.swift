internal import Matching

/// Some cases of the ledger, judged as the last night judged them.
struct CaseInquiry {
    /// One subject, and its case.
    struct JudgedSubject {
        /// The ledger's number of the case.
        let caseID: CaseID
        /// The case, as an index into `book`.
        let number: Int
        /// The current evidence of the case.
        let file: Case
        let subject: Subject
        fileprivate(set) var judgement: Judgement
        /// Only a lead's decision names the owner.
        fileprivate(set) var isOwnerDecided = false
        var subjectID: String { judgement.subject.id.text }

        /// The current evidence of the subject.
        var evidence: Evidence { file.evidence(of: judgement.members) }
    }
    let source: Inquiry
    /// The cases looked at, by the ledger's numbers.
    let cases: Set<CaseID>
    let book: CaseSet
    /// All versions of each case's evidence, by the case's index in `book`.
    let evidence: [Evidence]
    private(set) var subjects: [JudgedSubject] = []
    let records: [ExceptionRecord]
    /// The account that each token belongs to, where tokens are per account.
    let owner: @Sendable (Token) -> TokenOwner

    init(_ source: Inquiry, cases: Set<CaseID>) throws {
        self.source = source
        self.cases = cases
        let (history, basis) = (source.history, source.basis)
        let stored = try history.load(cases: cases)
        // Two accounts are enough to show that a token is shared; a shared token may have very many.
        let judged = try JudgedCases(stored, by: basis) { try history.owners(of: $0, atMost: 2) }
        book = judged.cases
        owner = judged.owner
        evidence = (0..<book.count).map(book.evidence)
        records = try history.exceptions(ofCases: cases, except: [])
        let numbers = CaseNumbering(of: book, stored: stored).numbers
        let recorded = try history.verdicts(of: cases)
        var file = Case()
        for number in 0..<book.count {
            let caseID = numbers[number]
            judged.forEachSubject(of: number, in: &file) { subject, judgement, file in
                var judgement = judgement
                if let night = recorded[caseID]?.first(where: { $0.subject == judgement.subject }) {
                    judgement.follow(night)
                }
                subjects.append(
                    JudgedSubject(caseID: caseID, number: number, file: file, subject: subject, judgement: judgement))
            }
        }
        for index in subjects.indices {
            let finding = subjects[index]
            for id in finding.subject.transactions.map({ finding.file.transactions[$0].id }) {
                if let owner = try source.owner(of: id, besides: finding.judgement.owner) {
                    subjects[index].judgement.owner = owner
                    subjects[index].isOwnerDecided = source.handOuts[id]?.account == owner.text
                }
            }
        }
    }
}

extension Inquiry {
    /// The account that is asked about as the owner or, where no owner is known, that a lead named. Nil for neither.
    fileprivate func owner(of transaction: Identifier, besides known: Identifier?) throws -> Identifier? {
        if let presumed = presumedOwners[transaction] { return presumed }
        guard known == nil, let named = handOuts[transaction]?.account, try isAccount(named) else { return nil }
        return Identifier(named)
    }
}

extension Judgement {
    /// Takes the verdict on record. It may rest on what a single case does not show: a refused file, or a suggestion.
    fileprivate mutating func follow(_ night: StoredVerdict) {
        verdict = night.verdict
        cause = night.cause
        flags = night.flags
        // Newer rules may judge otherwise.
        if [.outOfScope, .closed, .matched].contains(verdict) { action = .none }
    }
}
