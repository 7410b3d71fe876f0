extension Inquiry {
    /// How many subjects are shown.
    static let subjectsMax = 50
    /// How many cases are judged, because an account may have bought for years.
    private static let casesMax = 500
    /// How many of the newest cases are searched for what has no index, which takes some hundredths of a second.
    static let newestCases = 50_000

    /// - Parameter asker: one account. Nil: the account in the text that a label calls an account, or the only one on
    ///   record, if the text names something else on record.
    /// - Parameter others: further accounts of the customer, which are on record.
    func answers(
        to text: String, from asker: String?, and others: [String] = [], mayBrowse: Bool, pasted: PastedRecord?
    ) throws -> [LookupAnswer] {
        var pasted = pasted
        // A client's log may be JSON, too.
        if pasted?.transactions.isEmpty == true, try !knownTexts(TypedText(text), nil).isUnknown { pasted = nil }
        let typed = TypedText(pasted?.message ?? text)
        var known = try knownTexts(typed, pasted)
        let named = try asker.flatMap(account(asking:)) ?? labelled(typed, beside: known)
        let asker = named ?? known.asker
        let askers = (asker.map { [$0] } ?? []) + others
        let namesSomething = typed.namesSomething || !PartOfIdentifier.parts(in: typed.beginning).isEmpty
        if let asker, known.isUnknown, !namesSomething, try isAccount(asker) {
            // The message has no id, but the agent named the account beside it.
            known = KnownTexts(texts: askers)
        }
        let listed = pasted == nil && !known.isWhole ? TypedText.list(in: text) : []
        // Words of another script make a message, unless they are ids.
        let isList = try listed.allSatisfy { word in
            try word.utf8.allSatisfy { $0 < 0x80 } || !firstKnown(of: [TypedText(word).whole]).isEmpty
        }
        var answers: [LookupAnswer]
        if listed.isEmpty || !isList {
            answers = [try answer(text, typed, known, askers: askers, mayBrowse: mayBrowse, pasted: pasted)]
        } else {
            answers = try listed.map { word in
                let typed = TypedText(word)
                return try answer(
                    word, typed, knownTexts(typed, nil), askers: askers, mayBrowse: mayBrowse, pasted: nil)
            }
            answers = (0...2).flatMap { rank in answers.filter { $0.rank == rank } }
            if asker == nil { answers[0].ownersBeside = answers.reduce(into: []) { $0.formUnion($1.accounts) } }
        }
        if named == nil {
            for index in answers.indices { answers[index].doubt(strays: typed, besides: known.texts, policy.zone) }
        }
        try answers[0].noteAccount(asker, in: typed, isUnknown: known.isUnknown, of: self)
        if pasted != nil { return answers }
        // Customers copy wrong ids. The purchase that they miss may be another one of who asks, or of the ids' owner.
        let owners = Set(answers.flatMap(\.subjects).compactMap(\.owner))
        let typedAccounts = try known.texts.filter(isAccount)
        let only = typedAccounts.isEmpty ? Array(owners) : typedAccounts
        let accounts = try (asker == nil ? only.count == 1 ? only : [] : askers).filter(isAccount)
        let lacking = accounts.filter { !known.texts.contains($0) }
        if !lacking.isEmpty, answers.count == 1, !known.isWhole, !known.isUnknown,
            !answers[0].subjects.contains(where: \.isDescribed),
            !description(in: text, besides: known.texts).isEmpty
        {
            known.texts += lacking
            var wider = try answer(text, typed, known, askers: askers, mayBrowse: mayBrowse, pasted: nil)
            if named == nil { wider.doubt(strays: typed, besides: known.texts, policy.zone) }
            let fits = wider.route.map { ![.nothingFits, .namedDiffers, .outsideRecords].contains($0) } ?? true
            if wider.described != nil, fits { answers = [wider] }
        }
        for account in accounts { try answers[0].addLost(of: account, besides: answers, in: self) }
        return answers
    }

    /// The identifiers that `answers` would answer one by one: those of a text that is nothing but a list.
    public static func identifiers(listedIn text: String) -> [String] { TypedText.list(in: text) }

    /// Everything known about an identifier, whatever it names, or about the identifiers of a message.
    public func answer(_ text: String) throws -> LookupAnswer {
        let typed = TypedText(text)
        return try answer(text, typed, knownTexts(typed, nil), askers: [], mayBrowse: true, pasted: nil)
    }

    private func answer(
        _ text: String, _ typed: TypedText, _ known: KnownTexts, askers: [String], mayBrowse: Bool,
        pasted: PastedRecord?
    ) throws -> LookupAnswer {
        var answer = newAnswer(to: text)
        (answer.asker, answer.otherAskers, answer.pasted) = (askers.first, Array(askers.dropFirst()), pasted)
        if known.texts != [text] { answer.readAs = known.texts }
        let emailed = try known.texts.flatMap(history.transactions(ofEmailedOrder:))
        let exceptions = try known.texts.compactMap(exception(named:))
        let query = LookupQuery(known.texts, emailed: emailed)
        var cases = try casesInOrder(
            knowing: known.texts, emailed: emailed.map(\.text), besides: known.cases, exceptions: exceptions)
        // An id alone describes nothing.
        let described =
            known.isWhole || known.isUnknown || pasted != nil ? nil : description(in: text, besides: known.texts)
        answer.described = described?.isEmpty == true ? nil : described
        if let described = answer.described {
            let fitting = Set(try self.cases(fitting: described, on: usualDays(of: described)).cases)
            // What must be looked at is among the first, whether it fits or not.
            let (open, others) = (Array(cases.prefix(Self.subjectsMax)), cases.dropFirst(Self.subjectsMax))
            cases = open + others.filter(fitting.contains) + others.filter { !fitting.contains($0) }
        }
        let inquiry = try CaseInquiry(self, cases: Set(cases.prefix(Self.casesMax)))
        var found = inquiry.inOrderOfNeed(inquiry.subjects(of: query, exceptions), of: query)
        let fitting = answer.described.map { nearest($0, of: found, in: inquiry) } ?? []
        let ids = try known.texts.filter { try !isAccount($0) }
        let named = Set(inquiry.subjects(of: LookupQuery(ids, emailed: emailed), exceptions).map(\.subjectID))
        if !fitting.isEmpty {
            let first = Set(fitting.map(\.subjectID))
            let others = found.filter { !first.contains($0.subjectID) }
            let isNamed = { (finding: CaseInquiry.JudgedSubject) in named.contains(finding.subjectID) }
            found = fitting + others.filter(isNamed) + others.filter { !isNamed($0) }
        }
        answer.note(unclear: described?.unclearDates ?? [], besides: found.map(\.judgement.anchor), in: policy.zone)
        try answer.show(found, of: inquiry, max: Self.subjectsMax)
        try answer.compareOwners(withAccount: known.texts, of: query, in: inquiry)
        let older = try history.verdicts(of: Set(cases.dropFirst(Self.casesMax))).values.flatMap(\.self)
        answer.subjectsMore += older.count
        answer.openMore += older.filter(\.verdict.isException).map { _ in nil }
        answer.isPersonal = !inquiry.kinds(of: query).isDisjoint(with: [.account, .token, .device])
        try answer.addRejectedRow(of: found, or: rejectedRow(for: answer, typed, besides: known.texts), in: self)
        if found.isEmpty {
            answer.readAs = []
            answer.wholeID = typed.wholeIdentifier
            let named = emailed.map { NearIdentifier(kind: .transaction, id: $0.text) }
            if named.isEmpty, pasted == nil { try answer.search(typed, in: self, mayBrowse: mayBrowse) }
            if answer.isFound || answer.route != nil { return answer }
            answer.near += named.isEmpty && pasted == nil ? try near(typed) : named
            answer.route = try named.isEmpty ? route(typed, pasted) : nil
        }
        let asked = answer.described
        answer.compareWithMessage(
            fitting: fitting.map(\.subjectID), named: named, isOutside: asked.map(isOutside) == true,
            hasWords: hasWords(besides: known.texts, in: pasted == nil ? text : pasted?.message ?? ""))
        let others = isMeant(found, fitting: fitting, named: named) ? nil : asked
        try answer.addUnowned(
            fitting: others, of: askers.isEmpty ? known.texts : askers, in: self, mayBrowse: mayBrowse)
        if pasted == nil, !known.isWhole { answer.note(unrecorded: typed.unrecorded(besides: known.texts + askers)) }
        return answer
    }

    /// Whether the message is about one of these alone: it names one that is lost or fits, or one fits that needs a look.
    private func isMeant(
        _ found: [CaseInquiry.JudgedSubject], fitting: [CaseInquiry.JudgedSubject], named: Set<String>
    ) -> Bool {
        fitting.contains { $0.judgement.need < 3 || named.contains($0.subjectID) }
            || found.contains { named.contains($0.subjectID) && $0.judgement.verdict == .paidNotCredited }
    }

    /// Those of the findings that fit: those that need action first, then the nearest to the time.
    private func nearest(
        _ asked: PurchaseDescription, of found: [CaseInquiry.JudgedSubject], in inquiry: CaseInquiry
    ) -> [CaseInquiry.JudgedSubject] {
        let fitting = Set(subjects(of: inquiry, fitting: asked, on: asked.days ?? covers).map(\.subjectID))
        return found.filter { fitting.contains($0.subjectID) }.enumerated().map { number, finding in
            (finding.judgement.need, asked.distance(from: finding.judgement.anchor, in: policy.zone), number, finding)
        }.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.map(\.3)
    }

    /// What a text names.
    private struct KnownTexts {
        /// The identifiers meant that are on record; if none is, the text as typed.
        var texts: [String]
        /// The cases that nothing but a device id finds.
        var cases: Set<CaseID> = []
        /// The text as a whole is one identifier on record.
        var isWhole = false
        /// The account, if the text names one account and something else.
        var asker: String?
        /// Nothing that the text names is on record.
        var isUnknown = false
    }

    private func knownTexts(_ typed: TypedText, _ pasted: PastedRecord?) throws -> KnownTexts {
        if let pasted { return KnownTexts(texts: Array(pasted.transactions.prefix(Self.subjectsMax))) }
        if let known = try firstKnown(of: [typed.whole] + hyphened(typed.isOne ? [typed.core] : [])).first {
            return KnownTexts(texts: [known], isWhole: true)
        }
        if typed.isOne, let account = try accounts(alike: [typed.core]).first {
            return KnownTexts(texts: [account], isWhole: true)
        }
        var known = try firstKnown(of: typed.runs)
        // A number that was broken over two lines. Its parts are no identifiers.
        known += try firstKnown(of: typed.broken(besides: Set(known)))
        let runs = (typed.runs + typed.broken(besides: Set(known))).compactMap(\.first)
        known += try firstKnown(of: hyphened(runs)).filter { !known.contains($0) }
        known += try typed.wordAccounts.filter { try !known.contains($0) && isAccount($0) }
        let others = typed.runs.filter { Set($0).isDisjoint(with: known) }.compactMap(\.first)
        known += try accounts(alike: others).filter { !known.contains($0) }
        if !known.isEmpty {
            let accounts = try known.filter(isAccount)
            if known.count == accounts.count { known += try roundedIDs(in: typed, of: accounts) }
            let asker = accounts.count == 1 && known.count > 1 ? accounts[0] : nil
            return KnownTexts(texts: known, asker: asker)
        }
        if let account = try groupedAccount(in: typed) { return KnownTexts(texts: [account]) }
        for device in typed.devices {
            let cases = try history.cases(ofDevices: [device], casesMax: Self.newestCases)
            if !cases.isEmpty { return KnownTexts(texts: [device], cases: cases) }
        }
        return KnownTexts(texts: [typed.whole[0]], isUnknown: true)
    }

    /// The account, on record or not, that a label in the text names, if there is nothing else on record or something else
    /// than the account. Nil if labels name none or several.
    private func labelled(_ typed: TypedText, beside known: KnownTexts) throws -> String? {
        if known.isUnknown { return try typed.accounts.count == 1 ? typed.accounts.first { try !isMistyped($0) } : nil }
        let named = try (typed.accounts + typed.wordAccounts.filter(isAccount)).filter { text in
            let spellings = TypedText(text).whole
            let onRecord = try firstKnown(of: [spellings])
            return try onRecord.isEmpty
                ? Set(spellings).isDisjoint(with: known.texts) : onRecord.allSatisfy(isAccount)
        }
        let accounts = Set(try named.map(account(typed:)))
        return accounts.count == 1 && Set(known.texts) != accounts ? accounts.first : nil
    }

    /// Of each identifier's spellings, the first that is on record. Each once.
    private func firstKnown(of identifiers: [[String]]) throws -> [String] {
        let cases = try history.cases(knowing: identifiers.flatMap(\.self))
        let known = try identifiers.compactMap { spellings in
            try spellings.first { text in
                if try exception(named: text) != nil || !history.transactions(ofEmailedOrder: text).isEmpty {
                    return true
                }
                return try !cases.isEmpty && history.isKnown(text, in: history.cases(knowing: [text]))
            }
        }
        return known.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    func isAccount(_ text: String) throws -> Bool {
        try history.isAccount(text, in: history.cases(knowing: [text]))
    }

    /// The exception with this id, or of the retry entry with this key.
    private func exception(named text: String) throws -> ExceptionRecord? {
        if let id = ExceptionID(text) { return try history.exception(id: id) }
        guard text.hasPrefix("R"), text.utf8.count == 33 else { return nil }
        return try history.retryEntries(ofKeys: [text]).first.flatMap { try history.exception(id: $0.exception) }
    }

    var staleness: LookupStaleness? {
        LookupStaleness(of: run.businessDate, end: run.horizon, now: now, zone: policy.zone)
    }

    /// What the agent can do about a text that is not known.
    fileprivate func route(_ typed: TypedText, _ pasted: PastedRecord? = nil) throws -> LookupRoute {
        if let pasted { return pasted.transactions.isEmpty ? .pastedUnreadable : .pastedUnknown }
        if try typed.all.contains(where: history.isUnknownToApple) { return .appleDenied }
        if typed.emailedOrder != nil { return .appleOrder }
        if PartOfIdentifier.isRounded(typed.beginning) { return .rounded }
        return typed.namesSomething ? .unknown : .noIdentifier
    }

    /// The cases that may contain one of the texts. Those that must be looked at come first.
    func casesInOrder(
        knowing known: [String], emailed: [String], besides others: Set<CaseID>, exceptions: [ExceptionRecord]
    ) throws -> [CaseID] {
        let (texts, others) = (known + emailed, try others.union(casesGiven(to: known)))
        var cases = try history.cases(knowing: texts).union(others)
        var ordered: [CaseID]
        if cases.count > Self.casesMax {
            // Most of them may only share a key with the text.
            let exact = try history.exactCases(cases, holding: texts)
            ordered = exact.recorded + exact.claimed + others.subtracting(exact.recorded + exact.claimed).ordered(by: >)
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
    /// Searches for what has no whole id on record: by a part of an id, else by a description.
    fileprivate mutating func search(_ typed: TypedText, in source: Inquiry, mayBrowse: Bool) throws {
        route = rejectedRow == nil ? nil : .rowRejected
        if route != nil { return }
        try findPart(of: typed, in: source, mayBrowse: mayBrowse)
        if try isFound || !near.isEmpty || !mayBrowse || !source.accounts(alike: [typed.core], areSeveral: true).isEmpty
        {
            return
        }
        // What looked like a part of an id may have been another number.
        let asked = source.description(in: identifier)
        if asked.isEmpty { return }
        try find(asked, in: source)
        near += try source.pairedAccounts(in: typed)
        let strays = try source.newestAccounts().compactMap { typed.stray(like: $0, besides: []) }
        let account = try strays.contains(where: source.isAccount) ? nil : strays.first
        if let id = typed.wholeIdentifier ?? account { unknown = (id, try source.route(typed)) }
    }

    /// Marks what the message is about. If nothing on record fits it, or its ids belong to several customers, the text for
    /// the customer says nothing about the purchases found. Another account's purchase never fits.
    /// - Parameter named: what ids in the message name. If goods of it are missing, it is what the message is about.
    fileprivate mutating func compareWithMessage(fitting: [String], named: Set<String>, isOutside: Bool, hasWords: Bool)
    {
        let own = subjects.filter { $0.belongsToAsker != false }
        let others = subjects.filter { $0.belongsToAsker == false }
        let fitting = fitting.filter { id in !others.contains { $0.facts.transactions.contains(id) } }
        let isComplete = own.allSatisfy { $0.facts.verdict == .matched }
        if fitting.isEmpty, own.isEmpty || !named.isEmpty && !isComplete { described = nil }
        func isNamed(_ subject: LookupSubject) -> Bool {
            !named.isDisjoint(with: subject.facts.transactions + subject.facts.orders)
        }
        // What the message names is answered before what the customer has anyway.
        if fitting.isEmpty, isComplete, !own.contains(where: isNamed) {
            subjects = others.filter(isNamed) + own + others.filter { !isNamed($0) }
        }
        if described != nil, fitting.isEmpty {
            route = isOutside ? .outsideRecords : own.contains(where: isNamed) ? .namedDiffers : .nothingFits
        }
        let isUnclear = route != nil || owners.count > 1 || !unclearDates.isEmpty
        // Without a time, a message about one of many purchases names none.
        let most = described?.arounds.isEmpty == false || fitting.count <= Self.describedMax ? Self.describedMax : 0
        let meant = Set(fitting.prefix(most))
        let text = pasted?.message ?? identifier
        let isMessage = text.contains { $0.isWhitespace || !$0.isASCII }
        let message = isMessage ? statements(in: text) : ""
        let isDisputed = disputesPayment(message)
        let isAboutCharge =
            isDisputed || message.contains(complaintAboutCharge) || comparedPrices(in: message) != nil
            || isAboutPrice(message)
        for index in subjects.indices {
            (subjects[index].isAboutCharge, subjects[index].isDisputed) = (isAboutCharge, isDisputed)
            subjects[index].hasWordsBesideIDs = hasWords
            if isUnclear { subjects[index].isUnproven = true }
            subjects[index].isDescribed = !meant.isDisjoint(with: subjects[index].facts.transactions)
        }
    }

    /// How many purchases are shown in full because they fit.
    private static let describedMax = 3

    /// Adds the first of the subjects found, and the purchases that may be the payment of their orders.
    mutating func show(_ found: [CaseInquiry.JudgedSubject], of inquiry: CaseInquiry, max: Int) throws {
        let (shown, rest) = found.most(max)
        let context = try Neighbourhood(of: shown, inquiry)
        subjects = try shown.map { try inquiry.answer(of: $0, in: context) }.servedFirst()
        // A question about an order is also a question about the purchase that may be its payment.
        let others = context.purchases(suggesting: shown, outside: inquiry)
        try subjects.insert(contentsOf: others.prefix(max).map { try $0.answer(in: context) }, at: 0)
        subjectsMore += Swift.max(0, others.count - max) + rest.count
        openMore += rest.filter(\.judgement.verdict.isException).map(\.judgement.amount)
        compareOwners()
    }

    private mutating func compareOwners() {
        if asker == nil { return }
        for index in subjects.indices { subjects[index].compare(with: askers) }
        subjects = subjects.filter { $0.belongsToAsker != false } + subjects.filter { $0.belongsToAsker == false }
    }

    /// An account that is the only text known asks, where another account's purchase is among what was found.
    fileprivate mutating func compareOwners(withAccount texts: [String], of query: LookupQuery, in inquiry: CaseInquiry)
        throws
    {
        guard asker == nil, pasted == nil, texts.count == 1, try inquiry.source.isAccount(texts[0]),
            inquiry.kinds(of: query).isSubset(of: [.account, .token]),
            subjects.contains(where: { $0.belongs(to: texts[0]) == false })
        else { return }
        asker = texts[0]
        compareOwners()
    }
}

extension [CaseInquiry.JudgedSubject] {
    /// The first ones, at most so many, in their order; and the rest. What needs action is the last to go into the rest.
    fileprivate func most(_ max: Int) -> (first: Self, rest: Self) {
        let kept = Set(
            indices.sorted { (self[$0].judgement.need > 2 ? 1 : 0, $0) < (self[$1].judgement.need > 2 ? 1 : 0, $1) }
                .prefix(max))
        return (indices.filter(kept.contains).map { self[$0] }, indices.filter { !kept.contains($0) }.map { self[$0] })
    }
}

extension CaseInquiry {
    /// The subjects of the exceptions, and those with evidence that contains an identifier. One exception's id means
    /// this exception alone.
    fileprivate func subjects(of query: LookupQuery, _ exceptions: [ExceptionRecord]) -> [JudgedSubject] {
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
