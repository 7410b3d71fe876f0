internal import Domain
internal import Ledger
internal import Matching
internal import Reports

extension Inquest {
    /// What the identifier names here.
    func kinds(of sought: Sought) -> Set<LookupKind> {
        evidence.reduce(into: []) { $0.formUnion(sought.kinds(in: $1)) }
    }

    /// The subjects whose evidence holds it; where only copies that no longer count do, all of their case.
    func holders(of sought: Sought, orCase exception: Int64?) -> [Finding] {
        var found: [Finding] = []
        for (number, group) in Dictionary(grouping: subjects, by: \.number) {
            let file = book.file(of: number)
            let holders = group.filter { sought.isHeld(by: $0.judgement, in: file) }
            let isKnown = group[0].caseNumber == exception || !sought.kinds(in: evidence[number]).isEmpty
            found += holders.isEmpty && isKnown ? group : holders
        }
        return found
    }

    func answer(of finding: Finding) throws -> LookupSubject {
        let (judgement, file) = (finding.judgement, book.file(of: finding.number))
        let ledger = books.ledger
        let entry = entries.first { $0.caseFile == finding.caseNumber && $0.subject == judgement.subject }
        let evidence = evidence[finding.number]
        let names = try ledger.names(of: evidence.deliveries)
        var facts = ExceptionRow(judgement, in: file, files: names)
        if let entry, entry.isOpen, entry.verdict == judgement.verdict {
            facts.suggestedOrder = entry.facts.suggestedOrder
            facts.action = entry.facts.action
        }
        let exceptions = Set(entries.filter { $0.caseFile == finding.caseNumber }.map(\.id))
        let transactions = Set(facts.transactions)
        let retries = try ledger.retryEntries(ofExceptions: exceptions).filter { retry in
            retry.exception == entry?.id || retry.facts.transaction.map(transactions.contains) == true
        }
        var answer = LookupSubject(
            facts: facts, safety: safety(of: finding, in: file, retries: retries))
        answer.owner = judgement.owner?.text
        answer.exception = try entry.map { try LookupException($0, ledger: ledger) }
        answer.retries = retries.sorted { $0.key < $1.key }
        answer.timeline = evidence.timeline(of: judgement, in: file, names: names)
        return answer
    }

    private func safety(of finding: Finding, in file: CaseFile, retries: [RetryEntry]) -> LookupSafety {
        let subject = finding.subject
        var accounts = Set((subject.orders + subject.otherOrders).map { file.orders[$0].account })
        for receipt in subject.receipts where file.receipts[receipt].vouchesForItsClaim {
            accounts.insert(file.receipts[receipt].account)
        }
        return SafetyFacts(
            judgement: finding.judgement, accounts: accounts, retries: retries, businessDate: books.run.businessDate,
            daysSinceLastNight: books.daysSinceLastNight,
            creditsMissing: books.creditsMissing(since: finding.judgement.anchor), hasNewRules: books.hasNewRules
        ).safety
    }
}

extension LookupException {
    fileprivate init(_ entry: BookEntry, ledger: Ledger) throws {
        let history = try ledger.history(ofException: entry.id).map { step in
            var shown = Step(date: step.date, state: step.state, verdict: step.verdict, cause: step.cause)
            shown.amount = step.amount.map(Amount.init)
            shown.by = step.by
            shown.at = step.at
            shown.note = step.note
            return shown
        }
        self.init(id: entry.id, state: entry.state, firstSeen: entry.firstSeen, history: history)
    }
}
