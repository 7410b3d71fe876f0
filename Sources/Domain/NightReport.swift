/// Where an exception stands tonight. RULES §4.
public enum ExceptionState: String, Sendable, CaseIterable, Codable {
    case new, open, changed, reopened, resolved, waived
}

/// An amount as it is kept and exchanged: minor units and the currency's letters.
public struct Amount: Hashable, Sendable, Codable {
    public var minor: Int64
    public var currency: String

    public init(_ money: Money) {
        minor = money.minor
        currency = money.currency.text
    }

    public init(minor: Int64, currency: String) {
        self.minor = minor
        self.currency = currency
    }

    public var money: Money { Money(minor: minor, currency: Currency(currency)!) }
    /// In major units with the currency's own decimals, no currency: `-6.00`.
    public var decimal: String { money.text }
}

/// One exception as a night's reports show it.
public typealias ExceptionRow = Shared<ExceptionFields>

/// The columns of `exceptions.csv`. Lists are sorted by bytes.
public struct ExceptionFields: Hashable, Sendable, Codable {
    public var id: String
    public var state: ExceptionState
    public var verdict: Verdict
    public var cause: Cause
    public var severity: Severity
    /// Business dates, `YYYY-MM-DD`.
    public var firstSeen: String
    public var lastSeen: String
    /// Milliseconds since 1970, UTC.
    public var eventAt: Int64
    public var ageDays: Int
    public var accounts: [String] = []
    public var orders: [String] = []
    public var transactions: [String] = []
    public var originals: [String] = []
    public var receipts: [String] = []
    public var credits: [String] = []
    public var product: String?
    public var quantity: Int32?
    /// In minor units of `amount.currency`.
    public var amount: Amount?
    public var effect: Amount?
    public var short: ShortParty = .nobody
    public var differences: [String] = []
    public var flags: [String] = []
    public var suggestedOrder: String?
    public var action: Action = .none
    public var retryKey: String?
    /// `file:line` of each piece of evidence.
    public var evidence: [String] = []
    public var note: String?
    /// What happened to it last, for people: `resolved: credit CR5 arrived`. Nil where it is new or merely still open.
    public var lastStep: String?

    public init(
        id: String, state: ExceptionState, verdict: Verdict, cause: Cause, severity: Severity, firstSeen: String,
        lastSeen: String, eventAt: Int64, ageDays: Int
    ) {
        self.id = id
        self.state = state
        self.verdict = verdict
        self.cause = cause
        self.severity = severity
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.eventAt = eventAt
        self.ageDays = ageDays
    }
}

extension ExceptionRow {
    public init(
        id: String, state: ExceptionState, verdict: Verdict, cause: Cause, severity: Severity, firstSeen: String,
        lastSeen: String, eventAt: Int64, ageDays: Int
    ) {
        self.init(
            fields: ExceptionFields(
                id: id, state: state, verdict: verdict, cause: cause, severity: severity, firstSeen: firstSeen,
                lastSeen: lastSeen, eventAt: eventAt, ageDays: ageDays))
    }
}

/// How many subjects got one verdict and cause, and what they are worth, per currency. Unpriced subjects count without a value.
public struct VerdictTally: Hashable, Sendable, Codable {
    public var verdict: Verdict
    public var cause: Cause
    public var subjects: Int
    /// Sorted by currency.
    public var amounts: [Amount]

    public init(verdict: Verdict, cause: Cause, subjects: Int, amounts: [Amount]) {
        self.verdict = verdict
        self.cause = cause
        self.subjects = subjects
        self.amounts = amounts
    }
}

/// Rows of one feed kind: `rows = accepted + duplicates + rejected`, always.
public struct RowCounts: Hashable, Sendable, Codable {
    public var rows = 0
    public var accepted = 0
    public var duplicates = 0
    public var rejected = 0
    public init() {}
    public var balances: Bool { rows == accepted + duplicates + rejected }
}

/// A number of exceptions and their worth in one currency, minor units.
public struct CountAndAmount: Hashable, Sendable, Codable {
    public var count = 0
    public var minor: Int64 = 0
    public init(count: Int = 0, minor: Int64 = 0) {
        self.count = count
        self.minor = minor
    }
}

/// opening + new + reopened + changed in − changed out − resolved − waived = closing. RULES §4.
public struct RollForwardLine: Hashable, Sendable, Codable {
    public var verdict: Verdict
    /// Empty for exceptions without a known worth.
    public var currency: String
    public var opening = CountAndAmount()
    public var new = CountAndAmount()
    public var reopened = CountAndAmount()
    public var changedIn = CountAndAmount()
    public var changedOut = CountAndAmount()
    public var resolved = CountAndAmount()
    public var waived = CountAndAmount()
    public var closing = CountAndAmount()

    public init(verdict: Verdict, currency: String) {
        self.verdict = verdict
        self.currency = currency
    }
}

/// A file as the reports list it.
public struct FileLine: Hashable, Sendable, Codable {
    public var name: String
    public var feed: String
    /// SHA-256, hexadecimal.
    public var digest: String
    public var fileDate: String
    public var counts: RowCounts
    /// Milliseconds since 1970, UTC.
    public var firstEvent: Int64?
    public var lastEvent: Int64?
    public var amounts: [Amount]
    /// Sixteen hexadecimal digits.
    public var hashTotal: String
    /// Dated before the run's business date, and so reported a night late.
    public var isLate: Bool

    public init(
        name: String, feed: String, digest: String, fileDate: String, counts: RowCounts, firstEvent: Int64?,
        lastEvent: Int64?, amounts: [Amount], hashTotal: String, isLate: Bool
    ) {
        self.name = name
        self.feed = feed
        self.digest = digest
        self.fileDate = fileDate
        self.counts = counts
        self.firstEvent = firstEvent
        self.lastEvent = lastEvent
        self.amounts = amounts
        self.hashTotal = hashTotal
        self.isLate = isLate
    }
}

/// A rejected row as the reports list it.
public struct RejectLine: Hashable, Sendable, Codable {
    public var source: String
    public var line: Int
    public var column: String?
    public var reason: String
    public var row: [UInt8]

    public init(source: String, line: Int, column: String?, reason: String, row: [UInt8]) {
        self.source = source
        self.line = line
        self.column = column
        self.reason = reason
        self.row = row
    }
}

/// A refund that tonight's evidence told of, for the Refunds sheet.
public struct RefundLine: Hashable, Sendable, Codable {
    public var transaction: String
    public var product: String
    public var account: String?
    /// Milliseconds since 1970, UTC.
    public var purchasedAt: Int64
    public var revokedAt: Int64
    /// Apple's code: 0 other, 1 an issue within the app.
    public var reason: Int32?
    /// `full`, `partial` or `family`.
    public var kind: String
    /// Thousandths of a percent.
    public var percentage: Int32?
    public var amount: Amount?
    public var verdict: Verdict
    public var cause: Cause

    public init(
        transaction: String, product: String, account: String?, purchasedAt: Int64, revokedAt: Int64, reason: Int32?,
        kind: String, percentage: Int32?, amount: Amount?, verdict: Verdict, cause: Cause
    ) {
        self.transaction = transaction
        self.product = product
        self.account = account
        self.purchasedAt = purchasedAt
        self.revokedAt = revokedAt
        self.reason = reason
        self.kind = kind
        self.percentage = percentage
        self.amount = amount
        self.verdict = verdict
        self.cause = cause
    }
}

/// Everything that one night found: what the reports are rendered from, and nothing else is.
public struct NightReport: Hashable, Sendable, Codable {
    public var businessDate: String
    /// Milliseconds since 1970, UTC.
    public var asOf: Int64
    public var horizon: Int64
    public var timeZone: String
    /// The ledger's number for the run.
    public var run: Int
    public var version: String
    /// Over all subjects; by verdict in the order of `Verdict.allCases`, then by cause.
    public var verdicts: [VerdictTally] = []
    /// Keyed by feed kind.
    public var conservation: [String: RowCounts] = [:]
    /// Files read tonight, by name.
    public var files: [FileLine] = []
    /// Files that match a feed and were imported before.
    public var filesSkipped = 0
    public var coverageGaps: [CoverageGap] = []
    /// Refused files that still lie there although their day was delivered since; nil where none does.
    public var settledRefusals: [CoverageGap]?
    /// Sorted by severity, then first seen, then id.
    public var exceptions: [ExceptionRow] = []
    public var rollForward: [RollForwardLine] = []
    public var refunds: [RefundLine] = []
    public var rejects: [RejectLine] = []
    public var retry = RetryCounts()
    /// What of tonight's input a person must look at before anything is given; nil where nothing is.
    public var guarded: [GuardFinding]?
    /// Nil where the configuration wants no retry files.
    public var retryLists: RetryLists?
    public var detectorsAlive = 0
    public var detectors = 0
    /// The run's link in the ledger's chain of digests, hexadecimal; nil before it is made.
    public var link: String?

    public init(businessDate: String, asOf: Int64, horizon: Int64, timeZone: String, run: Int, version: String) {
        self.businessDate = businessDate
        self.asOf = asOf
        self.horizon = horizon
        self.timeZone = timeZone
        self.run = run
        self.version = version
    }
}

private struct ReportRank: Hashable {
    var severity: Severity
    var firstSeen: String
}

extension [ExceptionRow] {
    /// In the order of all lists of exceptions: severest first, then longest open, then by id.
    public func inReportOrder() -> [ExceptionRow] {
        // Of few ranks, and nearly always in the order of ids already: that is seen with one look at each.
        let ranks = Dictionary(grouping: self) {
            ReportRank(severity: $0.fields.severity, firstSeen: $0.fields.firstSeen)
        }
        return ranks.sorted { ($0.key.severity, $0.key.firstSeen) < ($1.key.severity, $1.key.firstSeen) }
            .flatMap { $0.value.sorted { $0.fields.id < $1.fields.id } }
    }
}
