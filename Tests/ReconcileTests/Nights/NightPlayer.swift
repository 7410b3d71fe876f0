import Base
internal import Domain
import Intake
import Reference

@testable import Console
@testable import Engine
@testable import Ledger
@testable import Reconcile

/// Runs nights on evidence made in code, and commits each one. It uses no files, and a ledger in memory.
struct NightPlayer {
    let ledger: Ledger
    var configuration: Configuration
    private(set) var nights: [Night] = []
    /// The feeds that are `required`. All four are configured.
    static let kinds: [FeedKind] = [.orders, .credits, .transactions, .receipts]

    init(policy: Policy, required: Set<FeedKind> = []) throws {
        ledger = try Ledger(path: ":memory:")
        let feeds = Self.kinds.map {
            Feed(kind: $0, path: "/\($0)-{date}", name: $0.rawValue, required: required.contains($0))
        }
        configuration = Configuration(
            file: "/reconcile.json", folder: "/", policy: policy, feeds: feeds, ledger: ":memory:", output: "/out")
    }

    /// - Parameters:
    ///   - arrivals: dates on which feeds delivered a file without rows.
    ///   - addition: adds what no file of a world contains.
    @discardableResult
    mutating func play(
        _ files: [WorldFile], products: [Product] = [], arrivals: [(kind: FeedKind, date: BusinessDate)] = [],
        refusals: [CoverageGap] = [], at moment: RunTime, addition: (inout Delivered) -> Void = { _ in }
    ) throws -> Night {
        try ledger.begin()
        do {
            var delivered = try delivered(files, products: products)
            delivered.arrivals += arrivals.map {
                Arrival(feed: $0.kind.rawValue, date: $0.date, file: "\($0.kind.rawValue).csv")
            }
            delivered.refusals = refusals
            addition(&delivered)
            let history = try ledger.history
            var night = try Night.reconcile(delivered, at: moment, by: configuration.nightSettings, after: history)
            try ledger.apply(&night, threads: 1, work: WorkCount())
            try ledger.commit()
            nights.append(night)
            return night
        } catch {
            try ledger.rollback()
            throw error
        }
    }

    private func delivered(_ files: [WorldFile], products: [Product]) throws -> Delivered {
        var delivered = Delivered()
        delivered.firstDelivery = try ledger.nextDelivery()
        for file in files {
            let number = delivered.firstDelivery.advanced(by: delivered.deliveries.count)
            delivered.evidence.append([file].evidence(delivery: number))
            delivered.deliveries.append(Delivery(number, file.kind, file.fileDate, rows: file.rows))
            delivered.arrivals.append(Arrival(feed: file.kind.rawValue, date: file.fileDate, file: ""))
        }
        if !products.isEmpty {
            let number = delivered.firstDelivery.advanced(by: delivered.deliveries.count)
            delivered.evidence.products = products
            for line in products.indices { delivered.evidence.products[line].source.delivery = number }
            delivered.deliveries.append(Delivery(number, .products, products[0].source.fileDate, rows: products.count))
        }
        return delivered
    }
}

extension Delivery {
    fileprivate init(_ number: DeliveryID, _ kind: FeedKind, _ date: BusinessDate, rows: Int) {
        var totals = ControlTotals()
        totals.rows = rows
        let stamp = FileStamp(device: 0, inode: UInt64(number.rawValue), bytes: 0, modified: 0, changed: 0)
        let digest = Digest256(words: (UInt64(number.rawValue), 0, 0, 1))
        self.init(
            number: number, kind: kind, name: "\(kind.rawValue)-\(date)-\(number)", fileDate: date, digest: digest,
            stamp: stamp, totals: totals)
    }
}

/// What the ledger stores about a subject.
struct KeptSubject: Equatable {
    var verdict: String
    var cause: String
    var flags: Int64
    var amount: Money?
}

/// All subjects in the ledger, by the text of their key.
func subjects(of ledger: Ledger) throws -> [Identifier: KeptSubject] {
    var subjects: [Identifier: KeptSubject] = [:]
    var row = try ledger.connection.prepare("SELECT kind, key, verdict, cause, flags, amount, currency FROM subject")
    while try row.step() {
        let kind = SubjectKey.Kind(rawValue: UInt8(row.integer(0)))!
        let key = Identifier(SubjectKey(kind, Identifier(row.text(1))).text)
        precondition(subjects[key] == nil, "\(key) has two verdicts")
        subjects[key] = KeptSubject(
            verdict: row.text(2), cause: row.text(3), flags: row.integer(4),
            amount: row.optionalText(6).flatMap { Currency($0) }.map { Money(minor: row.integer(5), currency: $0) })
    }
    return subjects
}
