/// One night's line of the roll-forward.
package struct NightMovement: Hashable, Sendable, Codable {
    /// Business date, `YYYY-MM-DD`.
    package var date: String
    package var run: Int
    package var line: RollForwardLine

    package init(date: String, run: Int, line: RollForwardLine) {
        self.date = date
        self.run = run
        self.line = line
    }
}

/// What later evidence changed in a month that was closed.
package struct RestatedLine: Hashable, Sendable, Codable {
    /// `YYYY-MM` of the closed month.
    package var period: String
    package var currency: String
    /// As last reported, when it was closed or in a month closed since.
    package var reported: Movements
    package var now: Movements

    package init(period: String, currency: String, reported: Movements, now: Movements) {
        self.period = period
        self.currency = currency
        self.reported = reported
        self.now = now
    }

    package var change: Movements { now - reported }
}

/// The subject that a closed month changed by.
package struct RestatedSubject: Hashable, Sendable, Codable {
    package var period: String
    package var subject: String
    package var product: String?
    package var currency: String
    package var change: Movements

    package init(period: String, subject: String, product: String?, currency: String, change: Movements) {
        self.period = period
        self.subject = subject
        self.product = product
        self.currency = currency
        self.change = change
    }
}

/// Units and what customers paid for them, minor units.
package struct UnitsAndValue: Hashable, Sendable, Codable {
    package var units: Int64 = 0
    package var minor: Int64 = 0
    package init(units: Int64 = 0, minor: Int64 = 0) {
        self.units = units
        self.minor = minor
    }
    package static func + (left: Self, right: Self) -> Self {
        UnitsAndValue(units: left.units + right.units, minor: left.minor + right.minor)
    }
    package static func - (left: Self, right: Self) -> Self {
        UnitsAndValue(units: left.units - right.units, minor: left.minor - right.minor)
    }
    package static func += (left: inout Self, right: Self) { left = left + right }
}

/// Why ledger and Apple's report may differ. APPLE.md §7.
package enum BridgeStep: String, Sendable, Codable, CaseIterable {
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
package struct BridgeLine: Hashable, Sendable, Codable {
    package var product: String
    /// Two letters as Apple's report has it; empty where the ledger knows none.
    package var country: String
    package var currency: String
    /// `S` or `R`; of returns, units and value are negative, as Apple's are.
    package var kind: String
    package var ledger = UnitsAndValue()
    package var apple = UnitsAndValue()
    package var steps: [BridgeStep: UnitsAndValue] = [:]

    package init(product: String, country: String, currency: String, kind: String) {
        self.product = product
        self.country = country
        self.currency = currency
        self.kind = kind
    }

    package var difference: UnitsAndValue { ledger - apple }
    package var explained: UnitsAndValue { steps.values.reduce(UnitsAndValue(), +) }
    package var unexplained: UnitsAndValue { difference - explained }
}

/// One of Apple's financial reports, as it was read.
package struct AppleReportFile: Hashable, Sendable, Codable {
    package var name: String
    /// SHA-256, hexadecimal.
    package var digest: String
    package var rows: Int
    /// Its period, `YYYY-MM-DD`.
    package var first: String
    package var last: String
    /// What does not add up in it and harms nothing.
    package var remarks: [String]

    package init(name: String, digest: String, rows: Int, first: String, last: String, remarks: [String]) {
        self.name = name
        self.digest = digest
        self.rows = rows
        self.first = first
        self.last = last
        self.remarks = remarks
    }
}

/// A month beside Apple's financial reports.
package struct AppleBridge: Hashable, Sendable, Codable {
    package var files: [AppleReportFile]
    /// Sorted by product, country, currency, kind.
    package var lines: [BridgeLine]

    package init(files: [AppleReportFile], lines: [BridgeLine]) {
        self.files = files
        self.lines = lines
    }
}

/// Everything that finance closes a month with: what the month's files are rendered from, and nothing else is.
package struct MonthReport: Hashable, Sendable, Codable {
    /// `YYYY-MM`.
    package var period: String
    package var isFiscal: Bool
    /// Business dates, both part of it.
    package var first: String
    package var last: String
    package var timeZone: String
    /// Milliseconds since 1970, UTC: all evidence known then.
    package var asOf: Int64
    /// The last night that this rests on: its number in the ledger, and its business date.
    package var run: Int
    package var lastNight: String
    package var version: String
    /// When it was closed, milliseconds since 1970; nil: it is provisional.
    package var closedAt: Int64?
    /// Within the month only.
    package var blindSpots: [BlindSpot] = []
    /// Sorted by currency.
    package var money: [MoneyLine] = []
    package var unpriced = UnpricedCounts()
    /// Sorted by currency, then in the catalogue's order.
    package var rollForward: [RollForwardLine] = []
    package var nights: [NightMovement] = []
    package var sales: [SalesLine] = []
    /// By currency, reason, then subject.
    package var differences: [DifferenceLine] = []
    package var refunds: [MonthRefund] = []
    /// Open at the month's end, and resolved or waived within it.
    package var open: [ExceptionRow] = []
    package var cleared: [ExceptionRow] = []
    package var restated: [RestatedLine] = []
    package var restatedSubjects: [RestatedSubject] = []
    package var sources: [FileLine] = []
    /// Nil where no report of Apple's was there.
    package var apple: AppleBridge?

    package init(
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

    package var isComplete: Bool { blindSpots.isEmpty }
    /// Nights ran up to its last day.
    package var isOver: Bool { lastNight >= last }
}
