import Domain

@testable import Engine

/// A night of a shop with Chinese customers: every exception verdict and state, four currencies, Chinese names.
struct SampleNight {
    static let currencies: [Currency] = ["CNY", "JPY", "USD", "KWD"]
    static let date = BusinessDate("2025-11-18")!
    static let prices: [Int64] = [600, 230, 499, 1500]

    var report = NightReport(
        businessDate: Self.date, asOf: Instant(milliseconds: 1_763_514_000_000),
        horizon: Instant(milliseconds: 1_763_481_600_000), timeZone: "Asia/Shanghai", run: 42, version: "1.0.0")

    /// - Parameter exceptions: how many rows; the same number gives the same night.
    init(exceptions: Int = 120) {
        let kinds = Verdict.allCases.filter(\.isException).flatMap { verdict in
            verdict.causes.map { (verdict, $0) }
        }
        report.exceptions = (0..<exceptions).map { Self.row($0, kinds[$0 % kinds.count]) }
        report.verdicts = Verdict.allCases.flatMap { verdict in
            verdict.causes.map { cause in
                VerdictTally(
                    verdict: verdict, cause: cause, subjects: verdict == .matched ? 98_765 : 12,
                    amounts: zip(Self.currencies, Self.prices).map { Money(minor: $1 * 12, currency: $0) })
            }
        }
        addFeeds()
        addMovements()
    }

    private static func row(_ index: Int, _ kind: (verdict: Verdict, cause: Cause)) -> ExceptionRow {
        let states = ExceptionState.allCases
        let age = index * 7 % 120
        let facts = ExceptionFacts(
            verdict: kind.verdict, cause: kind.cause, severity: kind.verdict.severity(cause: kind.cause)!,
            eventAt: Instant(milliseconds: 1_763_424_000_000 - Int64(age) * 86_400_000 + Int64(index) * 61_250))
        var row = ExceptionRow(
            facts: facts, id: ExceptionID(bits: UInt64(1_000_000 + index * 7919)),
            state: states[(index + index / 34) % states.count],
            firstSeen: BusinessDate("2025-11-18")!.advanced(by: -age), lastSeen: BusinessDate("2025-11-18")!,
            ageDays: age)
        row.accounts = ["acct-\(100_000 + index)"]
        if index % 11 == 0 { row.accounts.append("玩家·李小龙\(index)") }
        row.orders = ["ORD10000\(10_000 + index)"]
        row.transactions = ["20000009\(10_000_000 + index)"]
        row.credits = index % 3 == 0 ? ["CR\(index)", "CR\(index + 1)", "CR\(index + 2)"] : []
        row.product = ["coins_60", "月卡·至尊豪华版", "com.example.game.starter_pack"][index % 3]
        row.quantity = Int32(index % 4 + 1)
        if index % 13 != 0 {
            let choice = index % 4
            row.amount = Money(minor: prices[choice] * Int64(index % 4 + 1), currency: currencies[choice])
            row.effect = Money(minor: -row.amount!.minor, currency: currencies[choice])
        }
        row.short = kind.verdict == .paidNotCredited ? .customer : index % 2 == 0 ? .company : .nobody
        if kind.verdict == .valueMismatch {
            row.differences = [
                Difference(field: .product, left: "coins_60", right: "coins_300"),
                Difference(field: .quantity, left: "1", right: "2"),
            ]
        }
        row.flags = index % 5 == 0 ? ["cut_off", "late_credit"] : []
        row.action = Action.allCases[index % Action.allCases.count]
        row.evidence = [
            "inbox/orders-2025-11-18.csv:\(index + 2)", "inbox/transactions-2025-11-18.jsonl.gz:\(index + 1)",
        ]
        if index % 9 == 0 { row.note = "客服小王：已联系用户，等待回复；下周一再看" }
        if row.state == .resolved {
            row.lastEvent = .resolvedAs(.matched, .none, evidence: ["inbox/credits.csv:\(index)"])
        }
        return row
    }

    private mutating func addFeeds() {
        for (index, feed) in [FeedKind.orders, .credits, .transactions, .receipts].enumerated() {
            var counts = RowCounts()
            counts.accepted = 100_000 + index
            counts.duplicates = 17
            counts.rejected = index == 3 ? 2 : 0
            counts.rows = counts.accepted + counts.duplicates + counts.rejected
            report.conservation[feed] = counts
            report.files.append(
                FileLine(
                    name: "inbox/\(feed.rawValue)-2025-11-18.csv", feed: feed,
                    digest: String(repeating: "0a", count: 32),
                    fileDate: BusinessDate("2025-11-18")!, counts: counts,
                    firstEvent: Instant(milliseconds: 1_763_395_200_000),
                    lastEvent: Instant(milliseconds: 1_763_481_599_000),
                    amounts: [Money(minor: 123_456_789, currency: "CNY"), Money(minor: 4_500, currency: "KWD")],
                    hashTotal: "00ff00ff00ff00ff", isLate: index == 2))
        }
        report.filesSkipped = 3
        report.coverageGaps = [Self.gap(.credits)]
        report.rejects = [
            Reject(
                line: 7, column: "received_at", reason: "“2025-02-30” is no date; write YYYY-MM-DD HH:MM:SS",
                row: Array("{\"at\": \"2025-02-30\"}".utf8)),
            Reject(line: 9, column: nil, reason: "is not UTF-8", row: [0x7B, 0xFF, 0x1B, 0x7D]),
        ].map { RejectLine($0, source: "inbox/receipts-2025-11-18.jsonl") }
        report.retry.emitted = 12
        report.retry.dead = 1
        report.detectors = 21
        report.detectorsAlive = 21
    }

    /// A gap two days before the night; of a file that did not come where no reason is given.
    static func gap(_ feed: FeedKind, _ reason: CoverageGap.Reason? = nil) -> CoverageGap {
        CoverageGap(
            feed: feed, date: BusinessDate("2025-11-16")!,
            reason: reason ?? .missing(feed: "inbox/\(feed.rawValue)-{date}.csv"))
    }

    private mutating func addMovements() {
        for (currency, price) in zip(Self.currencies, Self.prices) {
            var line = RollForwardLine(verdict: .paidNotCredited, currency: currency)
            line.opening = CountAndAmount(count: 10, minor: price * 10)
            line.new = CountAndAmount(count: 3, minor: price * 3)
            line.resolved = CountAndAmount(count: 4, minor: price * 4)
            line.closing = CountAndAmount(count: 9, minor: price * 9)
            report.rollForward.append(line)
        }
        for index in 0..<12 {
            let kind = RefundLine.Kind.allCases[index % 3]
            report.refunds.append(
                RefundLine(
                    transaction: "20000008\(10_000_000 + index)", product: "coins_300", account: "acct-\(index)",
                    purchasedAt: Instant(milliseconds: 1_763_000_000_000),
                    revokedAt: Instant(milliseconds: 1_763_400_000_000 + Int64(index) * 1000), reason: 1,
                    kind: kind, percentage: kind == .partial ? 33_333 : nil,
                    amount: Money(minor: 3000, currency: "CNY"),
                    verdict: .refundedNotReversed, cause: .notReversed))
        }
    }
}
