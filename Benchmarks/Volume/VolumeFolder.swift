import Base
import Console
import Demo
import Domain
import Glibc

/// A night of many purchases for benchmarks: `reconcile.json` and the feeds of one business date.
///
/// About 3 % of the purchases have a problem, in six classes. Every value follows from the seed, and the files of two
/// seeds share no identifier but accounts, so that one can be reconciled after the other.
struct VolumeFolder: Sendable {
    private let path: String
    private let date: BusinessDate
    private let shop: VolumeShop

    /// More purchases or larger seeds would make identifiers of two seeds meet.
    static let purchasesMax = 100_000_000
    /// The largest seed whose identifiers do not meet those of another seed.
    static let seedMax = 99

    /// - Parameters:
    ///   - path: where to make the folder.
    ///   - purchases: from 1 to `purchasesMax`.
    ///   - date: the date in the names of the files. The purchases are of October and November 2025 whatever it is.
    ///   - seed: from 0 to `seedMax`.
    ///   - isProblemFree: without any problem that stays open.
    ///   - marksCredited: whether orders end as credited.
    ///   - hasLabels: whether orders have four columns that the configuration names as labels.
    init(
        path: String, purchases: Int, date: BusinessDate, seed: Int, isProblemFree: Bool, marksCredited: Bool,
        hasLabels: Bool
    ) {
        precondition((1...Self.purchasesMax).contains(purchases) && (0...Self.seedMax).contains(seed))
        self.path = path
        self.date = date
        shop = VolumeShop(
            purchases: purchases, seed: seed, isProblemFree: isProblemFree, marksCredited: marksCredited,
            hasLabels: hasLabels)
    }

    /// Writes all the files.
    func write() throws(Failure) {
        for folder in [path, path + "/inbox"] where mkdir(folder, 0o700) != 0 { fail("cannot create \(folder)") }
        let file = try SampleFile(path + "/reconcile.json")
        file.write(Array(configuration.utf8))
        try file.finish()
        let feeds = VolumeFeeds(shop)
        let writers: [(name: String, write: @Sendable (VolumeFeeds, SampleFile) -> Void)] = [
            ("transactions-\(date).jsonl", { $0.writeTransactions(to: $1) }),
            ("receipts-\(date).jsonl", { $0.writeReceipts(to: $1) }),
            ("orders-\(date).csv", { $0.writeOrders(to: $1) }),
            ("credits-\(date).csv", { $0.writeCredits(to: $1) }),
        ]
        let results = concurrently(threads: writers.count, writers.count) { number -> Failure? in
            do throws(Failure) {
                let file = try SampleFile(path + "/inbox/" + writers[number].name)
                writers[number].write(feeds, file)
                try file.finish()
                return nil
            } catch { return error }
        }
        for case let error? in results { throw error }
    }

    /// How many exceptions of each verdict a night must find, by name.
    var expected: [(verdict: String, count: Int)] {
        var counts: [String: Int] = [:]
        for verdict in VolumeOutcome.allCases.compactMap(\.verdict) { counts[verdict] = 0 }
        for index in 0..<shop.purchases {
            if let verdict = VolumePurchase(index, of: shop).outcome.verdict { counts[verdict, default: 0] += 1 }
        }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private var configuration: String {
        let columns = ["version", "server", "channel", "network"].map { "\($0): \"\($0)\"" }.joined(separator: ", ")
        let labels = shop.hasLabels ? ", labels: { \(columns) }" : ""
        return """
            {
              app: { bundleIDs: ["com.example.game"], environment: "Production", appAccountToken: "order" },
              ledger: "ledger.sqlite", output: "out", timeZone: "UTC",
              feeds: [
                { kind: "orders", path: "inbox/orders-{date}.csv", required: true\(labels) },
                { kind: "credits", path: "inbox/credits-{date}.csv", required: true },
                { kind: "transactions", path: "inbox/transactions-{date}.jsonl", required: true, trust: "backend" },
                { kind: "receipts", path: "inbox/receipts-{date}.jsonl" },
              ],
              retry: { maxEntries: 100000000 },
            }

            """
    }
}
