/// Identifiers that were looked up together, and what they may name.
struct LookupQuery {
    let texts: [String]
    private let ids: Set<Identifier>
    private let tokens: Set<Token>
    private let digests: Set<Digest256>
    /// The transactions that Apple names for them, if they are order ids of e-mails.
    private let emailed: Set<Identifier>

    init(_ texts: [String], emailed: [Identifier] = []) {
        self.texts = texts
        ids = Set(texts.map { Identifier($0) })
        tokens = Set(texts.compactMap { Token($0) })
        digests = Set(texts.compactMap { Digest256(hex: $0) })
        self.emailed = Set(emailed)
    }

    private func isNamed(_ id: Identifier?) -> Bool { id.map(ids.contains) ?? false }

    /// The rows that name one of the identifiers.
    func rows(of evidence: Evidence) -> Evidence {
        var names = NamedIdentifiers()
        func isAbout(_ row: some DescribedEvidence) -> Bool {
            names.read(row)
            return names.ids.contains { isNamed($0.id) || emailed.contains($0.id) } || isNamed(names.device)
                || names.token.map(tokens.contains) == true || names.content.map(digests.contains) == true
        }
        var found = Evidence()
        found.orders = evidence.orders.filter { isAbout($0) }
        found.credits = evidence.credits.filter { isAbout($0) }
        found.transactions = evidence.transactions.filter { isAbout($0) }
        found.receipts = evidence.receipts.filter { isAbout($0) }
        return found
    }

    /// What the identifier names in this evidence.
    func kinds(in evidence: Evidence) -> Set<LookupKind> {
        var kinds = Set<LookupKind>()
        var names = NamedIdentifiers()
        func note(_ kind: LookupKind, if isNamed: Bool) { if isNamed { kinds.insert(kind) } }
        func note(_ rows: [some DescribedEvidence]) {
            for row in rows {
                names.read(row)
                for (kind, id) in names.ids { note(LookupKind(kind), if: isNamed(id)) }
                // A transaction's own id comes before that of its original.
                let transaction = names.ids.first { $0.kind == .transaction }
                note(.emailedOrder, if: transaction.map { emailed.contains($0.id) } ?? false)
                note(.token, if: names.token.map(tokens.contains) ?? false)
                note(.receipt, if: names.content.map(digests.contains) ?? false)
                note(.device, if: isNamed(names.device))
            }
        }
        note(evidence.orders)
        note(evidence.credits)
        note(evidence.transactions)
        note(evidence.receipts)
        return kinds
    }

    /// Whether evidence of the subject contains the identifier, or it is the account that the goods belong to.
    func isHeld(by finding: CaseInquiry.JudgedSubject) -> Bool {
        isNamed(finding.judgement.owner) || !kinds(in: finding.evidence).isEmpty
    }

    /// The same without receipts, because a client decides what its receipts name.
    func isRecorded(of finding: CaseInquiry.JudgedSubject) -> Bool {
        var recorded = finding.evidence
        recorded.receipts = []
        return isNamed(finding.judgement.owner) || !kinds(in: recorded).isEmpty
    }
}
