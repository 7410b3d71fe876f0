internal import Domain
internal import Glibc

/// The sample on disk: configuration, product list, stories and the feeds of three business dates.
struct SampleNight {
    let folder: String
    let orders: Int
    let seed: UInt64

    /// One order in so many is a story's; the rest is ordinary.
    private static let ordersPerTelling = 4000

    /// Writes everything but the reports.
    ///
    /// - Throws: `Failure` with `cannotCreate`, `inputOutput` or `noPermission`; once a signal has come, `interrupted`
    ///   or `terminated`.
    func write() throws {
        guard mkdir(folder + "/inbox", 0o700) == 0 else {
            throw Failure.system(errno, cannot: "create", folder + "/inbox", otherwise: .cannotCreate)
        }
        try write(demoConfiguration, to: "reconcile.json")
        try write(Self.products, to: "products.csv")
        var world = SampleWorld(seed: seed, regulars: max(20, orders / 4), feeds: SampleFeeds(path: path))
        let book = tell(in: &world)
        try OrdinaryTraffic(count: max(0, orders - world.ordersMade)).happen(in: &world)
        spoilRows(in: &world)
        try world.feeds.finish()
        try write(book.markdown, to: "STORIES.md")
    }

    /// Puts in place the one file that comes a day late.
    func deliverLate() throws(Failure) {
        let (part, whole) = (hiddenPath, inbox(.ordersJapan, Self.lateDate))
        guard rename(part, whole) == 0 else {
            throw .system(errno, cannot: "rename", part, otherwise: .inputOutput)
        }
    }

    /// Every story once, and again for larger samples, so that trouble keeps its share.
    private func tell(in world: inout SampleWorld) -> StoryBook {
        let tellings = (0..<max(1, orders / Self.ordersPerTelling)).map { _ in
            StoryBook(chapters: Chapter.all.map { ($0.title, $0.stories.map { $0(&world) }) })
        }
        return tellings[0]
    }

    /// Rows that nobody can use: each is listed in `rejected.jsonl` with its line and reason.
    private func spoilRows(in world: inout SampleWorld) {
        let moment = SampleCalendar.zone.start(of: SampleCalendar.dates[2])
        world.feeds.write(
            "SG202511189999999,u100001,coins_60,1,6.0O,CNY,,,cancelled,2025-11-18 12:00:00,", to: .orders, at: moment)
        world.feeds.write(
            "CR7999999999,,,u100001,coins_60,1,credit,desk,2025-11-18 12:00:00", to: .credits, at: moment)
        world.feeds.write("{\"transactionId\":\"20000008799", to: .transactions, at: moment)
        world.feeds.write("2025-02-30 12:00:00,u100001,RC3999999999,,,coins_60,,0,", to: .receipts, at: moment)
    }
}

extension SampleNight {
    private static let lateDate = SampleCalendar.dates[1]

    private func path(_ kind: SampleFeeds.Kind, _ date: BusinessDate) -> String {
        kind == .ordersJapan && date == Self.lateDate ? hiddenPath : inbox(kind, date)
    }

    private func inbox(_ kind: SampleFeeds.Kind, _ date: BusinessDate) -> String {
        folder + "/inbox/" + kind.rawValue + "-" + date.text + (kind.isCSV ? ".csv" : ".jsonl")
    }

    /// A name that no feed matches.
    private var hiddenPath: String { folder + "/inbox/.late.csv" }

    private func write(_ text: String, to name: String) throws(Failure) {
        let file = SampleFile(folder + "/" + name)
        file.write(Array(text.utf8))
        try file.finish()
    }

    private static var products: String {
        "product_id,type,name,currency,amount\n"
            + Goods.all.map { goods in
                let price = goods.price(in: .china)
                return [
                    goods.id, goods.type.name, goods.chinese + " " + goods.english, price.currency.text, price.text,
                ].joined(separator: ",") + "\n"
            }.joined()
    }
}
