public import Matching
internal import Rules

/// One subject's verdict, and where its case is.
public struct SubjectVerdict: Sendable {
    /// The verdict as the history keeps it.
    public var stored: StoredVerdict
    /// The index of the subject's case in its `CaseSet`.
    public var caseIndex: Int32

    /// Whether the next night must judge the subject's case again.
    fileprivate var keepsCaseOpen: Bool { stored.verdict.isException || !stored.verdict.isFinal }
}

/// The verdicts of some cases, and what else judging them brought to light.
public struct Verdicts: Sendable {
    /// All subjects, in the order of their cases, then in each case's order.
    public var all: [SubjectVerdict] = []
    /// What judging found, without what only the whole set of cases shows: see `Findings.init`. Observations are in the
    /// order of `all`.
    var findings = Findings()
    /// The position in `all` of each observation's subject.
    var observedPositions: [Int] = []
    /// The index of the case of each unlinked purchase.
    private(set) var casesOfPurchases: [Int32] = []
    /// The index of the case of each unlinked order.
    private(set) var casesOfOrders: [Int32] = []
    /// The index of the case of each stray credit.
    private(set) var casesOfCredits: [Int32] = []
    /// The indices of cases that rely on an implicit credit of a day whose credits file is missing or not yet due.
    private(set) var awaitingCredits: [Int32] = []
    /// For the guard: when each purchase that it counts apart was made, and where it counts it.
    var suspects: [(purchasedAt: Instant, part: DateCounts)] = []

    /// Appends the verdicts of other cases.
    /// - Parameter offset: is added to the case indices of `other`.
    mutating func append(_ other: Verdicts, caseOffset offset: Int32 = 0) {
        observedPositions += other.observedPositions.map { $0 + all.count }
        findings.append(other.findings)
        suspects += other.suspects
        casesOfPurchases += other.casesOfPurchases.map { $0 + offset }
        casesOfOrders += other.casesOfOrders.map { $0 + offset }
        casesOfCredits += other.casesOfCredits.map { $0 + offset }
        awaitingCredits += other.awaitingCredits.map { $0 + offset }
        if offset == 0 {
            all += other.all
            return
        }
        for var verdict in other.all {
            verdict.caseIndex += offset
            all.append(verdict)
        }
    }
}

extension Verdicts {
    /// All verdicts as the history keeps them.
    public var stored: Set<StoredVerdict> { Set(all.map(\.stored)) }

    /// The cases that the next night must judge again.
    /// - Parameter numbers: the case number by case index.
    public func openCases(_ numbers: [CaseID]) -> Set<CaseID> {
        var cases = Set(awaitingCredits.map { numbers[Int($0)] })
        for verdict in all where verdict.keepsCaseOpen { cases.insert(numbers[Int(verdict.caseIndex)]) }
        return cases
    }

    /// The keys under which later nights find the unlinked evidence and the stray credits of these cases.
    /// - Parameter numbers: the case number by case index.
    public func suggestionEntries(_ numbers: [CaseID]) -> [SuggestionEntry] {
        func entries<Element>(
            _ elements: [Element], in cases: [Int32], under keys: (Element) -> [SuggestionKey]
        ) -> [SuggestionEntry] {
            zip(elements, cases).flatMap { element, index in
                keys(element).map { SuggestionEntry(key: $0, caseID: numbers[Int(index)]) }
            }
        }
        return entries(findings.unlinkedPurchases, in: casesOfPurchases) { [$0.key] }
            + entries(findings.unlinkedOrders, in: casesOfOrders, under: \.keys)
            + entries(findings.strayCredits, in: casesOfCredits, under: \.keys)
    }

    /// The keys under which other cases may have an order or a purchase that matters for a suggestion here.
    var suggestionKeys: Set<SuggestionKey> {
        Set(findings.unlinkedPurchases.map(\.key)).union(findings.unlinkedOrders.map(\.key))
    }
}

extension UnlinkedPurchase {
    /// The key under which the purchase and orders that may belong to it find each other.
    public var key: SuggestionKey { .goods(account: owner, product: product) }
}

extension UnlinkedOrder {
    /// The key under which the order and purchases that it may belong to find each other.
    public var key: SuggestionKey { .goods(account: account, product: product) }

    /// The keys under which a later night finds the order: that one, that of its account, and its own.
    var keys: [SuggestionKey] {
        givenAt == nil ? [key, .goods(of: account), .order(spelling: id.plainSpelling)] : [key]
    }
}

/// Turns verdicts into observations for the exception register.
struct Observer: Sendable {
    /// The case number by case index; empty means that all numbers are 0.
    var numbers: [CaseID] = []
    /// The indices of cases with a known exception. The register must see all their subjects, to follow the exception.
    var followed: Set<Int32> = []
    var files: [DeliveryID: NamedFile] = [:]
    /// Evidence of this and later deliveries arrived tonight.
    var firstDelivery = DeliveryID.max

    /// The ledger's number of the case with this index.
    fileprivate func number(of index: Int) -> CaseID { numbers.isEmpty ? 0 : numbers[index] }

    /// Nil if the register need not see the subject.
    fileprivate func observation(
        of subject: Subject, _ judgement: Judgement, in evidence: Case, number: Int32, by basis: Basis,
        _ owner: (Token) -> TokenOwner
    ) -> Observation? {
        let (isFollowed, policy) = (followed.contains(number), basis.policy)
        guard judgement.verdict.isException || isFollowed else { return nil }
        var observation = Observation(
            judgement, in: evidence, caseID: self.number(of: Int(number)), files: files,
            firstDelivery: firstDelivery, isFollowed: isFollowed)
        observation.facts?.setLabels(of: subject, in: evidence)
        if !isFollowed { observation.id = ExceptionRegister.id(of: judgement.subject) }
        observation.purchasedAt = subject.leading.map { evidence.transactions[$0].purchasedAt }
        let purchase = subject.leading.map { evidence.transactions[$0] }
        observation.isLifetime = purchase?.isLifetime(policy) ?? false
        observation.isLaterPeriod = purchase?.isLaterPeriod(in: policy) ?? false
        observation.isRenewal = purchase?.isRenewal(in: policy) ?? false
        observation.retry = RetryFacts(
            judgement, of: subject, in: evidence, policy: policy, horizon: basis.horizon, files: files)
        if observation.retry?.action == .credit {
            observation.tokens = subject.tokens(in: evidence)
            observation.isTokenShared =
                policy.tokenUse == .account && observation.tokens.contains { Token($0).map(owner) == .several }
        }
        return observation
    }
}

extension JudgedCases {
    /// Judges every case, on up to `threads` cores. The result does not depend on the number of cores.
    ///
    /// - Parameter observer: nil if the register will not see the verdicts.
    func verdicts(_ observer: Observer? = nil, threads: Int, work: WorkCount = WorkCount()) throws -> Verdicts {
        work.expect(rows: cases.count)
        // The larger a piece, the fewer tables of purchases there are to join. A small night has work for every core.
        let chunk = min(max(cases.count / (2 * threads), 4096), Int(TableKey.casesPerBlock))
        let count = (cases.count + chunk - 1) / chunk
        var none = Verdicts()
        none.all.reserveCapacity(cases.count + cases.count / 64)
        let joined = OrderedReducer<Verdicts, Verdicts>(into: none) { $0.append($1) }
        let strayOrders = cases.casesWithStrayOrders(in: basis.policy.zone)
        _ = concurrently(threads: threads, count) { index in
            if Interruption.process.isRequested { return }
            let range = index * chunk..<min(cases.count, (index + 1) * chunk)
            work.add(rows: range.count)
            joined.add(verdicts(of: range, observer, strayOrders), at: index)
        }
        try Interruption.process.check()
        return joined.result().whole
    }

    /// - Parameter strayOrders: the cases that may match cleanly and have a stray version of their order.
    private func verdicts(
        of numbers: some Collection<Int>, _ observer: Observer?, _ strayOrders: Set<Int>
    ) -> Verdicts {
        var evidence = Case()
        var verdicts = Verdicts()
        verdicts.all.reserveCapacity(numbers.count)
        let followed = observer?.followed ?? []
        var counter = PurchaseCounter(basis)
        // Held here, because two cores would count references to them for every case.
        let (transactions, orders, credits) = (cases.transactions, cases.orders, cases.credits)
        let (policy, zone) = (basis.policy, basis.policy.zone)
        for number in numbers {
            if followed.isEmpty || !followed.contains(Int32(number)), let clean = cleanMatch(number) {
                let purchasedAt = transactions[clean.transaction].purchasedAt
                let outcome = PurchaseOutcome(
                    purchasedAt, creditedAt: credits[clean.credit].creditedAt,
                    by: credits[clean.credit].origin, in: zone)
                verdicts.all.append(
                    SubjectVerdict(
                        stored: StoredVerdict(
                            subject: SubjectKey(.transaction, transactions[clean.transaction].id),
                            verdict: .matched, cause: .none, flags: [], amount: clean.amount, outcome: outcome),
                        caseIndex: Int32(number)))
                if let observer {
                    counter.add(
                        transactions[clean.transaction], orders[clean.order],
                        credits[clean.credit], outcome: outcome,
                        amount: clean.amount, labels: clean.labels,
                        of: observer.number(of: number))
                    if cases.hasEvidence(number, since: observer.firstDelivery) {
                        verdicts.findings.judged += 1
                        verdicts.findings.note(orders[clean.order], against: purchasedAt, in: zone)
                    }
                }
                if strayOrders.contains(number)
                    || cases.mayHoldStrays(
                        in: number, of: transactions[clean.transaction], givenTo: credits[clean.credit].account,
                        by: policy)
                {
                    addStrays(of: number, since: observer?.firstDelivery, to: &verdicts)
                }
                // An initializer takes a copy of the policy, so it is called only where there may be such goods.
                if policy.products.type(of: transactions[clean.transaction]) == .nonConsumable,
                    let owned = StrayCredit(
                        owned: credits[clean.credit], by: transactions[clean.transaction], policy)
                {
                    verdicts.findings.strayCredits.append(owned)
                }
                verdicts.closeCase(Int32(number), awaitsCredits: false)
                continue
            }
            judge(number, in: &evidence, for: observer, into: &verdicts, &counter)
        }
        verdicts.findings.tables = counter.take()
        verdicts.findings.tally = SubjectTally(verdicts.all)
        for verdict in verdicts.all { verdicts.findings.purchases.add(verdict.stored.outcome, verdict.stored.amount) }
        return verdicts
    }

    private func judge(
        _ number: Int, in evidence: inout Case, for observer: Observer?, into verdicts: inout Verdicts,
        _ counter: inout PurchaseCounter
    ) {
        let index = Int32(number)
        let policy = basis.policy
        let first = verdicts.all.count
        let isNew = observer.map { cases.hasEvidence(number, since: $0.firstDelivery) } ?? false
        let (former, arrived) = (cases.formerOrders(in: number), cases.creditsArrived(in: number))
        forEachSubject(of: number, in: &evidence) { subject, judgement, file in
            if let observation = observer?.observation(
                of: subject, judgement, in: file, number: index, by: basis, owner)
            {
                verdicts.findings.observations.append(observation)
                verdicts.observedPositions.append(verdicts.all.count)
            }
            let outcome = PurchaseOutcome(subject, judgement, in: file, policy: policy)
            verdicts.all.append(
                SubjectVerdict(
                    stored: StoredVerdict(
                        subject: judgement.subject, verdict: judgement.verdict, cause: judgement.cause,
                        flags: judgement.flags, amount: judgement.amount, outcome: outcome),
                    caseIndex: index))
            if let observer {
                counter.add(subject, judgement, outcome: outcome, in: file, of: observer.number(of: number))
                verdicts.findings.noteRenewal(
                    subject, judgement, isFollowed: observer.followed.contains(index), in: file, by: policy)
            }
            if judgement.flags.contains(.statusOnly) { verdicts.findings.statusOnly += 1 }
            verdicts.note(subject, judgement, in: file, by: policy)
            if isNew { verdicts.findings.noteTimes(of: subject, in: file, by: policy) }
            if let unlinked = subject.unlinkedPurchase(in: file, policy: policy) {
                verdicts.findings.unlinkedPurchases.append(unlinked)
            }
            verdicts.findings.strayCredits += file.strayCredits(
                of: subject, judgement, former: former, arrived: arrived, horizon: basis.horizon, by: policy)
            if let observer, let refund = RefundLine(subject, judgement, in: file, since: observer.firstDelivery) {
                verdicts.findings.refunds.append(refund)
            }
        }
        let awaitsCredits = evidence.awaitsCredits(horizon: basis.horizon, policy: basis.policy)
        if observer != nil {
            let own = verdicts.all[first...]
            if awaitsCredits {
                verdicts.findings.statusOnlyAwaited += own.count { $0.stored.flags.contains(.statusOnly) }
            }
            if awaitsCredits || isNew || own.contains(where: \.keepsCaseOpen) {
                verdicts.findings.judged += own.count
                for verdict in own where !verdict.stored.flags.isEmpty {
                    verdicts.findings.flags[verdict.stored.flags, default: 0] += 1
                }
            }
        }
        verdicts.findings.unlinkedOrders += evidence.unlinkedOrders(policy: policy)
        addStrays(of: number, since: observer?.firstDelivery, to: &verdicts)
        verdicts.closeCase(index, awaitsCredits: awaitsCredits)
    }

    /// Adds what other rows of the case's ids and its receipts say beside its verdicts.
    private func addStrays(of number: Int, since delivery: DeliveryID?, to verdicts: inout Verdicts) {
        verdicts.findings.strayCredits += cases.contradictions(
            in: number, since: delivery ?? .max, zone: basis.policy.zone
        ) {
            verdicts.findings.contradictions[FeedDate(feed: $0, date: $1), default: 0] += 1
        }
        verdicts.findings.strayCredits += cases.strayClaims(in: number, by: basis.policy)
    }
}

extension Verdicts {
    /// Notes the case of everything that was found in it. It is the last case judged.
    fileprivate mutating func closeCase(_ index: Int32, awaitsCredits: Bool) {
        while casesOfPurchases.count < findings.unlinkedPurchases.count { casesOfPurchases.append(index) }
        while casesOfOrders.count < findings.unlinkedOrders.count { casesOfOrders.append(index) }
        while casesOfCredits.count < findings.strayCredits.count { casesOfCredits.append(index) }
        if awaitsCredits { awaitingCredits.append(index) }
    }

    /// Notes what the guard counts. A part is only what is also counted in its whole.
    fileprivate mutating func note(
        _ subject: Subject, _ judgement: Judgement, in evidence: Case, by policy: Policy
    ) {
        if judgement.verdict == .creditedNotPaid {
            let isTest = [.sandbox, .otherEnvironment].contains(judgement.cause)
            let part = isTest ? DateCounts(creditedInTest: 1) : DateCounts(creditedNotPaid: 1)
            return suspects.append((judgement.anchor, part))
        }
        if judgement.verdict == .waiting, judgement.cause == .waitsCreditedNotPaid {
            return suspects.append((judgement.anchor, DateCounts(awaitingPayment: 1)))
        }
        guard let purchase = subject.leading.map({ evidence.transactions[$0] }) else { return }
        let part: DateCounts
        switch judgement.verdict {
        case .paidNotCredited where subject.credits.isEmpty: part = DateCounts(uncredited: 1)
        case .creditedTwice: part = DateCounts(creditedTwice: 1)
        case .creditedToWrongAccount: part = DateCounts(creditedToWrongAccount: 1)
        case .valueMismatch: part = DateCounts(valueMismatch: 1)
        case .orderMissing: part = DateCounts(orderMissing: 1)
        case .refundedNotReversed: part = DateCounts(refundedNotReversed: 1)
        case .invalidTransaction where judgement.cause == .wrongBundle: part = DateCounts(invalid: 1)
        default: return
        }
        let whole = part.invalid == 0 ? DateCounts.Column.proven : .foreign
        if DateCounts.column(of: purchase, by: policy) == whole { suspects.append((purchase.purchasedAt, part)) }
    }
}

extension Findings {
    /// Notes an order that was created after its payment, by about a whole number of half hours.
    fileprivate mutating func note(_ order: Order, against purchasedAt: Instant, in zone: Zone) {
        if order.createdAt <= purchasedAt { return }
        note(.orders, order.createdAt, of: order.account, against: purchasedAt, in: zone)
    }

    private mutating func note(
        _ feed: FeedKind, _ instant: Instant, of account: Identifier, against purchasedAt: Instant, in zone: Zone
    ) {
        guard let shift = ClockShift(of: instant, against: purchasedAt) else { return }
        let date = zone.date(of: purchasedAt)
        clockShifts[ShiftedDate(feed: feed, date: date, shift: shift, account: account), default: 0] += 1
    }

    /// Notes times of the subject's order and first credit that cannot be right: the order after the payment, or the credit
    /// before it.
    fileprivate mutating func noteTimes(of subject: Subject, in file: Case, by policy: Policy) {
        guard subject.backing == .purchase, let leading = subject.leading else { return }
        let purchase = file.transactions[leading]
        guard purchase.environment == policy.environment else { return }
        if let order = subject.orders.first {
            note(file.orders[order], against: purchase.purchasedAt, in: policy.zone)
        }
        let given = subject.credits.lazy.map { file.credits[$0] }.filter { $0.kind == .credit }
            .min { ($0.creditedAt, $0.id) < ($1.creditedAt, $1.id) }
        guard let given, given.creditedAt < purchase.purchasedAt else { return }
        note(.credits, given.creditedAt, of: given.account, against: purchase.purchasedAt, in: policy.zone)
    }
}

extension CaseSet {
    /// Whether a current piece of the case's evidence is of this delivery or a later one.
    func hasEvidence(_ number: Int, since delivery: DeliveryID) -> Bool {
        groups.transactions[number].contains { transactions[Int($0)].source.delivery >= delivery }
            || groups.orders[number].contains { orders[Int($0)].source.delivery >= delivery }
            || groups.credits[number].contains { credits[Int($0)].source.delivery >= delivery }
            || groups.receipts[number].contains { receipts[Int($0)].source.delivery >= delivery }
    }
}

extension Verdicts {
    /// Adds the flags of suggestions, by index of the observation. Without verdicts, there is nothing to add them to.
    mutating func add(_ marked: [(index: Int, flags: Flags)]) {
        if all.isEmpty { return }
        for (index, flags) in marked { all[observedPositions[index]].stored.flags.formUnion(flags) }
    }

    /// Proves that each of the first `count` cases has a verdict.
    func prove(count: Int) throws(EngineError) {
        var isJudged = [Bool](repeating: false, count: count)
        for verdict in all where Int(verdict.caseIndex) < count { isJudged[Int(verdict.caseIndex)] = true }
        let judged = isJudged.count { $0 }
        guard judged == count else { throw .unproven("\(count) cases, but verdicts for \(judged)") }
    }
}
