/// All figures that finance closes a month with. The month's files are rendered from this value alone.
public struct MonthReport: Hashable, Sendable, Codable {
    /// `YYYY-MM`.
    public var period: String
    /// Apple's fiscal month rather than the calendar's.
    public var isFiscal: Bool
    public var first: BusinessDate
    /// The last business date of the month, included.
    public var last: BusinessDate
    /// The business time zone, which decides the month an instant falls into.
    public var timeZone: String
    /// All evidence known at this instant is included.
    public var asOf: Instant
    /// The ledger's number of the last night that the report rests on.
    public var run: RunID
    public var lastNight: BusinessDate
    public var version: String
    /// Whose month it is: the apps by their bundle ids, and the environment of the payments.
    public var bundles: [String] = []
    public var environment = ""
    /// The ledger's closed months, where they are of the other calendar: this month is then only shown.
    @OmittedIfEmpty public var closedByOther: [String] = []
    /// How the month was closed; nil while the report is provisional.
    public var closing: MonthClosing?
    public var coverageGaps: [CoverageGap] = []
    /// The month's gaps that people accepted; they do not count.
    @OmittedIfEmpty public var acceptedGaps: [GapDecision] = []
    /// How the settings that decide verdicts differ from those by which a month was closed last: what they change of closed
    /// months is restated like later evidence.
    @OmittedIfEmpty public var settingsChanged: [SettingChange] = []
    /// The settings that decide what counts as unexplained: `finance.collect`, `finance.otherProducts` and
    /// `finance.tolerance`, as the configuration writes them; empty for one that is not set.
    public var thresholds: [String: String] = [:]
    /// Whether a changed setting may have changed closed months. An account or a threshold changes none.
    public var isRestatedBySettings: Bool {
        settingsChanged.contains { !$0.isOfFinance }
    }
    /// The date from which the records are complete, where that is after the month's first day; else nil.
    public var recordsFrom: BusinessDate?
    /// Sorted by currency.
    public var money: [MoneyLine] = []
    /// Movements that have no price and so are missing in `money`.
    public var unpriced = UnpricedCounts()
    /// Sorted by currency, then in the order of `Verdict.allCases`.
    public var rollForward: [RollForwardLine] = []
    /// The roll-forward of each night of the month.
    public var nights: [NightMovement] = []
    /// Sorted by product, storefront and currency.
    public var sales: [SalesLine] = []
    /// How the goods of the month's purchases reached the customers, by date of purchase.
    public var fulfilment: [PurchaseLine] = []
    /// What the month's lost orders have in common. Nil if no purchase is on record.
    public var loss: LossReport?
    /// Sorted by currency, reason and subject.
    public var differences: [DifferenceLine] = []
    /// The differences between the backend's booked amounts and the purchases, by currency, reason and subject.
    public var bookings: [BookingLine] = []
    /// What the rows of `month-purchases.csv.gz` add up to, by kind, currency and source of the price. Empty where the file
    /// was not made.
    public var population: [PopulationSum] = []
    /// The way from the files to the purchases and the bookings, by feed, currency and step.
    public var completeness: [CompletenessLine] = []
    /// Sorted by date of the refund or of its reversal, then transaction.
    public var refunds: [RefundLine] = []
    /// Exceptions that are open at the month's end.
    public var open: [ExceptionRow] = []
    /// Exceptions that were resolved or waived within the month.
    public var cleared: [ExceptionRow] = []
    /// Who waived exceptions among `cleared`.
    public var waivers: [WaiverLine] = []
    /// Where the month's money and the register differ, by currency, verdict and subject.
    public var register: [RegisterLine] = []
    /// Changes to months that were closed before, by month and currency.
    public var restated: [RestatedLine] = []
    /// The other figures of those months that changed.
    public var restatedFigures: [RestatedFigure] = []
    /// Whether days lack evidence as they did when a month was closed last. Nil where none was.
    public var hasSameGaps: Bool?
    /// The same of the rules' version.
    public var hasSameRules: Bool?
    /// What people decided since a month was closed last about files that days of closed months lack.
    @OmittedIfEmpty public var gapDecisions: [GapDecision] = []
    /// The gaps that began or ended since a month was closed last, by date.
    @OmittedIfEmpty public var gapChanges: [GapChange] = []
    /// Which kind is meant by a feed's name in `acceptedGaps` and `gapDecisions`, for the kinds that have one feed.
    @OmittedIfEmpty public var feedKinds: [String: FeedKind] = [:]
    /// The subjects behind those changes.
    public var restatedSubjects: [RestatedSubject] = []
    /// The closed months of the year up to this one, and this one.
    public var year: [YearLine] = []
    /// The closed months of the year before, where later evidence has changed any of them.
    @OmittedIfEmpty public var priorYear: [YearLine] = []
    /// The refunds by month of refund and month of purchase: this month's, and those of closed months before.
    public var cohorts: [RefundCohort] = []
    /// Balances and suggested entries; nil until they are made.
    public var subLedger: SubLedger?
    public var sources: [FileLine] = []
    /// The comparison with Apple's financial reports; nil without a report.
    public var apple: AppleBridge?

    /// The names of the changed settings that may have changed what is judged. Many products have one name.
    public var changedSettings: [String] {
        let names = settingsChanged.filter { !$0.isOfFeed && !$0.isOfFinance }.map(\.setting)
        let others = names.filter { SettingChange.product(of: $0) == nil }
        return names.count - others.count < 4 ? names : others + [SettingChange.products]
    }

    public init(
        _ period: Period, timeZone: String, asOf: Instant, run: RunID, lastNight: BusinessDate, version: String
    ) {
        self.period = period.name
        isFiscal = period.isFiscal
        first = period.first
        last = period.last
        self.timeZone = timeZone
        self.asOf = asOf
        self.run = run
        self.lastNight = lastNight
        self.version = version
    }

    /// UTC where this machine does not know `timeZone`.
    public var zone: Zone { Zone(timeZone) ?? .utc }
    public var month: Period { Period(name: period, isFiscal: isFiscal, first: first, last: last) }
    public var closedAt: Instant? { closing?.at }
    /// Whether the month has no coverage gap and does not begin before the records.
    public var isComplete: Bool { coverageGaps.isEmpty && recordsFrom == nil }
    /// Whether the month ended before the records begin.
    public var isBeforeRecords: Bool { recordsFrom.map { $0 > last } ?? false }
    /// Whether nights have run up to the month's last day.
    public var isOver: Bool { lastNight >= last }
}
