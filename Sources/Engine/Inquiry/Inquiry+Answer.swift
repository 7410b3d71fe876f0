extension Inquiry {
    /// How many subjects are shown.
    private static let subjectsMax = 50
    /// How many cases are judged, because an account may have bought for years.
    private static let casesMax = 500
    /// How many of the newest cases are searched for what has no index, which takes some hundredths of a second.
    static let newestCases = 50_000

    /// Everything known about an identifier, whatever it names.
    /// - Parameter pasted: what the record says, if `text` is a pasted record instead of an identifier.
    public func answer(_ text: String, pasted: PastedRecord? = nil) throws -> LookupAnswer {
        let typed = TypedText(pasted == nil ? text : "")
        let known = try knownTexts(typed, pasted)
        var answer = LookupAnswer(identifier: text, covers: covers, knowsUpTo: run.horizon)
        answer.coverageGaps = coverageGaps
        answer.staleness = staleness
        answer.pasted = pasted
        if known.texts != [text] { answer.readAs = known.texts }
        let emailed = try known.texts.flatMap(history.transactions(ofEmailedOrder:))
        let exceptions = try known.texts.compactMap(exception(named:))
        let query = LookupQuery(known.texts, emailed: emailed)
        let cases = try casesInOrder(
            knowing: known.texts, emailed: emailed.map(\.text), besides: known.cases, exceptions: exceptions)
        let inquiry = try CaseInquiry(self, cases: Set(cases.prefix(Self.casesMax)))
        let found = inquiry.inOrderOfNeed(inquiry.subjects(of: query, exceptions), of: query)
        try answer.show(found, of: inquiry, max: Self.subjectsMax)
        let older = try history.verdicts(of: Set(cases.dropFirst(Self.casesMax))).values.reduce(0) { $0 + $1.count }
        answer.subjectsMore += max(0, found.count - Self.subjectsMax) + older
        answer.isPersonal = !inquiry.kinds(of: query).isDisjoint(with: [.account, .token, .device])
        if found.isEmpty {
            let named = emailed.map { NearIdentifier(kind: .transaction, id: $0.text) }
            answer.near = named.isEmpty && pasted == nil ? try near(typed) : named
            answer.route = try named.isEmpty ? route(typed, pasted) : nil
            answer.readAs = []
        }
        return answer
    }

    /// The identifiers meant that are on record; if none is, the text as typed. With them the cases that nothing but a
    /// device id finds.
    private func knownTexts(_ typed: TypedText, _ pasted: PastedRecord?) throws -> (texts: [String], cases: Set<CaseID>)
    {
        if let pasted { return (Array(pasted.transactions.prefix(Self.subjectsMax)), []) }
        let cases = try history.cases(knowing: typed.all)
        func isKnown(_ text: String) throws -> Bool {
            if try exception(named: text) != nil || !history.transactions(ofEmailedOrder: text).isEmpty { return true }
            guard !cases.isEmpty else { return false }
            return try history.isKnown(text, in: history.cases(knowing: [text]))
        }
        if let known = try typed.whole.first(where: isKnown) { return ([known], []) }
        let known = try typed.runs.compactMap { try $0.first(where: isKnown) }
        if !known.isEmpty { return (known.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }, []) }
        let devices = [typed.core, typed.core.uppercased(), typed.core.lowercased()].filter { $0.utf8.count >= 8 }
        for device in devices {
            let cases = try history.cases(ofDevices: [device], casesMax: Self.newestCases)
            if !cases.isEmpty { return ([device], cases) }
        }
        return ([typed.whole[0]], [])
    }

    /// The exception with this id, or of the retry entry with this key.
    private func exception(named text: String) throws -> ExceptionRecord? {
        if let id = ExceptionID(text) { return try history.exception(id: id) }
        guard text.hasPrefix("R"), text.utf8.count == 33 else { return nil }
        return try history.retryEntries(ofKeys: [text]).first.flatMap { try history.exception(id: $0.exception) }
    }

    /// Nil if the last night ended less than 36 hours ago.
    private var staleness: LookupStaleness? {
        let age = now.milliseconds - run.horizon.milliseconds
        guard age >= Milliseconds.hours(36).count else { return nil }
        return LookupStaleness(date: run.businessDate, days: daysSinceLastNight)
    }

    /// What the agent can do about a text that is not known.
    private func route(_ typed: TypedText, _ pasted: PastedRecord?) throws -> LookupRoute {
        if let pasted { return pasted.transactions.isEmpty ? .pastedUnreadable : .pastedUnknown }
        if try typed.all.contains(where: history.isUnknownToApple) { return .appleDenied }
        if typed.emailedOrder != nil { return .appleOrder }
        return typed.namesSomething ? .unknown : .noIdentifier
    }

    /// The cases that may contain one of the texts. Those that must be looked at come first.
    private func casesInOrder(
        knowing known: [String], emailed: [String], besides others: Set<CaseID>, exceptions: [ExceptionRecord]
    ) throws -> [CaseID] {
        let texts = known + emailed
        var cases = try history.cases(knowing: texts).union(others)
        var ordered: [CaseID]
        if cases.count > Self.casesMax {
            // Most of them may only share a key with the text.
            let exact = try history.exactCases(cases, holding: texts)
            ordered = exact.recorded + exact.claimed + others.subtracting(exact.recorded + exact.claimed).sorted(by: >)
        } else {
            ordered = try history.inOrderOfNeed(cases)
        }
        if policy.tokenUse == .account {
            let own = Array(ordered.prefix(Self.casesMax))
            let tokens = try known.reduce(into: Set<Token>()) { try $0.formUnion(history.ownTokens(of: $1, in: own)) }
            cases = try history.cases(withTokens: tokens).subtracting(ordered)
            if !cases.isEmpty { ordered = try history.inOrderOfNeed(cases.union(ordered)) }
        }
        let own = exceptions.map(\.caseID)
        if !own.isEmpty { ordered = own + ordered.filter { !own.contains($0) } }
        return ordered
    }
}

extension LookupAnswer {
    /// Adds the first of the subjects found, and the purchases that may be the payment of their orders.
    fileprivate mutating func show(_ found: [CaseInquiry.Finding], of inquiry: CaseInquiry, max: Int) throws {
        let shown = Array(found.prefix(max))
        let context = try Neighbourhood(of: shown, inquiry)
        subjects = try shown.map { try inquiry.answer(of: $0, in: context) }
        // A question about an order is also a question about the purchase that may be its payment.
        let others = context.purchases(suggesting: shown, outside: inquiry)
        try subjects.insert(contentsOf: others.prefix(max).map { try $0.answer(in: context) }, at: 0)
        subjectsMore += Swift.max(0, others.count - max)
    }
}

extension CaseInquiry {
    /// The subjects of the exceptions, and those with evidence that contains an identifier. One exception's id means
    /// this exception alone.
    fileprivate func subjects(of query: LookupQuery, _ exceptions: [ExceptionRecord]) -> [Finding] {
        let own = subjects.filter { subject in
            exceptions.contains { $0.caseID == subject.caseID && $0.subject == subject.judgement.subject }
        }
        if !own.isEmpty, query.texts.count == 1 { return own }
        let known = Set(own.map(\.judgement.subject))
        return own
            + holders(of: query, orCases: Set(exceptions.map(\.caseID))).filter {
                !known.contains($0.judgement.subject)
            }
    }
}
