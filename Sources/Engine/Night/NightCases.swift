internal import Matching

/// Tonight's cases, matched and judged: those that tonight's files touch, those that are still open, and those that may
/// give or receive a suggestion.
///
/// How it works:
///
/// 1. `PriorCases` loads the stored cases that tonight's evidence may change. They are matched together with tonight's
///    evidence.
/// 2. A receipt that was not accepted links the order it names only while nothing contradicts it. The contradiction may
///    be in a case that was not loaded. `match` therefore loads the cases that name such orders and matches everything
///    again, until no further case turns up.
/// 3. The cases are numbered and judged. Now it is known what is unlinked.
/// 4. Unlinked orders and purchases of the same account and product may belong together although no identifier links
///    them, so the stored *neighbours* are looked up by `SuggestionKey`. Tonight's evidence does not touch a neighbour
///    and cannot change its verdict. Neighbours are therefore matched and judged apart, and only their suggestions may
///    change. They may have neighbours of their own, so this step repeats until no case is added. A neighbour that only an
///    order used by the desk holds together may split: it is loaded with the others, and step 2 begins again.
/// 5. All suggestions are worked out together. If the desk gave a purchase's goods by the number of an order that
///    nothing links to it, the two cases must become one. The pair is entered into the policy's facts, the neighbours
///    are loaded with the others, and steps 2 to 4 run once more.
///
/// Where every case must be judged again, everything is loaded and matched from the beginning.
struct NightCases {
    private let night: NightContext
    private var basis: Basis
    /// Tonight's evidence, except while it is in `cases`.
    private var news: Evidence

    /// The stored cases that were matched together with tonight's evidence.
    private(set) var prior = PriorCases()
    /// The history's case numbers of the neighbours: cases that are judged, but not in `cases`.
    private(set) var apart: Set<CaseID> = []
    /// The matched cases without those. Stored evidence comes before tonight's.
    private(set) var cases = CaseSet()
    /// The owners of tokens after tonight.
    private(set) var owners = TokenOwners()
    /// The numbers of `cases`, then of `apart`.
    private(set) var numbering = CaseNumbering()
    /// The verdicts of `cases`, then of `apart`.
    private(set) var verdicts = Verdicts()
    /// The known exceptions of all these cases, and those that others need for their ids.
    private(set) var exceptions: [ExceptionRecord] = []

    /// The history's case numbers of all cases judged.
    var ids: Set<CaseID> { prior.ids.union(apart) }

    private var history: any History { night.history }
    private var head: HistoryHead { night.plan.head }

    /// Does nothing yet. Call `recall`, `judge`, `judgeNeighbours`, `joinDeskOrders` and `addNamesakes` in this order.
    init(_ news: consuming Evidence, in night: NightContext) {
        self.news = news
        self.night = night
        basis = night.plan.basis
        // The desk's orders are worked out again each night, because another order may be as likely by now.
        basis.policy.facts.deskOrders = [:]
        basis.policy.facts.takenOrders = []
    }

    /// Loads the stored cases that tonight's evidence may change.
    mutating func recall() throws {
        let plan = night.plan
        prior = try night.timer.time("recall", of: "cases") { work in
            try PriorCases(
                history, touchedBy: news, policy: plan.basis.policy, isEverything: plan.change.isForAll,
                threads: night.threads, work: work)
        }
        // A ledger of older rules does not know it.
        if prior.isEverything { basis.policy.facts.noteTimes(of: prior.stored.evidence) }
        // A case with a refused receipt is closed if no purchase follows. If the transactions have a new gap, a purchase
        // may be missing, so these cases are judged again.
        if plan.change.hasNewTransactionGap, !plan.change.isForAll {
            try prior.add(history.cases(judged: .closed, .receiptRejected), from: history)
        }
    }

    /// Matches, numbers and judges tonight's cases.
    mutating func judge() throws {
        var judged = try match()
        cases = judged.cases
        apart = []
        numbering = CaseNumbering(cases, stored: prior.stored, next: head.nextCase)
        exceptions = prior.exceptions
        basis.policy.facts.crowdedTokens.formUnion(cases.crowdedTokens)
        // Complete every night: each purchase that lacks its goods is open, so its case is loaded with these orders'.
        basis.policy.facts.takenOrders = cases.takenOrders
        // The facts added would not match these cases differently.
        judged.basis = basis
        let observer = observer(of: numbering)
        verdicts = try night.timer.time("judge", of: "cases") { work in
            try judged.verdicts(observer, threads: night.threads, work: work)
        }
    }

    /// Judges the neighbours of tonight's cases, their neighbours, and so on.
    mutating func judgeNeighbours() throws {
        while true {
            let neighbours = try history.cases(unlinkedUnder: verdicts.suggestionKeys).subtracting(ids)
            if neighbours.isEmpty { return }
            // Only the pairs of the desk's orders may tie a case together, and these are worked out again.
            let pairs = Set(head.facts.deskOrders.keys)
            let tied = pairs.isEmpty ? [] : try history.cases(naming: pairs).intersection(neighbours)
            if tied.isEmpty {
                try judgeApart(neighbours)
            } else {
                news = cases.evidence(after: prior.stored)
                try prior.add(tied.union(apart), from: history)
                try judge()
            }
        }
    }

    /// Joins each order by whose number the desk gave the goods of a purchase with that purchase: everything is then
    /// matched and judged once more.
    mutating func joinDeskOrders() throws {
        let found = deskOrders
        if found.isEmpty { return }
        basis.policy.facts.deskOrders = found
        news = cases.evidence(after: prior.stored)
        try prior.add(apart, from: history)
        try judge()
        try judgeNeighbours()
    }

    /// Facts about the whole history after tonight. Known pairs of the desk stay on record unless their order was part
    /// of tonight's cases: then tonight's result replaces them.
    var facts: LedgerFacts {
        var facts = basis.policy.facts
        var known = head.facts.deskOrders
        if !known.isEmpty { for order in cases.orders { known[order.id] = nil } }
        facts.deskOrders.merge(known) { found, _ in found }
        facts.renewals.add(verdicts.findings.renewals)
        facts.renewals.sample()
        return facts
    }

    /// What judging these cases found.
    ///
    /// - Parameters:
    ///   - lookups: tonight's rows about e-mailed orders.
    ///   - rejected: rows that may concern a purchase that a machine would credit.
    /// - Throws: `EngineError.unproven` where a case has no verdict; whatever the history throws.
    func findings(lookups: [OrderLookup], rejected: RejectedRows) throws -> Findings {
        var findings = try Findings(verdicts, of: cases, by: basis)
        findings.rows = RowOutcomes(cases, from: prior.stored, news: Set(lookups.map(\.source)))
        try noteTokenAccounts(in: &findings)
        try addNeighbours(to: &findings, rejected)
        try noteAccounts(in: &findings, rejected)
        return findings
    }

    /// Notes the accounts whose orders carry the token of a purchase that a machine would credit: the customer may have the goods
    /// under another one, by which a guest signed up, say. Of more than twenty, none is known.
    private func noteTokenAccounts(in findings: inout Findings) throws {
        let shared = findings.observations.indices.filter { findings.observations[$0].isTokenShared }
        let tokens = Set(shared.flatMap { findings.observations[$0].tokens.compactMap { Token($0) } })
        if tokens.isEmpty { return }
        var accounts: [Token: [Identifier]] = [:]
        for (token, stored) in try history.owners(of: tokens).merging(
            tokens.compactMap { token in owners.accounts[token].map { (token, $0) } }, uniquingKeysWith: { $1 })
        {
            let found = stored.filter { $0.value > 0 }.keys
            accounts[token] = found.count > 20 ? nil : found.ordered()
        }
        for index in shared {
            let found = findings.observations[index].tokens.map { Token($0).flatMap { accounts[$0] } }
            if !found.contains(nil) { findings.observations[index].tokenAccounts = found.flatMap { $0 ?? [] } }
        }
    }

    /// Notes which accounts are on other records, of those that a person may have written around the account of a purchase
    /// that a machine would credit.
    private func noteAccounts(in findings: inout Findings, _ rejected: RejectedRows) throws {
        let wrapped = findings.strayCredits.filter(\.hasWrappedAccount)
        if wrapped.isEmpty { return }
        let strays = findings.strays
        let targets = findings.observations.compactMap { CreditTarget($0, by: basis.policy, rejected) }
        let owners = Set(targets.compactMap(\.owner))
        // Orders that may turn out to be theirs.
        let open = findings.unlinkedOrders.lazy.filter { owners.contains($0.account) }.map(\.id.plainSpelling)
        let meant = targets.reduce(into: Set(open)) {
            $0.formUnion(strays.claimed($1).spelledAccounts.union($1.orders).union($1.transactions))
        }
        let wanted = Set(wrapped.lazy.filter { !$0.meantIDs.isDisjoint(with: meant) }.map(\.account))
        if wanted.isEmpty { return }
        let environment = basis.policy.environment
        let known = try history.accountsOnRecord(among: wanted, environment)
            .union(cases.accountsOnRecord(among: wanted, environment))
        findings.strayCredits = findings.strayCredits.noting(known)
    }

    /// Adds the stray credits and the unlinked orders of cases that were not matched with tonight's evidence, as far as they
    /// may concern a purchase that a machine would credit. What is found first may name accounts that claim it; their goods
    /// come second.
    private func addNeighbours(to findings: inout Findings, _ rejected: RejectedRows) throws {
        if prior.isEverything || head.lastRun == nil { return }
        findings.periods.merge(try history.periods(of: findings.originals, basis.policy)) { first, _ in first }
        let targets = findings.observations.compactMap { CreditTarget($0, by: basis.policy, rejected) }
        var keys = targets.reduce(into: Set(findings.periods.keys.map(SuggestionKey.transaction))) {
            $0.formUnion($1.keys)
        }
        keys.formUnion(findings.observations.flatMap(\.reversalKeys))
        var loaded = prior.ids
        for isFirst in [true, false] where !keys.isEmpty {
            let others = try history.cases(unlinkedUnder: keys).subtracting(loaded)
            if !others.isEmpty {
                let judged = try JudgedCases(
                    history.load(cases: others), by: basis, threads: night.threads, owners: history.owners)
                let found = try judged.verdicts(threads: night.threads).findings
                findings.strayCredits += found.strayCredits
                findings.ordersElsewhere += found.unlinkedOrders
                loaded.formUnion(others)
            }
            if isFirst { keys = findings.strays.keys(ofAccountsClaiming: targets) }
        }
    }

    /// Matches the stored evidence together with tonight's.
    ///
    /// A receipt that was not accepted links the order it names only as long as nothing else of its account names that
    /// order. Another case may contain such a contradiction: it is then loaded, and everything is matched again.
    private mutating func match() throws -> JudgedCases {
        while true {
            let isRebuilt = head.lastRun == nil || prior.isEverything
            let (stored, basis, threads, history) = (prior.stored, basis, night.threads, history)
            var evidence = stored.evidence
            evidence.append(news.take())
            let (judged, owners) = try night.timer.time("match", of: "cases") { work in
                let usesTokens = basis.policy.tokenUse == .account
                let tokens = usesTokens && !isRebuilt ? evidence.tokens : []
                let versions = Versions(evidence, policy: basis.policy, threads: threads)
                var owners = TokenOwners(tokens.isEmpty ? [:] : try history.owners(of: tokens))
                if usesTokens { owners.count(versions, stored, isRebuilt: isRebuilt) }
                let judged = JudgedCases(versions, basis, threads: threads, owner: owners.owner)
                work.add(rows: judged.cases.count)
                return (judged, owners)
            }
            self.owners = owners
            try Interruption.process.check()
            let orders = judged.cases.contestedOrders(before: stored)
            let contested = orders.isEmpty ? [] : try history.cases(naming: orders).subtracting(prior.ids)
            if contested.isEmpty { return judged }
            news = judged.cases.evidence(after: stored)
            try prior.add(contested, from: history)
        }
    }

    /// Judges neighbours: stored cases that tonight's evidence does not touch.
    private mutating func judgeApart(_ ids: Set<CaseID>) throws {
        let stored = try history.load(cases: ids)
        let judged = try JudgedCases(stored, by: basis, threads: night.threads, owners: history.owners)
        let numbering = CaseNumbering(of: judged.cases, stored: stored)
        exceptions += try history.exceptions(ofCases: ids, except: Set(exceptions.map(\.id)))
        let verdicts = try judged.verdicts(observer(of: numbering), threads: night.threads)
        self.verdicts.append(verdicts, caseOffset: Int32(self.numbering.numbers.count))
        self.numbering.append(numbering)
        apart.formUnion(ids)
    }

    /// Turns the verdicts of these cases into observations.
    private func observer(of numbering: CaseNumbering) -> Observer {
        night.plan.observer(
            of: numbering.numbers, followed: numbering.cases(holdingAnyOf: Set(exceptions.map(\.caseID))))
    }

    /// The orders by whose number the desk gave the goods of a purchase, with the purchase's transaction id.
    private var deskOrders: [Identifier: Identifier] {
        verdicts.findings.deskOrders(window: basis.policy.suggestionWindow)
    }

    /// Adds resolved exceptions that were first seen under the key of one of tonight's subjects, but whose cases were
    /// not loaded: they have followed their subjects to other keys. Their ids are taken, so the register must know them.
    mutating func addNamesakes() throws {
        let subjects = Set(exceptions.map(\.subject))
        var ids = Set(exceptions.map(\.id))
        for observation in verdicts.findings.observations
        where observation.verdict.isException && !subjects.contains(observation.subject) {
            var occurrence = 1
            while true {
                let known = occurrence == 1 ? observation.id : nil
                let id = known ?? ExceptionRegister.id(of: observation.subject, occurrence: occurrence)
                if ids.insert(id).inserted {
                    guard let record = try history.exception(id: id) else { break }
                    exceptions.append(record)
                    if record.subject == observation.subject { break }
                }
                occurrence += 1
            }
        }
    }
}

extension CaseSet {
    /// The evidence that comes after `stored`: tonight's.
    fileprivate func evidence(after stored: StoredEvidence) -> Evidence {
        var evidence = Evidence()
        evidence.orders = orders.indices[stored.orders.cases.count...].map(orderAsRead)
        evidence.credits = Array(credits[stored.credits.cases.count...])
        evidence.transactions = transactions.indices[stored.transactions.cases.count...].map(transactionAsRead)
        evidence.receipts = Array(receipts[stored.receipts.cases.count...])
        return evidence
    }

    /// Orders that stored receipts link although the receipts were not accepted.
    fileprivate func contestedOrders(before stored: StoredEvidence) -> Set<Identifier> {
        let receipts = contestableReceipts.lazy.filter { $0 < stored.receipts.cases.count }
        return Set(receipts.compactMap { [self] in self.receipts[$0].order })
    }
}
