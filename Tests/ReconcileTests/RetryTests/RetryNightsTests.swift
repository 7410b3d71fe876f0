internal import Domain
import Engine
internal import Reference
internal import Testing

@testable import Ledger
@testable internal import Reconcile

/// docs/spec/rules.md#retry-entries with a consumer that crashes, repeats itself and forgets to answer: no credit is
/// given twice, and none is lost.
@Suite struct RetryNightsTests {
    private static let first = BusinessDate("2025-11-01")!

    @Test(arguments: Trials.seeds(inBlock: 0, 6, long: 12)) func noConsumerEverCreditsTwiceAndNothingIsForgotten(
        _ seed: UInt64
    ) throws {
        var shop = RetryShop(seed: seed, isCareful: seed % 3 != 0)
        var policy = Policy()
        policy.bundles = ["com.example.game"]
        policy.reverseRefunds = seed % 2 == 0
        var retry = RetrySettings()
        retry.entriesMax = 40
        var player = try RetryPlayer(policy: policy, retry: retry)
        var late: [RetryFile] = []
        for day in 0..<60 {
            let date = Self.first.advanced(by: day)
            if day < 30 { shop.trade(on: date) }
            if let lists = player.nights.last?.report.retryLists {
                shop.consume(lists.emitted, on: date, isReliable: day > 34)
            }
            var files = shop.files(of: date) + late
            late = []
            var missing: Set<FeedKind> = []
            if day < 30, shop.chance(10) {
                missing = [.credits]
                late = files.filter { $0.kind == .credits }
                files.removeAll { $0.kind == .credits }
            }
            let night = try player.play(files, on: date, missing: missing)
            try check(night, shop, seed, isBlind: !missing.isEmpty)
            if day % 10 == 9 { try player.ledger.releaseEverything() }
        }
        try checkTheEnd(player, shop, seed)
    }

    private func check(_ night: Night, _ shop: RetryShop, _ seed: UInt64, isBlind: Bool) throws {
        let lists = try #require(night.report.retryLists)
        let open = Set(night.report.exceptions.filter { $0.state != .resolved && $0.state != .waived }.map(\.id))
        if isBlind { #expect(lists == RetryLists(), "seed \(seed)") }
        for line in lists.emitted + lists.held + lists.dead { #expect(open.contains(line.exception), "seed \(seed)") }
        for id in shop.purchases.keys { #expect((0...1).contains(shop.net(id)), "\(id), seed \(seed)") }
    }

    /// Every purchase that was not refunded is credited, or on a list for people.
    private func checkTheEnd(_ player: RetryPlayer, _ shop: RetryShop, _ seed: UInt64) throws {
        let report = player.nights.last!.report
        let lists = try #require(report.retryLists)
        let dead = Set(lists.dead.map(\.exception))
        var credited = 0
        for id in shop.purchases.keys.sorted() {
            let wanted = shop.isRevoked(id) ? 0 : 1
            if shop.net(id) == wanted {
                credited += 1
                continue
            }
            let row = report.exceptions.first { $0.transactions == [id.text] && $0.state != .resolved }
            let isAPersons = row.map { $0.retryKey == nil || dead.contains($0.id) } ?? false
            #expect(isAPersons, "\(id) of seed \(seed) is on no list: \(String(describing: row))")
        }
        let emitted = player.nights.reduce(0) { $0 + $1.report.retry.emitted }
        #expect(credited > 30 && emitted > 15, "seed \(seed) tried nothing")
        #expect(report.retry.emitted + report.retry.waiting + report.retry.held == 0, "seed \(seed) never ends")
    }
}
