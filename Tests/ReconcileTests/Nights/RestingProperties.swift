internal import Domain
import Exceptions
internal import Intake
import ReportData
import Testing

@testable import Engine
@testable import Ledger
@testable import Reconcile
@testable internal import Reference

/// docs/spec/rules.md#resting: a night does not judge open cases that nothing can have changed. A night that judges all of
/// them finds, writes and reports the same.
@Suite struct RestingProperties {
    @Test(arguments: 0..<12) func whatRestsIsWhatJudgingItWouldFind(_ block: Int) throws {
        var rested = 0
        for seed in Trials.seeds(inBlock: block, 4, long: 125) {
            var twins = try RestingTwins(seed: seed)
            try twins.play()
            rested += twins.rested
            guard twins.troubles.isEmpty else {
                Issue.record("seed \(seed): \(twins.troubles)")
                return
            }
        }
        #expect(rested > 0)
    }

    /// The guard counts resting cases, too.
    @Test func theGuardCountsWhatRests() throws {
        var twins = try RestingTwins(seed: 1)
        try twins.play(purchases: 60, credited: 20)
        #expect(twins.troubles == [] && twins.rested >= 80)
        #expect(twins.guarded == Array(repeating: ["40 of 60"], count: 3))
    }
}

/// The same nights on two ledgers. On the second one, no case rests. Nearly always every feed delivers each day; between the
/// nights people decide, consumers answer, and the desk gives goods.
private struct RestingTwins {
    private let world: World
    private var random: SplitMix64
    private var resting: NightPlayer
    private var whole: NightPlayer
    private(set) var troubles: [String] = []
    /// How many cases were not judged, in all nights together.
    private(set) var rested = 0

    init(seed: UInt64) throws {
        var random = SplitMix64(seed: seed ^ 0x4E57)
        var world = WorldGenerator.world(seed: seed)
        if Bool.random(using: &random) { world = world.withDuplicateFile(seed: seed) }
        let required = Set(NightPlayer.kinds.filter { _ in Bool.random(using: &random) })
        resting = try NightPlayer(policy: world.policy, required: required)
        whole = try NightPlayer(policy: world.policy, required: required)
        whole.recall = .everything
        (self.world, self.random) = (world, random)
    }

    mutating func play() throws {
        let last = world.horizon.businessDate
        let first = min(world.files.map(\.fileDate).min() ?? last, last)
        let nights = 6
        var parts = world.files.map { file in (night: Int.random(in: 0..<nights, using: &random), file: file) }
        parts = parts.map { ($0.night, $0.file) }
        for night in 0..<nights + 2 {
            // The first half of the nights lie a day apart; then graces pass.
            let date = last.advanced(by: night < nights / 2 ? night - nights / 2 : night * night)
            let days = night == 0 ? first...max(first, date) : resting.nights.last!.run.businessDate...date
            var arrivals = NightPlayer.kinds.flatMap { kind in days.all.map { (kind: kind, date: $0) } }
            if night > 1, Int.random(in: 0..<4, using: &random) == 0 {
                arrivals.remove(at: Int.random(in: 0..<arrivals.count, using: &random))
            }
            var files = parts.filter { $0.night == night }.map(\.file)
            for index in files.indices { files[index].fileDate = min(files[index].fileDate, date) }
            let moment = RunTime(businessDate: date, asOf: world.policy.zone.end(of: date) + .hours(3))
            let addition = addition(night)
            try play(files, arrivals, at: moment, addition)
            if !troubles.isEmpty {
                troubles.insert("night \(night)", at: 0)
                return
            }
            try decide()
        }
    }

    private mutating func play(
        _ files: [WorldFile], _ arrivals: [(kind: FeedKind, date: BusinessDate)], at moment: RunTime,
        _ addition: (inout Delivered) -> Void
    ) throws {
        try resting.play(files, arrivals: arrivals, at: moment, addition: addition)
        try whole.play(files, arrivals: arrivals, at: moment, addition: addition)
        rested += resting.nights.last!.records.unjudged.count
        let reports = (resting.nights.last!.report, whole.nights.last!.report)
        if reports.0 != reports.1 { troubles.append("\(reports.0.differences(from: reports.1))") }
        troubles += try resting.ledger.differences(from: whole.ledger)
    }

    /// Three nights after a day with these purchases.
    mutating func play(purchases: Int, credited: Int) throws {
        (resting, whole) = (try NightPlayer(policy: Policy()), try NightPlayer(policy: Policy()))
        whole.recall = .everything
        var (sold, given) = (Evidence(), Evidence())
        for number in 0..<purchases {
            let id = Identifier("T\(number)")
            sold.transactions.append(Transaction(id: id, product: "coins", purchasedAt: noon(0)))
            if number >= credited { continue }
            var credit = Credit(id: Identifier("C\(number)"), account: "a", creditedAt: noon(0))
            credit.transaction = id
            given.credits.append(credit)
        }
        let files = [(FeedKind.transactions, sold), (.credits, given)].map {
            WorldFile(kind: $0, fileDate: day(0), evidence: $1)
        }
        for night in 0..<4 {
            let arrivals = NightPlayer.kinds.map { (kind: $0, date: day(night)) }
            try play(night == 0 ? files : [], arrivals, at: moment(night), { _ in })
        }
    }

    /// What the guard found in each night after the first.
    var guarded: [[String]] {
        resting.nights.dropFirst().map { ($0.report.guarded ?? []).map { "\($0.count) of \($0.total)" } }
    }

    /// Answers of consumers, goods given by the desk, and rejected rows of credits.
    private mutating func addition(_ night: Int) -> (inout Delivered) -> Void {
        guard night > 1, let report = resting.nights.last?.report, Bool.random(using: &random) else { return { _ in } }
        let emitted = (report.retryLists?.emitted ?? []).map(\.facts.key)
        let asOf = report.asOf + .minutes(1)
        let answer = emitted.randomElement(using: &random).map {
            Acknowledgement(key: $0, outcome: AckOutcome.allCases.randomElement(using: &random)!, at: asOf)
        }
        let given = report.exceptions.compactMap(\.transactions.first).randomElement(using: &random)
        let mentioned = report.exceptions.compactMap(\.transactions.first).randomElement(using: &random)
        let turn = Int.random(in: 0..<3, using: &random)
        return { delivered in
            if turn == 0, let answer { delivered.evidence.acknowledgements.append(answer) }
            if turn == 1, let given {
                delivered.handOuts.append(HandOut(transaction: Identifier(given), by: "Li", at: asOf))
            }
            if turn == 2, let mentioned, let file = delivered.deliveries.first(where: { $0.kind == .credits }) {
                delivered.rejects.append(
                    RejectLine(source: file.name, line: 9, column: nil, reason: "", row: Array("C9,\(mentioned)".utf8)))
            }
        }
    }

    /// A person waives an exception, withdraws a waiver, or releases retry entries; on both ledgers.
    private mutating func decide() throws {
        let known = try resting.ledger.unresolvedExceptions()
        guard var record = known.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where record.isOpen: record.state = .waived
        case 1:
            guard let waived = known.first(where: { $0.state == .waived }) else { return }
            record = waived
            record.state = .reopened
        case 2:
            for ledger in [resting.ledger, whole.ledger] {
                try ledger.begin()
                for state in [RetryEntry.State.held, .dead] {
                    var entries = try ledger.retryEntries(in: state)
                    for index in entries.indices { _ = entries[index].release() }
                    try ledger.write(entries)
                }
                try ledger.commit()
            }
            return
        default: return
        }
        for ledger in [resting.ledger, whole.ledger] {
            try ledger.begin()
            var same = try #require(try ledger.exception(id: record.id))
            same.state = record.state
            try ledger.write(same)
            try ledger.writeDecision(
                on: same, run: resting.nights.last!.run.id, by: "Li", at: resting.nights.last!.run.asOf, note: "checked"
            )
            try ledger.commit()
        }
    }
}

extension ClosedRange<BusinessDate> {
    fileprivate var all: [BusinessDate] {
        (0...(upperBound.day - lowerBound.day)).map { lowerBound.advanced(by: Int($0)) }
    }
}
