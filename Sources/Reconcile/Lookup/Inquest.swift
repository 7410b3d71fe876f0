internal import Domain
internal import Ledger
internal import Matching
internal import Rules

/// Some cases of the ledger, judged as the last night judged them.
struct Inquest {
    /// One subject, and where its evidence lies.
    struct Finding {
        /// The ledger's number of the case.
        var caseNumber: Int64
        /// The book's.
        var number: Int
        var subject: Subject
        var judgement: Judgement
    }
    let books: OpenBooks
    let cases: Set<Int64>
    let book: CaseBook
    /// All copies, by the book's number of their case.
    let evidence: [Evidence]
    private(set) var subjects: [Finding] = []
    let entries: [BookEntry]
    /// Whose account each of the tokens is, where they are per account.
    private(set) var tokenBook = TokenBook()

    init(_ books: OpenBooks, cases: Set<Int64>) throws {
        self.books = books
        self.cases = cases
        let recalled = try books.ledger.recall(cases: cases)
        var tokens = TokenBook()
        if books.policy.tokenUse == .account {
            let carried =
                recalled.evidence.orders.compactMap(\.token) + recalled.evidence.transactions.compactMap(\.token)
            tokens = try TokenBook(ledger: books.ledger, tokens: Set(carried), atMost: 2)
        }
        tokenBook = tokens
        book = CaseBook(
            Copies(recalled.evidence, policy: books.policy), policy: books.policy, stored: recalled.stored,
            owner: tokens.owner)
        evidence = (0..<book.count).map(book.evidence)
        entries = try books.ledger.entries(ofCases: cases)
        var file = CaseFile()
        for number in 0..<book.count {
            book.load(number, into: &file)
            let caseNumber = book.ledgerCase(of: number, recalled)
            let kept = try books.ledger.verdicts(ofCase: caseNumber)
            for subject in Matching.subjects(
                of: file, policy: books.policy, horizon: books.horizon, owner: tokens.owner)
            {
                let facts = Facts(subject: subject, file: file, policy: books.policy, horizon: books.horizon)
                var judgement = judge(facts)
                if let night = kept.first(where: { $0.subject == judgement.subject }) { judgement.follow(night) }
                subjects.append(
                    Finding(caseNumber: caseNumber, number: number, subject: subject, judgement: judgement))
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

extension CaseBook {
    /// The ledger's number of a case that was recalled.
    fileprivate func ledgerCase(of number: Int, _ recalled: Recalled) -> Int64 {
        for (groups, cases) in [
            (orderGroups, recalled.orderCases), (creditGroups, recalled.creditCases),
            (transactionGroups, recalled.transactionCases), (receiptGroups, recalled.receiptCases),
        ] {
            if let position = groups[number].first { return cases[Int(position)] }
        }
        preconditionFailure("a case holds no evidence")
    }
}
