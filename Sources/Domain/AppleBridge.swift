/// One night's line of the roll-forward.
public struct NightMovement: Hashable, Sendable, Codable {
    /// Business date, `YYYY-MM-DD`.
    public var date: String
    public var run: Int
    public var line: RollForwardLine

    public init(date: String, run: Int, line: RollForwardLine) {
        self.date = date
        self.run = run
        self.line = line
    }
}

/// What later evidence changed in a month that was closed.
public struct RestatedLine: Hashable, Sendable, Codable {
    /// `YYYY-MM` of the closed month.
    public var period: String
    public var currency: String
    /// As last reported, when it was closed or in a month closed since.
    public var reported: Movements
    public var now: Movements

    public init(period: String, currency: String, reported: Movements, now: Movements) {
        self.period = period
        self.currency = currency
        self.reported = reported
        self.now = now
    }

    public var change: Movements { now - reported }
}

/// The subject that a closed month changed by.
public struct RestatedSubject: Hashable, Sendable, Codable {
    public var period: String
    public var subject: String
    public var product: String?
    public var currency: String
    public var change: Movements

    public init(period: String, subject: String, product: String?, currency: String, change: Movements) {
        self.period = period
        self.subject = subject
        self.product = product
        self.currency = currency
        self.change = change
    }
}

/// Units and what customers paid for them, minor units.
public struct UnitsAndValue: Hashable, Sendable, Codable {
    public var units: Int64 = 0
    public var minor: Int64 = 0
    public init(units: Int64 = 0, minor: Int64 = 0) {
        self.units = units
        self.minor = minor
    }
    public static func + (left: Self, right: Self) -> Self {
        UnitsAndValue(units: left.units + right.units, minor: left.minor + right.minor)
    }
    public static func - (left: Self, right: Self) -> Self {
        UnitsAndValue(units: left.units - right.units, minor: left.minor - right.minor)
    }
    public static func += (left: inout Self, right: Self) { left = left + right }
}

/// Why ledger and Apple's report may differ. APPLE.md §7.
public enum BridgeStep: String, Sendable, Codable, CaseIterable {
    /// Exact: days of the month that Apple's period does not have, less days that it has besides.
    case fiscalDays = "fiscal_days"
    /// Exact: Apple sold what the ledger has never seen.
    case unknownProduct = "unknown_product"
    /// At most: purchases at an edge of Apple's period, whose payment Apple had not collected at its end.
    case notCollected = "not_collected"
    /// At most: refunds at an edge of Apple's period.
    case refundTiming = "refund_timing"
}

/// One product, country, currency and kind on both sides.
public struct BridgeLine: Hashable, Sendable, Codable {
    public var product: String
    /// Two letters as Apple's report has it; empty where the ledger knows none.
    public var country: String
    public var currency: String
    /// `S` or `R`; of returns, units and value are negative, as Apple's are.
    public var kind: String
    public var ledger = UnitsAndValue()
    public var apple = UnitsAndValue()
    public var steps: [BridgeStep: UnitsAndValue] = [:]

    public init(product: String, country: String, currency: String, kind: String) {
        self.product = product
        self.country = country
        self.currency = currency
        self.kind = kind
    }

    public var difference: UnitsAndValue { ledger - apple }
    public var explained: UnitsAndValue { steps.values.reduce(UnitsAndValue(), +) }
    public var unexplained: UnitsAndValue { difference - explained }
}

/// One of Apple's financial reports, as it was read.
public struct AppleReportFile: Hashable, Sendable, Codable {
    public var name: String
    /// SHA-256, hexadecimal.
    public var digest: String
    public var rows: Int
    /// Its period, `YYYY-MM-DD`.
    public var first: String
    public var last: String
    /// What does not add up in it and harms nothing.
    public var remarks: [String]

    public init(name: String, digest: String, rows: Int, first: String, last: String, remarks: [String]) {
        self.name = name
        self.digest = digest
        self.rows = rows
        self.first = first
        self.last = last
        self.remarks = remarks
    }
}

/// A month beside Apple's financial reports.
public struct AppleBridge: Hashable, Sendable, Codable {
    public var files: [AppleReportFile]
    /// Sorted by product, country, currency, kind.
    public var lines: [BridgeLine]

    public init(files: [AppleReportFile], lines: [BridgeLine]) {
        self.files = files
        self.lines = lines
    }
}

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
