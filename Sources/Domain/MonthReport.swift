/// Everything that finance closes a month with: what the month's files are rendered from, and nothing else is.
public struct MonthReport: Hashable, Sendable, Codable {
    /// `YYYY-MM`.
    public var period: String
    public var isFiscal: Bool
    /// Business dates, both part of it.
    public var first: String
    public var last: String
    public var timeZone: String
    /// Milliseconds since 1970, UTC: all evidence known then.
    public var asOf: Int64
    /// The last night that this rests on: its number in the ledger, and its business date.
    public var run: Int
    public var lastNight: String
    public var version: String
    /// When it was closed, milliseconds since 1970; nil: it is provisional.
    public var closedAt: Int64?
    /// Within the month only.
    public var coverageGaps: [CoverageGap] = []
    /// Sorted by currency.
    public var money: [MoneyLine] = []
    public var unpriced = UnpricedCounts()
    /// Sorted by currency, then in the catalogue's order.
    public var rollForward: [RollForwardLine] = []
    public var nights: [NightMovement] = []
    public var sales: [SalesLine] = []
    /// By currency, reason, then subject.
    public var differences: [DifferenceLine] = []
    public var refunds: [MonthRefund] = []
    /// Open at the month's end, and resolved or waived within it.
    public var open: [ExceptionRow] = []
    public var cleared: [ExceptionRow] = []
    public var restated: [RestatedLine] = []
    public var restatedSubjects: [RestatedSubject] = []
    public var sources: [FileLine] = []
    /// Nil where no report of Apple's was there.
    public var apple: AppleBridge?

    public init(
        _ period: Period, timeZone: String, asOf: Int64, run: Int, lastNight: String, version: String
    ) {
        self.period = period.name
        isFiscal = period.isFiscal
        first = period.first.text
        last = period.last.text
        self.timeZone = timeZone
        self.asOf = asOf
        self.run = run
        self.lastNight = lastNight
        self.version = version
    }

    public var isComplete: Bool { coverageGaps.isEmpty }
    /// Nights ran up to its last day.
    public var isOver: Bool { lastNight >= last }
}
