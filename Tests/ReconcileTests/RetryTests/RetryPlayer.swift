import Base
internal import Domain
import Engine
internal import Intake

@testable import Console
@testable import Ledger
@testable internal import Reconcile

/// Runs nights of a shop on evidence made in code, and commits each one.
struct RetryPlayer {
    let ledger: Ledger
    var configuration: Configuration
    private(set) var nights: [Night] = []
    static let kinds: [FeedKind] = [.orders, .credits, .transactions, .receipts, .acks]

    init(policy: Policy, retry: RetrySettings) throws {
        ledger = try Ledger(path: ":memory:")
        let feeds = Self.kinds.map {
            Feed(kind: $0, path: "/\($0)-{date}", name: $0.rawValue, required: $0 != .receipts && $0 != .acks)
        }
        configuration = Configuration(
            file: "/reconcile.json", folder: "/", policy: policy, feeds: feeds, ledger: ":memory:", output: "/out",
            retry: retry)
    }

    /// - Parameter missing: the feeds whose files are missing tonight.
    @discardableResult
    mutating func play(_ files: [RetryFile], on date: BusinessDate, missing: Set<FeedKind> = []) throws -> Night {
        let asOf = configuration.policy.zone.end(of: date) + .hours(4)
        try ledger.begin()
        var delivered = Delivered()
        delivered.firstDelivery = try ledger.nextDelivery()
        for file in files where file.rows > 0 {
            delivered.add(file, number: delivered.firstDelivery.advanced(by: delivered.deliveries.count))
        }
        let dates = Set(files.map(\.date) + [date])
        for kind in Self.kinds where !missing.contains(kind) {
            for date in dates.sorted() { delivered.arrivals.append(Arrival(feed: kind.rawValue, date: date, file: "")) }
        }
        let history = try ledger.history
        var night = try Night.reconcile(
            delivered, at: RunTime(businessDate: date, asOf: asOf), by: configuration.nightSettings, after: history)
        try ledger.apply(&night, threads: 1, work: WorkCount())
        try ledger.commit()
        nights.append(night)
        return night
    }
}

/// Rows of one kind, as in a file of that date.
struct RetryFile {
    var kind: FeedKind
    var date: BusinessDate
    var evidence = Evidence()

    var rows: Int {
        evidence.orders.count + evidence.credits.count + evidence.transactions.count + evidence.receipts.count
            + evidence.acknowledgements.count
    }
}

extension Delivered {
    fileprivate mutating func add(_ file: RetryFile, number: DeliveryID) {
        var rows = file.evidence
        func source(_ line: Int) -> Provenance {
            Provenance(delivery: number, line: Int32(line + 2), fileDate: file.date)
        }
        for index in rows.orders.indices { rows.orders[index].source = source(index) }
        for index in rows.credits.indices { rows.credits[index].source = source(index) }
        for index in rows.transactions.indices { rows.transactions[index].source = source(index) }
        for index in rows.receipts.indices { rows.receipts[index].source = source(index) }
        for index in rows.acknowledgements.indices { rows.acknowledgements[index].source = source(index) }
        evidence.append(rows)
        var totals = ControlTotals()
        totals.rows = file.rows
        deliveries.append(
            Delivery(
                number: number, kind: file.kind, name: "\(file.kind.rawValue)-\(file.date)-\(number)",
                fileDate: file.date, digest: Digest256(words: (UInt64(number.rawValue), 0, 0, 1)),
                stamp: FileStamp(device: 0, inode: UInt64(number.rawValue), bytes: 0, modified: 0, changed: 0),
                totals: totals))
    }
}

extension Ledger {
    /// Releases all held and dead retry entries.
    func releaseEverything() throws {
        try begin()
        for state in [RetryEntry.State.held, .dead] {
            var entries = try retryEntries(in: state)
            for index in entries.indices { _ = entries[index].release() }
            try write(entries)
        }
        try commit()
    }
}
