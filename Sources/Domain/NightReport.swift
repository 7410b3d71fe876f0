/// Where an exception stands tonight. RULES §4.
package enum ExceptionState: String, Sendable, CaseIterable, Codable {
    case new, open, changed, reopened, resolved, waived
}

/// An amount as it is kept and exchanged: minor units and the currency's letters.
package struct Amount: Hashable, Sendable, Codable {
    package var minor: Int64
    package var currency: String

    package init(_ money: Money) {
        minor = money.minor
        currency = money.currency.text
    }

    package init(minor: Int64, currency: String) {
        self.minor = minor
        self.currency = currency
    }

    package var money: Money { Money(minor: minor, currency: Currency(currency)!) }
    /// In major units with the currency's own decimals, no currency: `-6.00`.
    package var decimal: String { money.text }
}

/// One exception as a night's reports show it.
package typealias ExceptionRow = Shared<ExceptionFields>

/// The columns of `exceptions.csv`. Lists are sorted by bytes.
package struct ExceptionFields: Hashable, Sendable, Codable {
    package var id: String
    package var state: ExceptionState
    package var verdict: Verdict
    package var cause: Cause
    package var severity: Severity
    /// Business dates, `YYYY-MM-DD`.
    package var firstSeen: String
    package var lastSeen: String
    /// Milliseconds since 1970, UTC.
    package var eventAt: Int64
    package var ageDays: Int
    package var accounts: [String] = []
    package var orders: [String] = []
    package var transactions: [String] = []
    package var originals: [String] = []
    package var receipts: [String] = []
    package var credits: [String] = []
    package var product: String?
    package var quantity: Int32?
    /// In minor units of `amount.currency`.
    package var amount: Amount?
    package var effect: Amount?
    package var short: Short = .nobody
    package var differences: [String] = []
    package var flags: [String] = []
    package var suggestedOrder: String?
    package var action: Action = .none
    package var retryKey: String?
    /// `file:line` of each piece of evidence.
    package var evidence: [String] = []
    package var note: String?
    /// What happened to it last, for people: `resolved: credit CR5 arrived`. Nil where it is new or merely still open.
    package var lastStep: String?

    package init(
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
    package init(
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
package struct VerdictTally: Hashable, Sendable, Codable {
    package var verdict: Verdict
    package var cause: Cause
    package var subjects: Int
    /// Sorted by currency.
    package var amounts: [Amount]

    package init(verdict: Verdict, cause: Cause, subjects: Int, amounts: [Amount]) {
        self.verdict = verdict
        self.cause = cause
        self.subjects = subjects
        self.amounts = amounts
    }
}

/// Rows of one feed kind: `rows = accepted + duplicates + rejected`, always.
package struct RowCounts: Hashable, Sendable, Codable {
    package var rows = 0
    package var accepted = 0
    package var duplicates = 0
    package var rejected = 0
    package init() {}
    package var balances: Bool { rows == accepted + duplicates + rejected }
}

/// A number of exceptions and their worth in one currency, minor units.
package struct CountAndAmount: Hashable, Sendable, Codable {
    package var count = 0
    package var minor: Int64 = 0
    package init(count: Int = 0, minor: Int64 = 0) {
        self.count = count
        self.minor = minor
    }
}

/// opening + new + reopened + changed in − changed out − resolved − waived = closing. RULES §4.
package struct RollForwardLine: Hashable, Sendable, Codable {
    package var verdict: Verdict
    /// Empty for exceptions without a known worth.
    package var currency: String
    package var opening = CountAndAmount()
    package var new = CountAndAmount()
    package var reopened = CountAndAmount()
    package var changedIn = CountAndAmount()
    package var changedOut = CountAndAmount()
    package var resolved = CountAndAmount()
    package var waived = CountAndAmount()
    package var closing = CountAndAmount()

    package init(verdict: Verdict, currency: String) {
        self.verdict = verdict
        self.currency = currency
    }
}

/// A file as the reports list it.
package struct FileLine: Hashable, Sendable, Codable {
    package var name: String
    package var feed: String
    /// SHA-256, hexadecimal.
    package var digest: String
    package var fileDate: String
    package var counts: RowCounts
    /// Milliseconds since 1970, UTC.
    package var firstEvent: Int64?
    package var lastEvent: Int64?
    package var amounts: [Amount]
    /// Sixteen hexadecimal digits.
    package var hashTotal: String
    /// Dated before the run's business date, and so reported a night late.
    package var isLate: Bool

    package init(
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
package struct RejectLine: Hashable, Sendable, Codable {
    package var source: String
    package var line: Int
    package var column: String?
    package var reason: String
    package var row: [UInt8]

    package init(source: String, line: Int, column: String?, reason: String, row: [UInt8]) {
        self.source = source
        self.line = line
        self.column = column
        self.reason = reason
        self.row = row
    }
}

/// A refund that tonight's evidence told of, for the Refunds sheet.
package struct RefundLine: Hashable, Sendable, Codable {
    package var transaction: String
    package var product: String
    package var account: String?
    /// Milliseconds since 1970, UTC.
    package var purchasedAt: Int64
    package var revokedAt: Int64
    /// Apple's code: 0 other, 1 an issue within the app.
    package var reason: Int32?
    /// `full`, `partial` or `family`.
    package var kind: String
    /// Thousandths of a percent.
    package var percentage: Int32?
    package var amount: Amount?
    package var verdict: Verdict
    package var cause: Cause

    package init(
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
package struct NightReport: Hashable, Sendable, Codable {
    package var businessDate: String
    /// Milliseconds since 1970, UTC.
    package var asOf: Int64
    package var horizon: Int64
    package var timeZone: String
    /// The ledger's number for the run.
    package var run: Int
    package var version: String
    /// Over all subjects; by verdict in the order of `Verdict.allCases`, then by cause.
    package var verdicts: [VerdictTally] = []
    /// Keyed by feed kind.
    package var conservation: [String: RowCounts] = [:]
    /// Files read tonight, by name.
    package var files: [FileLine] = []
    /// Files that match a feed and were imported before.
    package var filesSkipped = 0
    package var blindSpots: [BlindSpot] = []
    /// Sorted by severity, then first seen, then id.
    package var exceptions: [ExceptionRow] = []
    package var rollForward: [RollForwardLine] = []
    package var refunds: [RefundLine] = []
    package var rejects: [RejectLine] = []
    package var retry = RetryCounts()
    /// Nil where the configuration wants no retry files.
    package var retryLists: RetryLists?
    package var detectorsAlive = 0
    package var detectors = 0
    /// The run's link in the ledger's chain of digests, hexadecimal; nil before it is made.
    package var link: String?

    package init(businessDate: String, asOf: Int64, horizon: Int64, timeZone: String, run: Int, version: String) {
        self.businessDate = businessDate
        self.asOf = asOf
        self.horizon = horizon
        self.timeZone = timeZone
        self.run = run
        self.version = version
    }
}

extension ExceptionRow {
    /// The order of all lists of exceptions: severest first, then longest open, then by id.
    package func precedes(_ other: ExceptionRow) -> Bool {
        if fields.severity != other.fields.severity { return fields.severity < other.fields.severity }
        if fields.firstSeen != other.fields.firstSeen { return fields.firstSeen < other.fields.firstSeen }
        return fields.id < other.fields.id
    }
}
