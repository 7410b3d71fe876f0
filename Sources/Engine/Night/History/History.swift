/// What earlier nights left behind, as the engine reads it.
///
/// `Ledger` implements it; `EmptyHistory` is what the first night reads. Nothing is written through it: a night returns
/// a `Night`, which the ledger then applies as a whole. Cases go by the ledger's case numbers. Every function may throw
/// what the store throws, for instance that a stored row is damaged.
public protocol History {
    /// The last run, and what every night starts from.
    func head() throws -> HistoryHead

    /// Cases that contain an identifier which the new evidence names.
    func cases(touchedBy evidence: Evidence, policy: Policy) throws -> Set<CaseID>
    /// Cases that contain or name one of these orders.
    func cases(naming orders: Set<Identifier>) throws -> Set<CaseID>
    /// Cases with an order or a transaction that carries one of these tokens.
    func cases(withTokens tokens: Set<Token>) throws -> Set<CaseID>
    func cases(judged verdict: Verdict, _ cause: Cause) throws -> Set<CaseID>
    /// Cases that have had unlinked evidence under one of these keys. The evidence may have been linked since.
    func cases(unlinkedUnder keys: Set<SuggestionKey>) throws -> Set<CaseID>
    /// Cases that are open, waiting, undetermined or waived, or wait for a credits file. Every night judges them.
    func openCases() throws -> Set<CaseID>
    /// All case numbers, in ranges that end before a multiple of `size`. Numbers at which no case begins a range are left out.
    func ranges(ofCases size: Int) throws -> [Range<CaseID>]

    /// All versions of all evidence of these cases, in ascending order of case number.
    func load(cases: Set<CaseID>) throws -> StoredEvidence
    /// The same for a range of case numbers, limited to evidence of deliveries up to number `last`.
    func load(cases: Range<CaseID>, through last: DeliveryID) throws -> StoredEvidence
    /// How many current orders of each account carry each of these tokens. Tokens that no order carries are left out.
    func owners(of tokens: Set<Token>) throws -> [Token: TokenAccounts]

    /// The verdicts on record, by case number, in the order of each case's subjects. Cases
    /// without verdicts are left out.
    func verdicts(of cases: Set<CaseID>) throws -> [CaseID: [StoredVerdict]]
    /// How many subjects of the whole history have each verdict, and what they are worth.
    func tally() throws -> SubjectTally
    /// How the purchases of this and later dates reached the customers.
    func purchases(since date: BusinessDate) throws -> PurchaseTally
    /// The counted purchases of blocks of cases.
    func tables(ofBlocks blocks: Set<Int64>) throws -> [TableKey: EncodedTable]
    /// The counted purchases of some dates.
    func tables(in dates: ClosedRange<BusinessDate>) throws -> [TableKey: EncodedTable]
    /// The delays of these tables.
    func delays(in dates: ClosedRange<BusinessDate>) throws -> [TableKey: DelayHistogram]

    /// All exceptions that are not resolved, waived ones included.
    func unresolvedExceptions(threads: Int) throws -> [ExceptionRecord]
    /// All exceptions of these cases, resolved ones included, apart from the `known` ids.
    func exceptions(ofCases cases: Set<CaseID>, except known: Set<ExceptionID>) throws -> [ExceptionRecord]
    /// Nil if no exception has this id.
    func exception(id: ExceptionID) throws -> ExceptionRecord?
    /// What the runs of this business date put on record for reports: of each exception the last row.
    func rows(ofDate date: BusinessDate) throws -> [ExceptionRow]

    /// The retry entries that the exceptions of the last night demanded.
    func demandedRetryEntries(threads: Int) throws -> [RetryEntry]
    /// The retry entries with these keys, as far as they exist.
    func retryEntries(ofKeys keys: Set<String>) throws -> [RetryEntry]
    func retryEntries(ofExceptions ids: Set<ExceptionID>) throws -> [RetryEntry]
    /// Lost orders whose goods a machine was first asked to give since then. Those that a person released are left out.
    func lostOrdersAsked(since instant: Instant) throws -> [ExceptionRecord]
    /// What the consumer ever answered under these keys.
    func answers(to keys: Set<String>) throws -> Set<AckOutcome>
    /// Whether an earlier night already read this acknowledgement.
    func isKnown(_ answer: Acknowledgement) throws -> Bool

    /// What each of the last runs reported, newest first, as far as they judged by the rules of the last one.
    func marks(ofLast runs: Int) throws -> [NightMarks]
    /// Cases that may contain one of these texts as an identifier. The caller checks whether the evidence really does.
    func cases(knowing texts: [String]) throws -> Set<CaseID>
    /// The rejected rows of files of credits, orders and transactions dated `date` or later.
    func rejectedRows(since date: BusinessDate) throws -> [RejectedRow]
    /// Rejected rows of which a person decided that they stand for nothing, and which say by a number which rows they are.
    func settledRows() throws -> Set<[UInt8]>
    /// Calls `body` for each of Apple's current transactions outside `cases`, with the time of purchase and whether it
    /// is of another app, by the policy's bundle ids. Transactions that are neither proven nor of another app are left out.
    func forEachPurchase(
        in span: Range<Instant>, _ policy: Policy, except cases: Set<CaseID>,
        _ body: (_ purchasedAt: Instant, _ isForeign: Bool) -> Void
    ) throws
    /// The rows of each delivered file of this kind and these dates.
    func rowCounts(
        of kind: FeedKind, on dates: Set<BusinessDate>
    ) throws -> [(name: String, date: BusinessDate, rows: RowCount)]
    /// The files of this kind that the runs of this and later dates read, oldest first.
    func files(of kind: FeedKind, since date: BusinessDate) throws -> [FileLine]
}

/// What every night starts from. The default values are what the first night finds.
public struct HistoryHead: Sendable {
    /// Nil before the first night.
    public var lastRun: RunRecord?
    /// The coverage gaps that the last run reported.
    public var coverageGaps: [CoverageGap] = []
    /// The feeds as the last run knew them.
    public var feeds: [FeedRecord] = []
    /// See `NightSettings`.
    public var watched: [String: [String: String]] = [:]
    /// See `NightReport`.
    public var columnRuns: [String: [String: ColumnRun]] = [:]
    public var kindRuns: [String: [String: ColumnRun]] = [:]
    public var doubtfulPrices: [PriceDoubt] = []
    public var goodsBreak: GoodsBreak?
    public var renewalDoubts: [String: DoubtSpan] = [:]
    /// What people decided about coverage gaps, oldest first.
    public var gapDecisions: [GapDecision] = []
    /// The guard's findings of the last run.
    public var guarded: [GuardFinding] = []
    /// All findings that a person has ever released.
    public var releasedFindings: [GuardFinding] = []
    /// How many purchases on record count as credited by their orders' status alone: those that wait for no credits file, and the
    /// others.
    public var statusOnly = 0, statusOnlyAwaited = 0
    /// The dates on which each feed delivered, by the feed's name.
    public var arrivals: [String: Set<BusinessDate>] = [:]
    /// The product list: one row for each product and first day of validity.
    public var products: [Product] = []
    /// Facts about the whole history that no single case shows.
    public var facts = LedgerFacts()
    /// The lowest number that no case has.
    public var nextCase: CaseID = 1
    public var files: [DeliveryID: NamedFile] = [:]
    /// The bundle ids that were configured when each delivery was read.
    public var bundles: [DeliveryID: Set<Identifier>] = [:]
    /// What each of the last runs emitted, newest first.
    public var retryTotals: [RetryTotals] = []
    /// The last note that a person made on each exception, by the exception's id.
    public var notes: [ExceptionID: String] = [:]

    public init() {}
}

/// What the guard compares of an earlier night's report.
public struct NightMarks: Sendable {
    /// See `NightReport`. Purchases that waited for a credits file do not count as `status_only`.
    public var flags: [String: Int]
    /// The guard's findings, those included that a person released later.
    public var guarded: [GuardFinding]

    public init(flags: [String: Int], guarded: [GuardFinding]) { (self.flags, self.guarded) = (flags, guarded) }
}

/// The history before the first night: empty.
public struct EmptyHistory: History {
    public init() {}

    public func head() -> HistoryHead { HistoryHead() }
    public func cases(touchedBy evidence: Evidence, policy: Policy) -> Set<CaseID> { [] }
    public func cases(naming orders: Set<Identifier>) -> Set<CaseID> { [] }
    public func cases(withTokens tokens: Set<Token>) -> Set<CaseID> { [] }
    public func cases(judged verdict: Verdict, _ cause: Cause) -> Set<CaseID> { [] }
    public func cases(unlinkedUnder keys: Set<SuggestionKey>) -> Set<CaseID> { [] }
    public func cases(knowing texts: [String]) -> Set<CaseID> { [] }
    public func openCases() -> Set<CaseID> { [] }
    public func ranges(ofCases size: Int) -> [Range<CaseID>] { [] }
    public func load(cases: Set<CaseID>) -> StoredEvidence { StoredEvidence() }
    public func load(cases: Range<CaseID>, through last: DeliveryID) -> StoredEvidence { StoredEvidence() }
    public func owners(of tokens: Set<Token>) -> [Token: TokenAccounts] { [:] }
    public func verdicts(of cases: Set<CaseID>) -> [CaseID: [StoredVerdict]] { [:] }
    public func tally() -> SubjectTally { SubjectTally() }
    public func files(of kind: FeedKind, since date: BusinessDate) -> [FileLine] { [] }
    public func purchases(since date: BusinessDate) -> PurchaseTally { PurchaseTally() }
    public func tables(ofBlocks blocks: Set<Int64>) -> [TableKey: EncodedTable] { [:] }
    public func tables(in dates: ClosedRange<BusinessDate>) -> [TableKey: EncodedTable] { [:] }
    public func delays(in dates: ClosedRange<BusinessDate>) -> [TableKey: DelayHistogram] { [:] }
    public func unresolvedExceptions(threads: Int) -> [ExceptionRecord] { [] }
    public func exceptions(ofCases cases: Set<CaseID>, except known: Set<ExceptionID>) -> [ExceptionRecord] { [] }
    public func exception(id: ExceptionID) -> ExceptionRecord? { nil }
    public func rows(ofDate date: BusinessDate) -> [ExceptionRow] { [] }
    public func demandedRetryEntries(threads: Int) -> [RetryEntry] { [] }
    public func retryEntries(ofKeys keys: Set<String>) -> [RetryEntry] { [] }
    public func retryEntries(ofExceptions ids: Set<ExceptionID>) -> [RetryEntry] { [] }
    public func lostOrdersAsked(since instant: Instant) -> [ExceptionRecord] { [] }
    public func isKnown(_ answer: Acknowledgement) -> Bool { false }
    public func marks(ofLast runs: Int) -> [NightMarks] { [] }
    public func rejectedRows(since date: BusinessDate) -> [RejectedRow] { [] }
    public func settledRows() -> Set<[UInt8]> { [] }
    public func answers(to keys: Set<String>) -> Set<AckOutcome> { [] }
    public func forEachPurchase(
        in span: Range<Instant>, _ policy: Policy, except cases: Set<CaseID>,
        _ body: (_ purchasedAt: Instant, _ isForeign: Bool) -> Void
    ) {}
    public func rowCounts(
        of kind: FeedKind, on dates: Set<BusinessDate>
    ) -> [(name: String, date: BusinessDate, rows: RowCount)] { [] }
}

extension History {
    /// A machine was asked to give goods. It has not refused for good, was asked before that, or has once said that they are given.
    func mayHaveGiven(_ entry: RetryEntry) throws -> Bool {
        guard entry.facts.action == .credit, entry.attempts > 0 else { return false }
        return try entry.answer != .permanentError || entry.attempts > 1
            || !answers(to: [entry.key]).isDisjoint(with: [.applied, .alreadyApplied])
    }
}
