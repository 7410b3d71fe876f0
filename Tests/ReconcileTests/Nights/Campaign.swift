internal import Domain
import Engine
import Ledger
internal import Testing

@testable import Reconcile
@testable import Reference

/// Plays nights of random worlds, and records the first seed of the block whose nights have troubles.
func search(inBlock block: Int, _ troubles: (_ seed: UInt64) throws -> [String]) throws {
    for seed in Trials.seeds(inBlock: block, 4, long: 125) {
        let found = try troubles(seed)
        guard found.isEmpty else {
            Issue.record("seed \(seed): \(found)")
            return
        }
    }
}

/// A small world distributed over nights: files split, late, empty, missing or delivered twice; nights missed, or run
/// again for the same date. The same seed gives the same campaign.
struct Campaign {
    var world: World
    /// The night of each file of the world.
    private var nightOfFile: [Int]
    let moments: [RunTime]
    private let required: Set<FeedKind>
    /// Files without rows, by night.
    private var arrivals: [[(kind: FeedKind, date: BusinessDate)]]
    /// The night in which the product list is delivered.
    private let productsNight: Int

    init(seed: UInt64) {
        let origin = WorldGenerator.world(seed: seed)
        var random = SplitMix64(seed: seed ^ 0x5EED)
        let count = Int.random(in: 2...5, using: &random)
        moments = Self.moments(count, of: origin, &random)
        productsNight = Int.random(in: 0...3, using: &random) == 0 ? Int.random(in: 0..<count, using: &random) : 0
        required = Set([FeedKind.orders, .credits, .transactions].filter { _ in Bool.random(using: &random) })

        var files: [WorldFile] = []
        var nights: [Int] = []
        let whole = Bool.random(using: &random) ? origin.withDuplicateFile(seed: seed) : origin
        for (night, parts) in whole.splitIntoNights(count, seed: seed).enumerated() {
            for var part in parts {
                part.fileDate = min(part.fileDate, moments[count - 1].businessDate)
                files.append(part)
                nights.append(Self.night(from: night, for: part.fileDate, moments))
            }
        }
        world = origin
        world.files = files
        nightOfFile = nights
        arrivals = Array(repeating: [], count: count)
        for kind in NightPlayer.kinds {
            for back in 0...6 where Int.random(in: 0..<5, using: &random) > 0 {
                let date = moments[count - 1].businessDate.advanced(by: -back)
                let earliest = Bool.random(using: &random) ? 0 : Int.random(in: 0..<count, using: &random)
                arrivals[Self.night(from: earliest, for: date, moments)].append((kind, date))
            }
        }
    }

    private init(_ campaign: Campaign, world: World) {
        self = campaign
        self.world = world
    }

    /// Run times whose business dates never decrease and whose clocks always increase. The last one is the world's.
    private static func moments(_ count: Int, of world: World, _ random: inout SplitMix64) -> [RunTime] {
        var back = 0
        var moments: [RunTime] = []
        for number in 0..<count {
            let date = world.horizon.businessDate.advanced(by: -back)
            let end = world.policy.zone.end(of: date)
            var asOf = number == 0 ? world.horizon.instant : end + .hours(-8) + .minutes(Int64(-number))
            // For an earlier date, the run is some hours after the day's end; for the last date, runs are within the
            // day.
            if back > 0, moments.last?.businessDate != date { asOf = end + .hours(3) }
            moments.append(RunTime(businessDate: date, asOf: asOf))
            back += [0, 1, 1, 1, 2, 4].randomElement(using: &random)!
        }
        return moments.reversed()
    }

    /// A file is not delivered before its day.
    private static func night(from earliest: Int, for date: BusinessDate, _ moments: [RunTime]) -> Int {
        (earliest..<moments.count).first { moments[$0].businessDate >= date } ?? moments.count - 1
    }
}

extension Campaign {
    /// Runs all nights, one after the other.
    func played() throws -> NightPlayer {
        var player = try NightPlayer(policy: world.policy, required: required)
        for night in moments.indices { try play(night, on: &player) }
        return player
    }

    /// Runs one of the nights. A night after the last one has no files.
    ///
    /// - Parameter products: a product list to deliver with it, in addition to the campaign's.
    func play(_ night: Int, on player: inout NightPlayer, products others: [Product] = []) throws {
        let own = night == productsNight ? products : []
        try player.play(
            files(of: night), products: own + others, arrivals: night < moments.count ? arrivals[night] : [],
            at: moments[min(night, moments.count - 1)])
    }

    /// The files of one of the nights.
    func files(of night: Int) -> [WorldFile] {
        world.files.indices.filter { nightOfFile[$0] == night }.map { world.files[$0] }
    }

    /// A player without a night.
    var player: NightPlayer { get throws { try NightPlayer(policy: world.policy, required: required) } }

    /// Runs one night with all the evidence, at the last run time.
    func playedAtOnce() throws -> NightPlayer {
        var player = try NightPlayer(policy: world.policy, required: required)
        try player.play(world.files, products: products, arrivals: arrivals.flatMap { $0 }, at: moments.last!)
        return player
    }

    /// Runs all nights on real files. Returns the outcome of each run.
    func playedFromFiles() throws -> (folder: NightFolder, outcomes: [NightFolder.Outcome]) {
        let folder = try folder()
        let outcomes = try moments.indices.map { night in
            try deliver(night, into: folder)
            return try folder.night(moments[night])
        }
        return (folder, outcomes)
    }

    /// A folder in which nothing was delivered yet.
    func folder() throws -> NightFolder {
        try NightFolder(policy: world.policy, required: required, products: products)
    }

    /// Delivers the files of a night.
    func deliver(_ night: Int, into folder: NightFolder) throws {
        for file in world.files.indices where nightOfFile[file] == night {
            try folder.deliver(world.files[file], suffix: "-\(file)")
        }
        for (kind, date) in arrivals[night] {
            try folder.deliver(WorldFile(kind: kind, fileDate: date, evidence: Evidence()), suffix: "-empty")
        }
    }

    /// The same campaign with rows that files can express.
    var tellable: Campaign {
        var world = world
        for file in world.files.indices {
            world.files[file] = world.files[file].tellable(by: moments[nightOfFile[file]].asOf)
        }
        return Campaign(self, world: world)
    }

    /// The rows of the world's product list: each product's first price, and a later one if there is one.
    var products: [Product] {
        let ids: [Identifier] = ["coins", "gems", "sword", "month", "season"]
        return ids.flatMap { id in
            let days = [BusinessDate(day: 0), BusinessDate(day: 40_000)]
            let rows = days.compactMap { world.policy.products.product(id, on: $0) }
            return rows.count == 2 && rows[0] == rows[1] ? [rows[0]] : rows
        }
    }

    /// The smallest campaign that still has the problem.
    func shrunk(whileTroubled isTroubled: (Campaign) -> Bool) -> Campaign {
        Campaign(self, world: world.shrunk { isTroubled(Campaign(self, world: $0)) })
    }

    /// The reference's verdicts on all evidence, with the coverage of the last night.
    func reference(_ horizon: Horizon) -> [ReferenceVerdict] {
        judge(world.evidence, policy: world.policy, horizon: horizon).verdicts
    }

    /// Which night each row is delivered in, for a person.
    var description: String {
        let rows = world.files.indices.filter { world.files[$0].rows > 0 }
        let plan = rows.map {
            "file \($0) of \(world.files[$0].kind) \(world.files[$0].fileDate): night \(nightOfFile[$0])"
        }
        let nights = moments.map { "\($0.businessDate) as of \($0.asOf)" }
        return
            (["seed \(world.seed)", world.description] + plan + nights + ["required \(required)", "empty \(arrivals)"])
            .joined(separator: "\n")
    }
}

extension Campaign {
    /// A shop whose orders, payments and goods of ten weeks come in any night, without `historyFrom`.
    static func oddlyDated(seed: UInt64) -> Campaign {
        var campaign = Campaign(seed: seed)
        var random = SplitMix64(seed: seed ^ 0x0DD)
        campaign.world.policy.historyFrom = nil
        (campaign.world.files, campaign.nightOfFile) = ([], [])
        func add(_ kind: FeedKind, _ change: (inout Evidence) -> Void) {
            let night = Bool.random(using: &random) ? 0 : Int.random(in: campaign.moments.indices, using: &random)
            var file = WorldFile(kind: kind, fileDate: campaign.moments[night].businessDate, evidence: Evidence())
            change(&file.evidence)
            campaign.world.files.append(file)
            campaign.nightOfFile.append(night)
        }
        for number in 1...Int.random(in: 4...9, using: &random) {
            let at = campaign.moments[0].asOf + .days(-Int64.random(in: 1...70, using: &random))
            let transaction = Transaction(id: Identifier("\(number)"), product: "coins", purchasedAt: at)
            if random.oneIn(5) == false { add(.transactions) { $0.transactions.append(transaction) } }
            var order = Order(
                id: Identifier("O\(number)"), account: "a", product: "coins",
                status: random.pick([.paid, .pending, .failed, .credited]), createdAt: at + .minutes(-1))
            order.transaction = random.oneIn(2) ? transaction.id : nil
            if random.oneIn(4) == false { add(.orders) { $0.orders.append(order) } }
            var credit = Credit(id: Identifier("C\(number)"), account: "a", creditedAt: at + .minutes(1))
            credit.transaction = transaction.id
            if random.oneIn(2) { add(.credits) { $0.credits.append(credit) } }
        }
        return campaign
    }
}
