internal import Matching

extension Inquiry {
    /// What the look-up says about the subjects of these exceptions, by the exception's id. Where a list shows it, a YES
    /// is read only after the purchase was opened.
    public func subjects(of records: [ExceptionRecord]) throws -> [ExceptionID: LookupSubject] {
        let inquiry = try CaseInquiry(self, cases: Set(records.map(\.caseID)))
        let wanted = Set(records.map(\.id))
        let found = inquiry.subjects.filter { inquiry.record(of: $0).map { wanted.contains($0.id) } ?? false }
        let context = try Neighbourhood(of: found, inquiry)
        let answers = try found.compactMap { finding in
            try inquiry.record(of: finding).map {
                ($0.id, try inquiry.answer(of: finding, in: context, isListed: true))
            }
        }
        return Dictionary(answers) { first, _ in first }
    }
}

extension CaseInquiry {
    /// What the identifier names in these cases.
    func kinds(of query: LookupQuery) -> Set<LookupKind> {
        evidence.reduce(into: []) { $0.formUnion(query.kinds(in: $1)) }
    }

    /// The subjects with evidence that contains the identifier. In a case where only superseded versions contain it:
    /// all subjects.
    /// - Parameter exceptions: the cases of the exceptions that were looked up.
    func holders(of query: LookupQuery, orCases exceptions: Set<CaseID>) -> [JudgedSubject] {
        var found: [JudgedSubject] = []
        for (number, group) in Dictionary(grouping: subjects, by: \.number) {
            let holders = group.filter(query.isHeld)
            let isKnown = exceptions.contains(group[0].caseID) || !query.kinds(in: evidence[number]).isEmpty
            found += holders.isEmpty && isKnown ? group : holders
        }
        return found
    }

    /// In order of relevance: subjects whose records by the backend or Apple contain the identifier come before those
    /// where only another account's receipt does; then those that need action before those that wait; then the newest
    /// first.
    func inOrderOfNeed(_ findings: [JudgedSubject], of query: LookupQuery) -> [JudgedSubject] {
        let recorded = findings.filter(query.isRecorded)
        let owners = Set(recorded.compactMap(\.judgement.owner))
        let own = Set(recorded.map(\.judgement.subject))
        let ranked = findings.map { finding in
            let judgement = finding.judgement
            let isOwn = own.contains(judgement.subject) || judgement.owner.map(owners.contains) == true
            return (finding, isOwn ? 0 : 1, judgement.need)
        }
        return ranked.ordered { left, right in
            if left.1 != right.1 { return left.1 < right.1 }
            if left.2 != right.2 { return left.2 < right.2 }
            let (mine, theirs) = (left.0.judgement, right.0.judgement)
            return (mine.anchor, mine.subject) > (theirs.anchor, theirs.subject)
        }.map(\.0)
    }

    /// The subject's exception; nil if it never had one.
    fileprivate func record(of finding: JudgedSubject) -> ExceptionRecord? {
        records.first { $0.caseID == finding.caseID && $0.subject == finding.judgement.subject }
    }

    /// What the look-up says about a subject.
    /// - Parameter isListed: its exception's history is not wanted.
    func answer(of finding: JudgedSubject, in context: Neighbourhood, isListed: Bool = false) throws -> LookupSubject {
        let (judgement, file) = (finding.judgement, finding.file)
        let history = source.history
        let record = record(of: finding)
        let evidence = evidence[finding.number]
        let files = try history.files(of: evidence.deliveries)
        var facts = ExceptionFacts(judgement, in: file, files: files)
        facts.setLabels(of: finding.subject, in: file)
        if let record, record.isOpen, record.verdict == judgement.verdict {
            facts.suggestedOrder = record.facts.suggestedOrder
            facts.action = record.facts.action
        }
        let retries = try retries(of: finding, record: record, transactions: Set(facts.transactions))
        let purchases = context.openPurchases(for: finding)
        let known = try SafetyFacts(finding, of: self, record: record, retries: retries, context)
        var answer = LookupSubject(facts: facts, safety: known.safety)
        // Number 1 of docs/spec/rules.md#safe-to-compensate.
        if answer.safety == .verdict, !purchases.isEmpty {
            answer.refuse(.purchaseOpen(ids(of: purchases)), evenIfRefused: true)
        }
        // Number 17.
        if answer.safety.isSafe, let reason = try rejection(of: finding, in: context) { answer.refuse(reason) }
        answer.owner = judgement.owner?.text
        answer.formerAccounts = finding.formerAccounts(among: evidence.orders, in: source.policy.zone)
        answer.isRenewal = finding.isRenewal(in: source.policy)
        answer.isOwned = context.hasOwned(finding)
        if let account = known.given?.account, !known.isOwnerDisputed {
            let named = [judgement.owner].compactMap { $0 } + finding.subject.position.credits.map(\.account)
            answer.givenToOther = named.first { $0.text != account }.map { (account, $0.text) }
        }
        if finding.isOwnerDecided { answer.givenByLead = known.given }
        if answer.needsOwner { answer.besidesOwner = try known.besidesOwner ?? rejection(of: finding, in: context) }
        answer.productName = judgement.product.flatMap {
            source.policy.products.name(of: $0, on: source.policy.zone.date(of: judgement.anchor))
        }
        answer.work = record.flatMap { source.work[$0.id] }
        if case .given(let handOut) = answer.safety {
            answer.isCreditOverdue = handOut.at + .days(1) < source.horizon.instant
        }
        let keys = Set(retries.map(\.key) + facts.transactions + [record?.id.text ?? ""])
        answer.decisions = source.decisions.filter { keys.contains($0.key) }
        answer.withdrawn = source.withdrawn.filter { keys.contains($0.decision.key) }
        answer.exception = try isListed ? nil : record.map { try LookupException($0, history) }
        answer.retries = retries.ordered { $0.key < $1.key }
        answer.timeline = evidence.timeline(of: finding.evidence, files: files, by: source.policy)
        answer.suggestedOrders = context.orders(for: finding).prefix(Self.candidatesMax).map(\.text)
        answer.openPurchases = ids(of: purchases)
        answer.orderlessPurchases = ids(of: context.orderlessPurchases(for: finding))
        return answer
    }

    /// The number of candidate orders or purchases that an answer names. An account can have any number of them, and a
    /// longer list does not help an agent.
    static let candidatesMax = 20

    private func ids(of purchases: [Neighbourhood.Member]) -> [String] {
        Array(purchases.map(\.finding.judgement.subject.id.text).ordered().prefix(Self.candidatesMax))
    }

    /// All retry entries about the subject, whatever became of its exception.
    private func retries(of finding: JudgedSubject, record: ExceptionRecord?, transactions: Set<String>) throws
        -> [RetryEntry]
    {
        let exceptions = Set(records.filter { $0.caseID == finding.caseID }.map(\.id))
        return try source.history.retryEntries(ofExceptions: exceptions).filter { retry in
            retry.exception == record?.id || retry.facts.transaction.map(transactions.contains) == true
        }
    }

    /// Notes what became of a payment that lacks its goods.
    func note(_ finding: JudgedSubject, in lost: inout LostPayments) throws {
        let (record, id) = (record(of: finding), finding.judgement.subject.id.text)
        if isWaived(record) { lost.add(waived: id) }
        let entries = try retries(of: finding, record: record, transactions: [id])
        if try entries.contains(where: source.history.mayHaveGiven) { lost.add(given: id) }
    }

    /// Also by a decision since the last night.
    fileprivate func isWaived(_ record: ExceptionRecord?) -> Bool {
        guard let record else { return false }
        return record.state == .waived
            || source.decisions.contains { $0.decidedAt != nil && $0.kind == .waive && $0.key == record.id.text }
    }

    /// Why rejected rows speak against giving the goods: one mentions the order, the transaction or the account, or may;
    /// or one mentions the transaction and an account that has goods which no payment accounts for. Nil without one.
    private func rejection(of finding: JudgedSubject, in context: Neighbourhood) throws -> LookupSafety? {
        var target = context.target(finding)
        let rows = try source.rejectedRows(since: finding.judgement.anchor)
        let claimants = rows.claimants(of: target.claimableIDs, since: target.since).subtracting([""])
        target.claimedOrders.formUnion(claimants)
        if let place = rows.place(speakingAgainst: target) { return .creditRejected(place) }
        if claimants.isEmpty { return nil }
        let around = try Neighbourhood(of: [finding], self, claimants: claimants)
        let credits = Set(around.creditsOnRecord(of: finding) + around.unplacedCredits(for: finding)).ordered()
        return credits.isEmpty ? nil : .creditUnplaced(credits)
    }
}

extension [LookupSubject] {
    /// Of payments of which one alone gets the goods, that one comes first.
    func servedFirst() -> Self {
        var subjects = self
        for subject in self {
            guard case .alreadyOwned(let ids) = subject.safety,
                let from = subjects.firstIndex(where: { $0.facts.transactions == subject.facts.transactions }),
                let to = subjects.lastIndex(where: { !Set(ids).isDisjoint(with: $0.facts.transactions) }), from < to
            else { continue }
            subjects.insert(subjects.remove(at: from), at: to)
        }
        return subjects
    }
}

extension Judgement {
    /// The smaller the number, the sooner the subject needs attention. A test purchase or a refund explains an order that
    /// waits for its payment, so it comes before that.
    var need: Int {
        switch verdict {
        case .outOfScope: 1
        case .closed: cause == .refunded ? 1 : 3
        case .waiting, .undetermined: 2
        case .matched: 3
        default: 0
        }
    }
}

extension SafetyFacts {
    fileprivate init(
        _ finding: CaseInquiry.JudgedSubject, of inquiry: CaseInquiry, record: ExceptionRecord?, retries: [RetryEntry],
        _ context: Neighbourhood
    ) throws {
        let (source, file, judgement, subject) = (inquiry.source, finding.file, finding.judgement, finding.subject)
        self.init(
            judgement: judgement,
            accounts: subject.accounts(in: file, isOwnerOnRecord: inquiry.isOwnerOnRecord(of: finding)),
            retries: retries, daysSinceLastNight: source.daysSinceLastNight,
            creditsMissing: judgement.mayPredateRecords
                ? source.dayBeforeRecords : source.creditsMissing(since: judgement.anchor),
            hasNewRules: source.hasNewRules)
        let decided = source.decisions.filter { $0.decidedAt != nil }
        isWaived = inquiry.isWaived(record)
        releasedKeys = Set(decided.filter { $0.kind == .release }.map(\.key))
        validKeys = Set(
            try retries.filter { entry in
                let run = try entry.lastEmitted.flatMap(source.history.run(of:))
                return run.map { $0.asOf + RetryRegister.validity > source.run.horizon } ?? false
            }.map(\.key))
        areCreditsRequired = source.feeds.contains { $0.kind == .credits && $0.isRequired }
        // Apple's record names an account only by its token, and nothing shows that it is the account whose receipt
        // came first.
        hasForeignToken = finding.token != nil && !inquiry.isOwnerOnRecord(of: finding)
        let next = context.replacement(of: finding)
        if next != nil { self.judgement.flags.insert(.refundReported) }
        if self.judgement.flags.contains(.refundReported) { refundSign = inquiry.refundSign(of: finding, next) }
        let refunded = context.refundedOrders(for: finding)
        if !refunded.isEmpty {
            self.judgement.flags.insert(.refundReported)
            if refundSign == .record { refundSign = .suggestedOrder(refunded.map(\.text)) }
        }
        isClaimed = context.isDisputed(finding)
        // Where a row says what the order's status says, the row alone is named.
        let credited = Set(file.credits.lazy.filter { $0.kind == .credit }.compactMap(\.order))
        let saysCredited = (subject.orders + subject.otherOrders).map { file.orders[$0] }.filter {
            $0.status == .credited && !credited.contains($0.id)
        }
        creditsOnRecord = Set(
            context.creditsOnRecord(of: finding) + saysCredited.map { Credit.id(impliedBy: $0.id).text }
                + subject.position.credits.map(\.id.text)
        ).ordered()
        unplacedCredits = context.unplacedCredits(for: finding)
        earlierPayments = context.earlierPayments(for: finding)
        recordsMissing = source.recordsMissing(since: judgement.anchor)
        isUnrecordedRenewal = finding.isUnrecordedRenewal(by: source.policy, in: context)
        let paidAt = subject.leading.map { file.transactions[$0].purchasedAt }
        (isGuarded, isRolledBack) = (source.isGuarded(judgement, paidAt: paidAt), source.isRolledBack)
        restoredAt = source.restoredAt.flatMap { at in
            judgement.anchor < at && source.run.horizon < at + RetryRegister.validity ? at : nil
        }
        var keys = Set(retries.filter { $0.facts.action == .credit }.map(\.key))
        let demand = RetryFacts(judgement, of: subject, in: file, policy: source.policy, horizon: source.horizon)
        if let demand { keys.insert(demand.key) }
        answers = try source.history.answers(to: keys)
        wasAnswered = try !source.history.answers(to: Set(retries.map(\.key))).isEmpty
        given = subject.transactions.compactMap { source.handOuts[file.transactions[$0].id] }.first
    }
}

extension CaseInquiry {
    /// What tells of a refund of the purchase, beside orders that are only suggested.
    /// - Parameter next: the period that replaced it.
    fileprivate func refundSign(of finding: JudgedSubject, _ next: ChainPeriod?) -> RefundSign {
        let (file, subject) = (finding.file, finding.subject)
        let plan = next.map {
            source.policy.products.name(of: $0.product, on: source.policy.zone.date(of: $0.purchasedAt))
                ?? $0.product.text
        }
        if subject.leading.map({ file.transactions[$0].isUpgraded }) == true { return .upgrade(plan) }
        let orders = (subject.orders + subject.otherOrders).map { file.orders[$0] }.filter { $0.status == .refunded }
        if !orders.isEmpty { return .order(orders.map(\.id.text).ordered()) }
        if subject.transactions.contains(where: { file.transactions[$0].marks.contains(.refunded) }) { return .record }
        // No flag of Apple's: the chain itself shows it.
        return plan.map { .upgrade($0) } ?? .record
    }

    /// Whether an order of the purchase, or its token, names the owner. Otherwise only a receipt does.
    fileprivate func isOwnerOnRecord(of finding: JudgedSubject) -> Bool {
        guard let owner = finding.judgement.owner else { return false }
        let orders = finding.subject.orders + finding.subject.otherOrders
        return orders.contains { finding.file.orders[$0].account == owner }
            || finding.token.map { self.owner($0) == .account(owner) } == true
    }
}

extension CaseInquiry.JudgedSubject {
    var token: Token? { subject.leading.flatMap { file.transactions[$0].token } }

    /// The other accounts in versions of its orders that carry the same token, or differ in nothing but the account.
    fileprivate func formerAccounts(among versions: [Order], in zone: Zone) -> [String] {
        let own = evidence.orders
        return Set(
            versions.filter { version in
                own.contains {
                    $0.id == version.id && $0.account != version.account
                        && (version.token != nil && $0.token == version.token || version.isSameRow(as: $0, in: zone))
                }
            }.map(\.account.text)
        ).ordered()
    }
}

extension LookupException {
    fileprivate init(_ record: ExceptionRecord, _ history: some InquiryHistory) throws {
        let state = try record.isOpen ? history.state(ofOpenException: record.id) : record.state
        self.init(
            id: record.id, state: state, firstSeen: record.firstSeen,
            history: try history.history(ofException: record.id))
    }
}
