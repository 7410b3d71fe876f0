public import Domain
public import Exceptions

/// What earlier nights left behind, as the engine reads it.
///
/// `Ledger` is one history, `EmptyHistory` is the first night's. Nothing is written through it: a night comes out as
/// a `Night`, and a ledger applies it as a whole.
public protocol History {
    /// The last run and what every night starts from.
    func head() throws -> HistoryHead

    /// Cases that hold an identifier which new evidence names.
    func cases(touchedBy evidence: Evidence, policy: Policy) throws -> Set<Int64>
    /// Cases that hold or name one of these orders.
    func cases(naming orders: Set<Identifier>) throws -> Set<Int64>
    func cases(withTokens tokens: Set<Token>) throws -> Set<Int64>
    /// Cases with a subject of that verdict and cause.
    func cases(judged verdict: Verdict, _ cause: Cause) throws -> Set<Int64>
    /// Cases that hold unlinked evidence under one of these keys. A case may have been linked since.
    func cases(unlinkedUnder keys: Set<SuggestionKey>) throws -> Set<Int64>
    /// Cases that are judged every night: open, waiting or undetermined.
    func openCases() throws -> Set<Int64>
    /// All case numbers, in ranges of `size` numbers each, without the ranges that hold no case.
    func ranges(ofCases size: Int64) throws -> [Range<Int64>]

    /// All versions of all evidence of these cases, in ascending order of case.
    func load(cases: Set<Int64>) throws -> StoredEvidence
    /// The same for a range of case numbers, as far as it came with deliveries up to `last`.
    func load(cases: Range<Int64>, through last: Int32) throws -> StoredEvidence
    /// How many current orders of each account carry each of these tokens.
    func owners(of tokens: Set<Token>) throws -> [Token: TokenAccounts]

    /// The verdicts on record, by case, in the order of each case's subjects.
    func verdicts(of cases: Set<Int64>) throws -> [Int64: [StoredVerdict]]
    /// How many subjects have each verdict.
    func tally() throws -> Tally

    /// All exceptions that are not resolved.
    func unresolvedExceptions() throws -> [ExceptionRecord]
    /// The exceptions of these cases other than the `known` ones.
    func exceptions(ofCases cases: Set<Int64>, except known: Set<String>) throws -> [ExceptionRecord]
    /// Nil where no exception has this id.
    func exception(id: String) throws -> ExceptionRecord?

    /// Retry entries that the last night's exceptions demanded.
    func demandedRetryEntries() throws -> [RetryEntry]
    func retryEntries(ofKeys keys: Set<String>) throws -> [RetryEntry]
    func retryEntries(ofExceptions ids: Set<String>, except known: Set<String>) throws -> [RetryEntry]
    /// Whether an earlier night read the same answer of the consumer.
    func isKnown(_ answer: Acknowledgement) throws -> Bool

    /// Rows of credits files dated `date` or later that could not be used.
    func rejectedCredits(since date: BusinessDate) throws -> [RejectedCredit]
    /// Lends when each of Apple's current transactions outside `cases` was purchased, and whether it is of another app.
    /// Transactions that are neither proven nor of another app are left out.
    func forEachPurchase(
        in span: Range<Instant>, _ environment: AppEnvironment, except cases: Set<Int64>,
        _ body: (_ purchasedAt: Instant, _ isForeign: Bool) -> Void
    ) throws
    /// Usable rows of each delivered file of that kind and these dates.
    func rowCounts(
        of kind: FeedKind, on dates: Set<BusinessDate>
    ) throws -> [(name: String, date: BusinessDate, rows: Int)]
}

/// What every night starts from. The default is what the first night finds.
public struct HistoryHead: Sendable {
    /// Nil before the first night.
    public var lastRun: RunRecord?
    /// Coverage gaps that the last run reported, and refused files whose day it knew to have come.
    public var coverageGaps: [CoverageGap] = []
    public var settledRefusals: [CoverageGap] = []
    /// Why the last run was guarded, and all findings that a person has released.
    public var guarded: [GuardFinding] = []
    public var releasedFindings: [GuardFinding] = []
    /// The dates on which each feed delivered, by the feed's name.
    public var arrivals: [String: Set<BusinessDate>] = [:]
    public var products: [Product] = []
    public var facts = LedgerFacts()
    /// The lowest case number that no case has.
    public var nextCase: Int64 = 1
    /// File names and SHA-256 (hexadecimal) of all deliveries.
    public var deliveryNames: [Int32: String] = [:]
    public var deliveryDigests: [Int32: String] = [:]
    /// What the last runs emitted, newest first.
    public var retryTotals: [RetryTotals] = []
    /// What a person last noted on each exception, by its id.
    public var notes: [String: String] = [:]

    public init() {}
}

/// The history of the first night.
public struct EmptyHistory: History {
    public init() {}

    public func head() -> HistoryHead { HistoryHead() }
    public func cases(touchedBy evidence: Evidence, policy: Policy) -> Set<Int64> { [] }
    public func cases(naming orders: Set<Identifier>) -> Set<Int64> { [] }
    public func cases(withTokens tokens: Set<Token>) -> Set<Int64> { [] }
    public func cases(judged verdict: Verdict, _ cause: Cause) -> Set<Int64> { [] }
    public func cases(unlinkedUnder keys: Set<SuggestionKey>) -> Set<Int64> { [] }
    public func openCases() -> Set<Int64> { [] }
    public func ranges(ofCases size: Int64) -> [Range<Int64>] { [] }
    public func load(cases: Set<Int64>) -> StoredEvidence { StoredEvidence() }
    public func load(cases: Range<Int64>, through last: Int32) -> StoredEvidence { StoredEvidence() }
    public func owners(of tokens: Set<Token>) -> [Token: TokenAccounts] { [:] }
    public func verdicts(of cases: Set<Int64>) -> [Int64: [StoredVerdict]] { [:] }
    public func tally() -> Tally { Tally() }
    public func unresolvedExceptions() -> [ExceptionRecord] { [] }
    public func exceptions(ofCases cases: Set<Int64>, except known: Set<String>) -> [ExceptionRecord] { [] }
    public func exception(id: String) -> ExceptionRecord? { nil }
    public func demandedRetryEntries() -> [RetryEntry] { [] }
    public func retryEntries(ofKeys keys: Set<String>) -> [RetryEntry] { [] }
    public func retryEntries(ofExceptions ids: Set<String>, except known: Set<String>) -> [RetryEntry] { [] }
    public func isKnown(_ answer: Acknowledgement) -> Bool { false }
    public func rejectedCredits(since date: BusinessDate) -> [RejectedCredit] { [] }
    public func forEachPurchase(
        in span: Range<Instant>, _ environment: AppEnvironment, except cases: Set<Int64>,
        _ body: (_ purchasedAt: Instant, _ isForeign: Bool) -> Void
    ) {}
    public func rowCounts(
        of kind: FeedKind, on dates: Set<BusinessDate>
    ) -> [(name: String, date: BusinessDate, rows: Int)] { [] }
}
