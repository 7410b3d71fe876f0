internal import Domain
internal import Intake
internal import Ledger
internal import Matching

/// One night: from the files to the verdicts, and what it changes. Nothing is written here.
struct Night {
    private(set) var run: RunRecord
    let horizon: Horizon
    let delivered: Delivered
    let priorCases: PriorCases
    /// Empty once it is kept.
    var book: CaseSet
    let numbering: CaseNumbering
    private(set) var verdicts: Verdicts
    let tokens: TokenBook
    let facts: LedgerFacts
    let products: [Product]
    let tally: Tally
    /// The verdicts on record of the cases recalled; none where everything was.
    let recorded: [Int64: [StoredVerdict]]
    let moves: [ExceptionTransition]
    let answers: Answers
    let retries: RetryRegister
    private(set) var report: NightReport
    let threads: Int

    /// Matches and judges what was gathered.
    ///
    /// - Throws: `Failure`, among them `internalError` where conservation is not proven; what the stages throw.
    init(
        _ moment: RunTime, _ delivered: Delivered, configuration: Configuration, ledger: Ledger, threads: Int,
        clock: StageClock, log: Log
    ) throws {
        self.threads = threads
        var delivered = delivered
        let last = try ledger.isEmpty ? nil : ledger.lastRun()
        products = try Self.products(delivered, ledger: last == nil ? nil : ledger)
        var policy = configuration.policy
        policy.products = ProductList(products)
        let outline = try last.map { try ledger.outline(of: $0) }, known = outline?.coverageGaps ?? []
        let coverage = try Self.coverage(
            configuration, delivered, known: known, settled: outline?.settledRefusals ?? [], ledger: ledger,
            through: moment.businessDate)
        horizon = Horizon(
            instant: min(policy.zone.end(of: moment.businessDate), moment.asOf), businessDate: moment.businessDate,
            coverage: coverage.coverage)
        run = RunRecord(
            id: (last?.id ?? 0) + 1, businessDate: moment.businessDate, asOf: moment.asOf, horizon: horizon.instant,
            policy: configuration.policyText + policyText(of: products), version: version)

        let news = delivered.takeRows()
        self.delivered = delivered
        policy.facts = try ledger.facts()
        let (hasNewFacts, run, horizon) = (policy.facts.note(news.orders), run, horizon)
        let change = BasisChange(since: last, run, coverage, besides: known, at: moment, hasNewFacts: hasNewFacts)
        let (priorCases, stage) = try Self.staged(
            news, policy: policy, horizon: horizon, ledger: ledger, threads: threads, clock: clock,
            firstDelivery: delivered.firstDelivery, change)
        let prior = priorCases.prior
        self.priorCases = priorCases
        (book, numbering, verdicts) = (stage.book, stage.numbering, stage.verdicts)
        (tokens, facts) = (stage.tokens, stage.facts)

        let current = last == nil || priorCases.isEverything ? nil : ledger
        recorded = try current?.verdicts(of: priorCases.cases) ?? [:]
        tally = Self.tally(verdicts, besides: recorded, of: try current?.tally() ?? Tally())
        var carried = try clock.time("carry", of: "exceptions") { work in
            let carried = try CarryForward(
                stage, delivered, moment, last: last, horizon: horizon.instant, retry: configuration.retry,
                zone: policy.zone, ledger: ledger, threads: threads, log: log)
            work.add(rows: carried.moves.count)
            return carried
        }
        let guarded = try InputGuard(configuration, policy, last == nil ? nil : ledger).findings(
            stage, prior: priorCases.cases, delivered, before: outline?.guarded ?? [])
        report = try clock.time("prove", of: "cases") { [tally] work in
            work.add(rows: stage.book.count)
            return try Self.report(&carried, guarded, configuration, ledger: last == nil ? nil : ledger, threads, log) {
                [delivered, moves = carried.moves, rollForward = carried.rollForward, answers = carried.answers] in
                try NightReport(
                    run, configuration: configuration, delivered: delivered, prior: prior, book: stage.book,
                    verdicts: stage.verdicts, tally: tally, moves: moves, rollForward: rollForward,
                    coverage: coverage, answers: answers)
            }
        }
        (moves, answers, retries) = (carried.moves, carried.answers, carried.retries)
    }

    /// What `prove` makes, and the retry entries, which are played beside it: neither needs the other.
    private static func report(
        _ carried: inout CarryForward, _ guarded: [GuardFinding], _ configuration: Configuration, ledger: Ledger?,
        _ threads: Int, _ log: Log, prove: @escaping @Sendable () throws -> NightReport
    ) throws -> NightReport {
        let proven = BackgroundTask(isConcurrent: threads > 1, prove)
        let played = Result { try carried.playRetries(guarded, ledger: ledger, log: log) }
        var report = try proven.value()
        try played.get()
        if !guarded.isEmpty { report.guarded = guarded }
        if configuration.retry.isEnabled { report.add(carried.retries) }
        return report
    }

    /// Recalls what tonight's evidence may change, matches and judges it.
    private static func staged(
        _ news: consuming Evidence, policy: Policy, horizon: Horizon, ledger: Ledger, threads: Int, clock: StageClock,
        firstDelivery: Int32, _ change: BasisChange
    ) throws -> (PriorCases, Stage) {
        var priorCases = try clock.time("recall", of: "cases") { [news] work in
            try PriorCases(
                ledger: ledger, evidence: news, policy: policy, isEverything: change.isForAll, work: work)
        }
        // A refusal is right as long as nobody comes back to it; on a day nobody saw, somebody may have.
        if change.hasMoreGaps, !change.isForAll {
            try priorCases.add(ledger.cases(ruled: .closed, .receiptRejected), from: ledger)
        }
        // Held in one place only on a first night: arrays that are shared would be copied where they are marked.
        let isFirst = try ledger.isEmpty
        func stage(_ policy: Policy, _ news: consuming Evidence) throws -> Stage {
            try Stage(
                priorCases, news, firstDelivery: firstDelivery, policy: policy, horizon: horizon, ledger: ledger,
                threads: threads, clock: clock)
        }
        var policy = policy
        let known = policy.facts.deskOrders
        // Found again each night: by now, another order may be as likely.
        policy.facts.deskOrders = [:]
        var result = try stage(policy, isFirst ? news.take() : copy news)
        // Purchases and orders that may be suggested for each other share no identifier: their cases are found now.
        while true {
            let neighbours = try result.neighbours(in: ledger, besides: priorCases)
            if neighbours.isEmpty { break }
            try priorCases.add(neighbours, from: ledger)
            result = try stage(policy, copy news)
        }
        let found = result.deskOrders(window: policy.suggestionWindow)
        if !found.isEmpty {
            policy.facts.deskOrders = found
            result = try stage(policy, isFirst ? result.book.evidence : copy news)
        }
        let present = Set(result.book.orders.map(\.id))
        result.keepDeskOrders(of: known.filter { !present.contains($0.key) })
        result.suggest(window: policy.suggestionWindow)
        return (priorCases, result)
    }

    /// All subjects there are, with tonight's verdicts in the place of those recorded of the same cases.
    private static func tally(
        _ verdicts: Verdicts, besides recorded: [Int64: [StoredVerdict]], of known: Tally
    ) -> Tally {
        var tally = known
        for record in recorded.values.joined() { tally.remove(record.verdict, record.cause, record.amount) }
        // Of few kinds: found faster one by one than by a hash.
        var sums: [(key: Tally.Key, sum: CountAndAmount)] = []
        for ruling in verdicts.all {
            let key = Tally.Key(ruling.verdict, ruling.cause, ruling.amount)
            let known = sums.firstIndex { $0.key == key }
            if known == nil { sums.append((key, CountAndAmount())) }
            sums[known ?? sums.count - 1].sum.count += 1
            sums[known ?? sums.count - 1].sum.minor &+= ruling.amount?.minor ?? 0
        }
        for (key, sum) in sums { tally.add(sum, to: key) }
        return tally
    }

    /// Puts on record that the detectors were tried, and links the night to the one before.
    mutating func close(_ test: SelfTest, ledger: Ledger) throws {
        report.detectors = test.total
        report.detectorsAlive = test.alive
        try ledger.seal(&run, &report, moves, after: ledger.isEmpty ? nil : ledger.lastRun(), threads: threads)
    }

    /// The product list with tonight's rows in it.
    private static func products(_ delivered: Delivered, ledger: Ledger?) throws -> [Product] {
        let known = try ledger?.products() ?? []
        if delivered.evidence.products.isEmpty { return known }
        var names = try ledger?.deliveryNames() ?? [:]
        for delivery in delivered.deliveries { names[delivery.number] = delivery.name }
        return merged(known + delivered.evidence.products, names: names)
    }

    /// - Parameters:
    ///   - known: the blind spots of the run before; what was refused stays one until its day's file comes.
    ///   - settled: refused files of which that run knew that their day has come.
    static func coverage(
        _ configuration: Configuration, _ delivered: Delivered, known: [CoverageGap], settled: [CoverageGap] = [],
        ledger: Ledger, through date: BusinessDate
    ) throws -> CoverageReport {
        var arrivals = try ledger.isEmpty ? [:] : ledger.arrivals()
        for arrival in delivered.arrivals { arrivals[arrival.feed, default: []].insert(arrival.date) }
        let refusals = Refusals(
            tonight: delivered.refusals, known: known, settled: settled, arrivals: delivered.arrivals,
            feeds: configuration.feeds)
        var report = CoverageReport(
            feeds: configuration.feeds, arrivals: arrivals, refusals: refusals.current, through: date)
        report.settledRefusals = refusals.settled
        return report
    }
}

/// How the basis of all verdicts differs from last night's.
private struct BasisChange {
    /// Every case is to be judged again.
    let isForAll: Bool
    /// A day of Apple's transactions turned out to be missing.
    let hasMoreGaps: Bool

    init(
        since last: RunRecord?, _ run: RunRecord, _ coverage: CoverageReport, besides known: [CoverageGap],
        at moment: RunTime, hasNewFacts: Bool
    ) {
        isForAll =
            last.map {
                hasNewFacts || $0.policy != run.policy || coverage.hasNewGap(upTo: $0.businessDate, besides: known)
            } ?? false
        hasMoreGaps = coverage.hasNewGap(in: .transactions, upTo: moment.businessDate, besides: known)
    }
}

/// Of each product and beginning one row: of the later file date, then of the greater file name, then of the file
/// delivered last under that name, then of its last line. Never by the order of import.
private func merged(_ all: [Product], names: [Int32: String]) -> [Product] {
    struct Key: Hashable {
        var id: Identifier
        var from: BusinessDate?
    }
    func precedes(_ left: Provenance, _ right: Provenance) -> Bool {
        if left.fileDate != right.fileDate { return left.fileDate < right.fileDate }
        let (mine, theirs) = (names[left.delivery] ?? "", names[right.delivery] ?? "")
        return mine == theirs
            ? (left.delivery, left.line) < (right.delivery, right.line)
            : mine.utf8.lexicographicallyPrecedes(theirs.utf8)
    }
    var list: [Key: Product] = [:]
    for product in all {
        let key = Key(id: product.id, from: product.validFrom)
        if let known = list[key], precedes(product.source, known.source) { continue }
        list[key] = product
    }
    return list.values.sorted {
        $0.id == $1.id ? ($0.validFrom ?? .absent) < ($1.validFrom ?? .absent) : $0.id < $1.id
    }
}

/// What of the product list decides verdicts, as text.
func policyText(of products: [Product]) -> String {
    products.map { product in
        [
            "product", product.id.text, product.type?.name, product.price?.description, product.validFrom?.text,
            product.validTo?.text,
        ].map { $0 ?? "" }.joined(separator: " ") + "\n"
    }.joined()
}
