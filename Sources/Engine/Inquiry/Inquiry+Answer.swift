internal import Domain
internal import Exceptions
public import ReportData

extension Inquiry {
    /// How many subjects are shown.
    private static let subjectsMax = 50
    /// How many cases are judged, because an account may have bought for years.
    private static let casesMax = 500

    /// Everything known about an identifier, whatever it names.
    public func answer(_ text: String) throws -> LookupAnswer {
        var answer = LookupAnswer(identifier: text, covers: covers, knowsUpTo: run.horizon)
        answer.coverageGaps = coverageGaps
        let emailed = try history.transactions(ofEmailedOrder: text)
        let exception = try ExceptionID(text).flatMap(history.exception(id:))
        let query = LookupQuery(text, emailed: emailed)
        let cases = try casesInOrder(knowing: [text] + emailed.map(\.text), exception: exception)
        let inquiry = try CaseInquiry(self, cases: Set(cases.prefix(Self.casesMax)))
        var found = inquiry.subjects.filter { subject in
            exception?.caseID == subject.caseID && exception?.subject == subject.judgement.subject
        }
        if found.isEmpty { found = inquiry.holders(of: query, orCase: exception?.caseID) }
        found = inquiry.inOrderOfNeed(found, of: query)
        let shown = Array(found.prefix(Self.subjectsMax))
        let context = try Neighbourhood(of: shown, inquiry)
        answer.subjects = try shown.map { try inquiry.answer(of: $0, in: context) }
        // A question about an order is also a question about the purchase that may be its payment.
        let others = context.purchases(suggesting: shown, besides: inquiry)
        try answer.subjects.insert(contentsOf: others.map { try $0.answer(in: context) }, at: 0)
        let older = try history.verdicts(of: Set(cases.dropFirst(Self.casesMax))).values.reduce(0) { $0 + $1.count }
        answer.subjectsMore = max(0, found.count - Self.subjectsMax) + older
        let kinds = inquiry.kinds(of: query)
        answer.isPersonal = kinds.contains(.account) || kinds.contains(.token)
        if found.isEmpty {
            let named = emailed.map { NearIdentifier(kind: .transaction, id: $0.text) }
            answer.near = named.isEmpty ? try near(text) : named
        }
        return answer
    }

    /// The cases that may contain one of the texts. Those that must be looked at come first.
    private func casesInOrder(knowing texts: [String], exception: ExceptionRecord?) throws -> [CaseID] {
        var cases = try history.cases(knowing: texts)
        var ordered: [CaseID]
        if cases.count > Self.casesMax {
            // Most of them may only share a key with the text.
            let exact = try history.exactCases(cases, holding: texts)
            ordered = exact.recorded + exact.claimed
        } else {
            ordered = try history.inOrderOfNeed(cases)
        }
        if policy.tokenUse == .account {
            let tokens = try history.ownTokens(of: texts[0], in: Array(ordered.prefix(Self.casesMax)))
            cases = try history.cases(withTokens: tokens).subtracting(ordered)
            if !cases.isEmpty { ordered = try history.inOrderOfNeed(cases.union(ordered)) }
        }
        if let own = exception?.caseID { ordered = [own] + ordered.filter { $0 != own } }
        return ordered
    }
}
