public import Console
internal import Glibc

/// The sample on disk: the product list, the page of scenarios and the feeds of three business dates.
public struct SampleFolder {
    private let path: String
    private let orders: Int
    private let seed: UInt64

    /// In a sample of more orders than this, the scenarios happen more than once.
    private static let ordersPerRound = 4000

    /// - Parameters:
    ///   - path: an empty folder.
    ///   - orders: about how many orders there are; the scenarios happen even if this is fewer than they need.
    ///   - seed: the same seed gives the same bytes.
    public init(path: String, orders: Int, seed: UInt64) {
        (self.path, self.orders, self.seed) = (path, orders, seed)
    }

    /// Writes all the files. One feed of the second date is late: `deliverLateFile` puts it in place.
    ///
    /// - Parameter checkpoint: called often; what it throws ends the work.
    /// - Throws: `Failure`, or an error of `checkpoint`.
    public func write(checkpoint: () throws -> Void) throws {
        guard mkdir(path + "/inbox", 0o700) == 0 else {
            throw Failure.system(errno, cannot: "create", path + "/inbox", otherwise: .cannotCreate)
        }
        try write(Self.products, to: "products.csv")
        var world = SampleWorld(
            seed: seed, regularAccounts: max(20, orders / 4), feeds: try SampleFeeds(path: feedPath))
        // Again in larger samples, so that the share of problems stays the same. The page shows the first round.
        let rounds = (0..<max(1, orders / Self.ordersPerRound)).map { _ in ScenarioIndex(playingIn: &world) }
        let ordinary = OrdinaryTraffic(count: max(0, orders - world.ordersMade))
        try ordinary.happen(in: &world, checkpoint: checkpoint)
        writeDamagedRows(in: &world)
        try world.feeds.finish()
        try write(rounds[0].markdown, to: "STORIES.md")
    }

    /// Puts in place the one file that comes a day late.
    public func deliverLateFile() throws(Failure) {
        guard rename(latePath, inboxPath(.ordersJapan, Self.lateDate)) == 0 else {
            throw .system(errno, cannot: "rename", latePath, otherwise: .inputOutput)
        }
    }

    /// One unusable row in each feed. `rejected.jsonl` lists it with its line and the reason.
    private func writeDamagedRows(in world: inout SampleWorld) {
        let moment = SampleCalendar.zone.start(of: SampleCalendar.dates[2])
        world.feeds.write(
            "SG202511189999999,u100001,coins_60,1,6.0O,CNY,,,cancelled,2025-11-18 12:00:00,,", to: .orders, at: moment)
        world.feeds.write(
            "CR7999999999,,,u100001,coins_60,1,credit,desk,2025-11-18 12:00:00", to: .credits, at: moment)
        world.feeds.write("{\"transactionId\":\"20000008799", to: .transactions, at: moment)
        world.feeds.write("2025-02-30 12:00:00,u100001,RC3999999999,,,coins_60,,0,,", to: .receipts, at: moment)
    }
}

extension SampleFolder {
    private static let lateDate = SampleCalendar.dates[1]

    private func feedPath(_ kind: SampleFeeds.Kind, _ date: BusinessDate) -> String {
        kind == .ordersJapan && date == Self.lateDate ? latePath : inboxPath(kind, date)
    }

    private func inboxPath(_ kind: SampleFeeds.Kind, _ date: BusinessDate) -> String {
        path + "/inbox/" + kind.rawValue + "-" + date.text + (kind.isCSV ? ".csv" : ".jsonl")
    }

    /// No feed of the configuration matches this name.
    private var latePath: String { path + "/inbox/.late.csv" }

    private func write(_ text: String, to name: String) throws(Failure) {
        let file = try SampleFile(path + "/" + name)
        file.write(Array(text.utf8))
        try file.finish()
    }

    private static var products: String {
        "product_id,type,name,currency,amount\n"
            + SampleProduct.all.map { product in
                let price = product.price(in: .china)
                return [
                    product.id, product.type.name, product.name, price.currency.text,
                    price.text,
                ].joined(separator: ",") + "\n"
            }.joined()
    }
}
