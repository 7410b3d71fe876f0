/// Everything that a night found. The reports are rendered from this value alone.
public struct NightReport: Hashable, Sendable, Codable {
    /// The day that the night reconciled.
    public var businessDate: BusinessDate
    /// When the run took place.
    public var asOf: Instant
    /// "Now" for the rules; see `Horizon`.
    public var horizon: Instant
    public var timeZone: String
    /// The ledger's number for the run.
    public var run: RunID
    public var version: String
    /// All subjects of the ledger, by verdict in the order of `Verdict.allCases`, then by cause.
    public var verdicts: [VerdictTally] = []
    /// How many subjects were judged tonight.
    public var judged = 0
    /// How many of them have each flag, by the flag's name. Flags that none has are left out.
    public var flags: [String: Int] = [:]
    /// How the purchases of the last `purchaseDays` dates reached the customers, by date.
    public var purchases: [PurchaseLine] = []
    /// What lost orders have in common, and whether they are more than usual. Nil if no purchase is on record.
    public var loss: LossReport?
    /// Rows read tonight, by feed kind.
    public var conservation: [FeedKind: RowCounts] = [:]
    /// The files that were read tonight, by name.
    public var files: [FileLine] = []
    /// How many files match a feed but were imported in an earlier night.
    public var filesSkipped = 0
    /// Missing and refused files, sorted by date, feed and reason.
    public var coverageGaps: [CoverageGap] = []
    /// The gaps that people accepted, with their reasons.
    @OmittedIfEmpty public var acceptedGaps: [GapDecision] = []
    /// The feeds as the configuration had them, with the date since which each is expected.
    public var feeds: [FeedRecord] = []
    /// The names of the feeds' labels, sorted.
    @OmittedIfEmpty public var labels: [String] = []
    /// What the configuration changed since the night before.
    @OmittedIfEmpty public var settingsChanged: [SettingChange] = []
    /// See `NightSettings`.
    public var watched: [String: [String: String]] = [:]
    /// How each feed's files have had its columns, by the feed's name.
    public var columnRuns: [String: [String: ColumnRun]] = [:]
    /// How the parts of each credits feed have had `kind`, by the feed's name and the part's (`Feed.part`).
    @OmittedIfEmpty public var kindRuns: [String: [String: ColumnRun]] = [:]
    /// The listed prices that are a hundred times Apple's, or a hundredth.
    @OmittedIfEmpty public var doubtfulPrices: [PriceDoubt] = []
    /// Sorted by severity, then first seen, then id.
    public var exceptions: [ExceptionRow] = []
    /// Which of them the desk has in hand.
    @OmittedIfEmpty public var assigned: [AssignedCase] = []
    /// Opening and closing balance of exceptions by verdict and currency.
    public var rollForward: [RollForwardLine] = []
    /// Refunds that tonight's evidence reported.
    public var refunds: [RefundLine] = []
    /// Rows that could not be used.
    public var rejects: [RejectLine] = []
    public var retry = RetryCounts()
    /// How many of the consumer's answers came tonight, by outcome. Nil if the configuration turns retry files
    /// off.
    public var retryAnswers: [String: Int]?
    /// The rows of each required feed on the business date.
    public var feedRows: [FeedRows] = []
    /// Figures of tonight's input that a person must look at before goods are given.
    @OmittedIfEmpty public var guarded: [GuardFinding] = []
    /// Purchases on record that are credited by their order's status alone: by how many they grew since the first night that
    /// counted them, without those that wait for a credits file. Nil without one.
    public var statusOnlyOnRecord: Int?
    /// How many such purchases may have a row in a credits file that is not due yet. Nil without one.
    public var statusOnlyAwaited: Int?
    /// The break in the goods on record, and how many purchases in it lack their goods; nil without a break.
    public var goodsBreak: GoodsBreak?
    /// The first rejected row that withholds the goods of several customers, as `file:line`; nil without one.
    public var withholdingRow: String?
    /// The goods that no machine gives, by reason.
    @OmittedIfEmpty public var withheld: [WithheldCredits] = []
    /// By product id, the date since when its renewals are withheld.
    @OmittedIfEmpty public var renewalDoubts: [String: DoubtSpan] = [:]
    /// Nil if the configuration turns retry files off.
    public var retryLists: RetryLists?
    /// How many checks of the self-test found what they should find.
    public var detectorsAlive = 0
    /// How many checks the self-test ran.
    public var detectors = 0
    /// The run's link in the ledger's chain of digests, in hexadecimal. Nil until it is computed.
    public var link: String?
}

extension NightReport {
    /// UTC where this machine does not know `timeZone`.
    public var zone: Zone { Zone(timeZone) ?? .utc }

    /// How many dates `purchases` covers.
    public static let purchaseDays = 30
    /// How many dates `loss` counts the values of.
    public static let week = 7
}

extension NightReport {
    /// How many subjects judged tonight count as credited by their order's status alone, and wait for no credits file, where
    /// that is unusual: a credits feed is required, and fewer than half of the subjects are such. Nil if it is not, or there are none.
    public var statusOnly: Int? {
        let count = (flags[.statusOnly] ?? 0) - (statusOnlyAwaited ?? 0)
        guard count > 0, count * 2 < judged else { return nil }
        return feeds.contains { $0.kind == .credits && $0.isRequired } ? count : nil
    }
}

/// What a change of the configuration may hide.
extension NightReport {
    /// How many exceptions are resolved because their purchases are out of scope now, although no new evidence says so.
    public var closedBySettings: Int {
        exceptions.count { row in
            guard case .resolvedAs(.outOfScope, _, let evidence)? = row.lastEvent else { return false }
            return evidence.isEmpty
        }
    }

    /// The kinds of feeds of which fewer are required than in the night before, although none was removed.
    public var unrequired: [FeedKind] { FeedKind.allCases.filter { isLessRequired($0) && !isRemoved($0) } }

    /// The kinds of feeds of which one was removed that was required, or that was the last one of credits.
    public var removed: [FeedKind] {
        FeedKind.allCases.filter { isRemoved($0) && (isLessRequired($0) || $0 == .credits && lacksCredits) }
    }

    /// The configuration has no feed of credits any more, so no machine gives goods.
    public var lacksCredits: Bool {
        let credits = feeds.filter { $0.kind == .credits }
        return !credits.isEmpty && credits.allSatisfy { watched[$0.name] == nil }
    }

    private func isLessRequired(_ kind: FeedKind) -> Bool {
        func count(_ value: (SettingChange) -> String?) -> Int {
            settingsChanged.count { $0.isOfFeed && SettingChange.isRequired(value($0), kind) }
        }
        return count(\.old) > count(\.new)
    }

    private func isRemoved(_ kind: FeedKind) -> Bool {
        settingsChanged.contains { $0.isOfFeed && $0.new == nil && SettingChange.isFeed($0.old, kind) }
    }
}

extension NightReport {
    /// The graces that are longer than in the night before: what is lost stays unseen for so long.
    public var longerGraces: [SettingChange] { settingsChanged.filter(\.isLongerGrace) }
}

/// How many purchases of one date reached the customer in one way, and what they are worth.
public struct PurchaseLine: Hashable, Sendable, Codable {
    public var date: BusinessDate
    public var fulfilment: Fulfilment
    /// How many purchases, including those without a price.
    public var count: Int
    /// Their worth, sorted by currency.
    public var amounts: [Money]
}

extension NightReport {
    /// The products whose renewals are withheld, while the night still asks a person to look at them.
    public var toldRenewals: [String] {
        withheldRenewals.filter { renewalDoubts[$0]?.isTold(on: businessDate) == true }
    }

    private var withheldRenewals: [String] { withheld.filter { $0.reason == .renewals }.flatMap(\.names) }

    /// Keeps what is withheld, and since when renewals are.
    ///
    /// - Parameters:
    ///   - isWhole: no file is missing without which a renewal is not known to lack its goods.
    ///   - lacking: the products of which so many renewals lack their goods that the backend may not record them. Of others,
    ///     single renewals were lost.
    mutating func note(
        withheld all: [WithheldCredits], after known: [String: DoubtSpan], isWhole: Bool, lacking: Set<Identifier>
    ) {
        withheld = all
        let products = withheldRenewals.filter { lacking.contains(Identifier($0)) }
        let spans = Set(products).union(known.keys).compactMap { product in
            DoubtSpan.updated(
                known[product], isWrong: products.contains(product) ? true : isWhole ? false : nil, on: businessDate
            ).map { (product, $0) }
        }
        renewalDoubts = Dictionary(uniqueKeysWithValues: spans)
    }

    /// Whether the log has the warning. It leaves out a doubt that has been told for its week.
    func tells(_ warning: NightWarning) -> Bool {
        warning.withheld?.reason != .renewals || !toldRenewals.isEmpty
    }

    /// The break, where purchases in it lack their goods.
    public var openBreak: GoodsBreak? { goodsBreak.flatMap { $0.count > 0 ? $0 : nil } }
    /// The same break, while the night still asks a person to look at it.
    public var toldBreak: GoodsBreak? { openBreak.flatMap { $0.span?.isTold(on: businessDate) == true ? $0 : nil } }
}

/// Purchases that lack their goods and were made after the oldest goods on record, before a break of more than 14 days ended.
public struct GoodsBreak: Hashable, Codable, Sendable {
    public var count: Int
    /// The date of the oldest goods on record.
    public var oldest: BusinessDate
    /// The date from which goods are on record without a break.
    public var end: BusinessDate
    /// The row of the oldest goods, as `file:line`. Nil if it was never at hand.
    public var place: String?
    /// Since when purchases lack their goods. Nil where none does, and did lately.
    public var span: DoubtSpan?
}
