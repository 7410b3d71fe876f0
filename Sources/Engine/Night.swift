public import Domain
public import Exceptions
public import Matching
public import Parallel

/// One night: what the files delivered changes, and the report of it. Nothing is written here; a ledger applies the
/// night as a whole.
public struct Night {
    public var run: RunRecord
    /// What the night was judged by.
    public let basis: Basis
    /// Tonight's deliveries, with their rows counted.
    public let deliveries: [Delivery]
    /// What else the files held; orders, credits, transactions and receipts are in `cases`.
    public let delivered: Delivered
    /// By far the most of a night's memory. Whoever has written it may set it to an empty set.
    public var cases: CaseSet
    public let numbering: CaseNumbering
    public let verdicts: Verdicts
    /// The cases of the history that were judged again.
    public let judgedAgain: Set<Int64>
    /// Every case of the history was judged again.
    public let isRebuilt: Bool
    /// The verdicts on record of the cases judged again; none where every case was.
    public let recorded: [Int64: [StoredVerdict]]
    public let owners: TokenOwners
    public let facts: LedgerFacts
    /// The product list as it is from tonight on.
    public let products: [Product]
    public let tally: Tally
    public let transitions: [ExceptionTransition]
    /// Acknowledgements that say something new.
    public let answers: [Acknowledgement]
    /// Retry entries that tonight changed.
    public let retries: [RetryEntry]
    public var report: NightReport
    public let warnings: [NightWarning]

    /// Matches and judges what was delivered.
    ///
    /// - Parameter history: what earlier nights left behind.
    /// - Throws: `EngineError.unproven` where rows, cases or balances do not add up; `Interrupted`; what the history throws.
    public init(
        _ delivered: consuming Delivered, at time: RunTime, _ settings: NightSettings, _ history: some History,
        threads: Int = 1, timer: some StageTimer = Untimed()
    ) throws {
        var delivered = consume delivered
        let head = try history.head()
        var basis = Basis(settings, head, delivered, at: time)
        run = RunRecord(
            id: (head.lastRun?.id ?? 0) + 1, businessDate: time.businessDate, asOf: time.asOf,
            horizon: basis.horizon.instant, policy: basis.policyText, version: settings.version)
        products = basis.products
        let news = delivered.takeRows()
        let hasNewFacts = basis.policy.facts.note(news.orders)
        self.basis = basis
        let change = BasisChange(from: head, to: basis, hasNewFacts: hasNewFacts)
        let tonight = try NightCases(history, head, news, basis, change, delivered, threads: threads, timer)
        (cases, numbering, verdicts) = (tonight.cases, tonight.numbering, tonight.verdicts)
        (owners, facts) = (tonight.owners, tonight.facts)
        judgedAgain = tonight.ids
        isRebuilt = tonight.prior.isEverything
        recorded = isRebuilt ? [:] : try history.verdicts(of: tonight.ids)
        tally = try Tally(verdicts, except: recorded, of: isRebuilt ? Tally() : history.tally())
        var carried = try timer.time("carry", of: "exceptions") { work in
            let carried = try CarryForward(
                tonight, delivered, at: time, horizon: basis.horizon.instant, settings, head, history)
            work.add(rows: carried.transitions.count)
            return carried
        }
        let guarded = try InputGuard(settings, head, history).findings(
            cases, verdicts, loaded: tonight.prior.ids, delivered)
        let conservation = Conservation(cases, delivered, tonight.prior.stored, carried.answers)
        deliveries = try delivered.deliveries.map { try conservation.counted($0) }
        let findings = NightFindings(
            run: run, zone: settings.policy.zone, delivered: delivered, deliveries: deliveries, cases: cases.count,
            verdicts: verdicts, tally: tally, transitions: carried.transitions, rollForward: carried.rollForward,
            basis: basis)
        report = try timer.time("prove", of: "cases") { [findings] work in
            work.add(rows: findings.cases)
            // Neither needs the other.
            let proven = BackgroundTask(isConcurrent: threads > 1) { try NightReport(findings) }
            let played = Result { try carried.playRetries(guarded, history) }
            let report = try proven.value()
            try played.get()
            return report
        }
        if !guarded.isEmpty { report.guarded = guarded }
        if settings.retry.isEnabled { report.add(carried.retries) }
        transitions = carried.transitions
        answers = carried.answers.fresh
        retries = carried.retries.changes
        warnings =
            tonight.facts.crowdedTokens.subtracting(head.facts.crowdedTokens).sorted().map {
                .crowdedToken($0, limit: settings.policy.tokenFanOut)
            } + carried.warnings
        self.delivered = delivered
    }

    /// Puts on record that the rules were tried before the night.
    public mutating func note(_ test: SelfTest) {
        report.detectors = test.total
        report.detectorsAlive = test.passed
    }
}

/// How the basis of all verdicts differs from last night's.
struct BasisChange {
    /// Every case is to be judged again.
    let isForAll: Bool
    /// A day of Apple's transactions turned out to be missing.
    let isBlinder: Bool

    init(from head: HistoryHead, to basis: Basis, hasNewFacts: Bool) {
        let known = head.coverageGaps
        isForAll =
            head.lastRun.map { last in
                hasNewFacts || last.policy != basis.policyText
                    || basis.hasNewGap(in: .credits, upTo: last.businessDate, except: known)
            } ?? false
        isBlinder = basis.hasNewGap(in: .transactions, upTo: basis.horizon.businessDate, except: known)
    }
}

extension Tally {
    /// All subjects there are: those known, with tonight's verdicts in the place of those recorded of the same cases.
    fileprivate init(_ verdicts: Verdicts, except recorded: [Int64: [StoredVerdict]], of known: Tally) {
        self = known
        for record in recorded.values.joined() { remove(record.verdict, record.cause, record.amount) }
        // There are few keys: found faster one by one than by a hash.
        var sums: [(key: Tally.Key, sum: CountAndAmount)] = []
        for verdict in verdicts.all {
            let key = Tally.Key(verdict.verdict, verdict.cause, verdict.amount)
            let known = sums.firstIndex { $0.key == key }
            if known == nil { sums.append((key, CountAndAmount())) }
            sums[known ?? sums.count - 1].sum.count += 1
            sums[known ?? sums.count - 1].sum.minor &+= verdict.amount?.minor ?? 0
        }
        for (key, sum) in sums { add(sum, to: key) }
    }
}
