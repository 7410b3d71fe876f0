internal import Domain
internal import Ledger
internal import Reports

extension OpenBooks {
    /// So many subjects are shown, and so many cases looked into: an account may have bought for years.
    private static let subjectsMax = 50
    private static let casesMax = 500

    /// All that is known by an identifier, whatever it names.
    func answer(_ text: String) throws -> LookupAnswer {
        var answer = LookupAnswer(identifier: text, covers: covers, knowsUpTo: run.horizon)
        answer.blindSpots = blindSpots
        let emailed = try ledger.transactions(ofEmailedOrder: text)
        let exception = try ledger.entry(id: text)
        let sought = Sought(text, emailed: emailed)
        let cases = try ledger.cases(knowing: [text] + emailed.map(\.text)).union(exception.map { [$0.caseFile] } ?? [])
        let newest = cases.sorted(by: >)
        let inquest = try Inquest(self, cases: Set(newest.prefix(Self.casesMax)))
        var found = inquest.subjects.filter { subject in
            exception?.caseFile == subject.caseNumber && exception?.subject == subject.judgement.subject
        }
        if found.isEmpty { found = inquest.holders(of: sought, orCase: exception?.caseFile) }
        found.sort { ($0.judgement.anchor, $0.judgement.subject) > ($1.judgement.anchor, $1.judgement.subject) }
        answer.subjects = try found.prefix(Self.subjectsMax).map { try inquest.answer(of: $0) }
        let older = try newest.dropFirst(Self.casesMax).reduce(0) { try $0 + ledger.verdicts(ofCase: $1).count }
        answer.subjectsMore = max(0, found.count - Self.subjectsMax) + older
        let kinds = inquest.kinds(of: sought)
        answer.isPersonal = kinds.contains(.account) || kinds.contains(.token)
        if found.isEmpty {
            let named = emailed.map { NearIdentifier(kind: .transaction, id: $0.text) }
            answer.near = named.isEmpty ? try near(text) : named
        }
        return answer
    }
}
