import Domain
import Foundation
import Testing

@testable import Engine
@testable import Reference

/// Whole nights, from what files delivered to the report, without SQLite: the engine needs a history and nothing else.
@Suite struct WholeNightTests {
    @Test func nightsOfRandomWorldsEndWithTheReferencesVerdicts() throws {
        for seed in Trials.seeds(inBlock: 0, 100, long: 300) {
            let world = WorldGenerator.world(seed: seed)
            let history = MemoryHistory()
            var nights: [Engine.Night] = []
            for (number, files) in world.splitIntoNights(3, seed: seed).enumerated() {
                nights.append(try play(files, night: number, of: world, history))
            }
            #expect(troubles(world, nights, history) == [], "seed \(seed): \(world.description)")
        }
    }

    @Test func theNumberOfThreadsChangesNothing() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for seed in UInt64(300)..<300 + UInt64(Trials.count(15, long: 40)) {
            let world = WorldGenerator.world(seed: seed)
            let reports = try [1, 2, 3].map { threads in
                let history = MemoryHistory()
                let nights = try world.splitIntoNights(2, seed: seed).enumerated().map {
                    try play($1, night: $0, of: world, history, threads: threads)
                }
                return try nights.map { String(decoding: try encoder.encode($0.report), as: UTF8.self) }
            }
            #expect(Set(reports).count == 1, "seed \(seed)")
        }
    }

    @Test func aNightWithoutFilesChangesNothing() throws {
        for seed in UInt64(340)..<400 {
            let world = WorldGenerator.world(seed: seed)
            let history = MemoryHistory()
            try play(world.files, night: 0, of: world, history)
            let before = history.verdicts
            let empty = try play([], night: 0, of: world, history)
            #expect(history.verdicts == before, "seed \(seed)")
            #expect(empty.transitions.allSatisfy { $0.isStored || $0.record.state == .open }, "seed \(seed)")
        }
    }

    @Test func afterAnUpgradeOfTheRulesTheNextNightJudgesEverythingAgainAndSaysSo() throws {
        let world = WorldGenerator.world(seed: 7)
        let history = MemoryHistory()
        try play(world.files, night: 0, of: world, history, rules: 1)
        let same = try play([], night: 1, of: world, history, rules: 1)
        #expect(!same.records.isRebuilt && same.otherWarnings == [])
        let upgraded = try play([], night: 2, of: world, history, rules: 2)
        #expect(upgraded.records.isRebuilt && upgraded.otherWarnings == [.rulesChanged(from: 1, to: 2)])
        let next = try play([], night: 3, of: world, history, rules: 2)
        #expect(!next.records.isRebuilt && next.otherWarnings == [])
    }

    /// Plays a night at the world's own time; all nights are of one date, minutes apart.
    @discardableResult
    private func play(
        _ files: [WorldFile], night: Int, of world: World, _ history: MemoryHistory, threads: Int = 1,
        rules: Int = 0
    ) throws -> Engine.Night {
        var delivered = Delivered()
        delivered.firstDelivery = DeliveryID(Int32(history.deliveries.count) + 1)
        for file in files {
            let number = delivered.firstDelivery.advanced(by: delivered.deliveries.count)
            delivered.evidence.append([file].evidence(delivery: number))
            delivered.deliveries.append(Delivery(number, file.kind, file.fileDate, rows: file.rows))
            delivered.arrivals.append(Arrival(feed: file.kind.rawValue, date: file.fileDate, file: ""))
        }
        let feeds = [FeedKind.orders, .credits, .transactions, .receipts].map { kind in
            ExpectedFeed(FeedRecord(name: kind.rawValue, kind: kind, isRequired: false, isDated: true)) {
                $0.hasPrefix(kind.rawValue)
            }
        }
        let time = RunTime(
            businessDate: world.horizon.businessDate, asOf: world.horizon.instant + .minutes(Int64(night)))
        let settings = NightSettings(policy: world.policy, policyText: "rules=\(rules)\n", feeds: feeds)
        let result = try Night.reconcile(delivered, at: time, by: settings, after: history, threads: threads)
        history.apply(result)
        return result
    }

    private func troubles(_ world: World, _ nights: [Engine.Night], _ history: MemoryHistory) -> [String] {
        let last = nights[nights.count - 1]
        var policy = world.policy
        policy.products = last.basis.policy.products
        let expected = judge(world.evidence, policy: policy, horizon: last.basis.horizon).verdicts
        // By key and not by text: Swift holds texts to be equal that differ in bytes.
        let wanted = Dictionary(expected.map { ($0.subject, $0) }) { first, _ in first }
        let found = Dictionary(history.verdicts.values.joined().map { ($0.subject, $0) }) { first, _ in first }
        var troubles = Set(wanted.keys).union(found.keys).compactMap { key -> String? in
            let (left, right) = (found[key], wanted[key])
            let isSame =
                left?.verdict == right?.verdict && left?.cause == right?.cause && left?.flags == right?.flags
                && left?.amount == right?.amount
            return isSame ? nil : "\(key.text) is \(left.map { "\($0)" } ?? "-"), not \(right.map { "\($0)" } ?? "-")"
        }
        let counted = last.tally.entries.values.reduce(0) { $0 + $1.count }
        if counted != found.count { troubles.append("the tally counts \(counted) subjects") }
        let open = Set(history.records.values.filter(\.isOpen).map(\.subject))
        let exceptions = Set(expected.filter(\.verdict.isException).map(\.subject))
        if !exceptions.isSubset(of: open) {
            troubles.append("not registered: \(exceptions.subtracting(open).map(\.text))")
        }
        return troubles
    }
}

extension Delivery {
    init(_ number: DeliveryID, _ kind: FeedKind, _ date: BusinessDate, rows: Int) {
        var totals = ControlTotals()
        totals.rows = rows
        self.init(
            number: number, kind: kind, name: "\(kind.rawValue)-\(date)-\(number)", fileDate: date,
            digest: Digest256(words: (UInt64(number.rawValue), 0, 0, 1)),
            stamp: FileStamp(device: 0, inode: UInt64(number.rawValue), bytes: 0, modified: 0, changed: 0),
            totals: totals)
    }
}

extension Engine.Night {
    /// The warnings, except that a world's days lack files of credits.
    fileprivate var otherWarnings: [NightWarning] {
        warnings.filter { if case .creditsUnseen = $0 { false } else { true } }
    }
}
