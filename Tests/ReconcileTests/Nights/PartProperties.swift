internal import Base
import Console
internal import Domain
internal import Matching
internal import Reference
import Testing

@testable import Engine
@testable import Ledger
@testable import Reconcile

/// A night that judges all parts of its history finds and reports what a night finds that judges the history as one:
/// `PartJudge`, `Findings` and books.
@Suite struct PartProperties {
    @Test(arguments: 0..<16) func partsFindWhatOneMachineFinds(_ block: Int) throws {
        try search(inBlock: block) { seed in try troubles(seed: seed) }
    }

    /// Plays the same nights twice: on one machine, and in a random number of parts. Settings change between nights.
    private func troubles(seed: UInt64) throws -> [String] {
        let campaign = seed % 2 == 0 ? Campaign(seed: seed) : Campaign(seed: seed).labelled
        var random = SplitMix64(seed: seed ^ 0xBA87)
        var one = try campaign.player
        var book = try BookPlayer(campaign.player)
        for night in campaign.moments.indices {
            let change = SettingsChange.all.randomElement(using: &random)!
            if night > 0 { change.apply(to: &one.configuration.policy) }
            try campaign.play(night, on: &one)
            let expected = one.nights.last!
            let parts = [1, 2, 7].randomElement(using: &random)!
            let report = try book.play(expected, campaign.files(of: night), one.configuration, parts: parts, &random)
            let others = report == expected.report ? [] : report.differences(from: expected.report)
            let troubles =
                try others + book.ledger.checksumProblems()
                + book.ledger.conservationProblems()
            if !troubles.isEmpty { return ["night \(night), \(change.name), \(parts) parts"] + troubles }
        }
        return []
    }
}

/// Runs nights of parts on a book in memory.
private struct BookPlayer {
    let ledger: Ledger
    /// All evidence of all nights, in order of delivery and line.
    private var evidence = Evidence()

    init(_ player: NightPlayer) { ledger = player.ledger }

    /// Runs the night that `expected` is.
    mutating func play(
        _ expected: Night, _ files: [WorldFile], _ configuration: Configuration, parts: Int, _ random: inout SplitMix64
    ) throws -> NightReport {
        var delivered = expected.delivered
        delivered.deliveries = delivered.deliveries.map { delivery in
            var delivery = delivery
            (delivery.accepted, delivery.duplicates) = (0, 0)
            return delivery
        }
        for (number, file) in files.enumerated() {
            evidence.append([file].evidence(delivery: delivered.firstDelivery.advanced(by: number)))
        }
        let time = RunTime(businessDate: expected.run.businessDate, asOf: expected.run.asOf)
        let history = try ledger.history
        let plan = NightPlan(delivered, at: time, by: configuration.nightSettings, after: try history.head())
        var facts = plan.basis.policy.facts
        _ = facts.note(evidence)
        (facts.deskOrders, facts.takenOrders) = ([:], [])
        var findings = try judge(plan, facts, parts, &random)
        facts.deskOrders = findings.deskOrders(window: configuration.policy.suggestionWindow)
        if !facts.deskOrders.isEmpty { findings = try judge(plan, facts, parts, &random) }
        var night = try Night.reconcile(findings, delivered: delivered, by: plan, facts: facts, after: history)
        night.run.evidence = "elsewhere"
        try ledger.begin()
        try ledger.apply(&night, threads: 1, work: WorkCount())
        try ledger.commit()
        return night.report
    }

    /// Judges all evidence in parts of whole bundles.
    private func judge(
        _ plan: NightPlan, _ facts: LedgerFacts, _ count: Int, _ random: inout SplitMix64
    ) throws -> Engine.Findings {
        var policy = plan.basis.policy
        policy.facts = facts
        let judge = PartJudge(
            policy: policy, horizon: plan.basis.horizon, files: plan.files, firstDelivery: plan.firstDelivery)
        let owner = Versions(evidence, policy: policy).tokenOwners
        var bundles = Bundles(facts.deskOrders, tiesTokens: policy.tokenUse == .order)
        var parts = bundles.split(evidence, count, &random)
        let followed = try ledger.followedExceptions()
        var findings = Engine.Findings()
        for index in parts.indices.shuffled(using: &random) {
            parts[index].followed = followed
            // Every row may have transactions in several parts.
            parts[index].sharedRows = Set(parts[index].evidence.transactions.map(\.source))
            for token in parts[index].evidence.tokens { parts[index].owners[token] = owner(token) }
            findings.append(try judge.findings(parts[index]))
        }
        for (date, counts) in findings.dates {
            #expect(counts.uncredited <= counts.proven && counts.invalid <= counts.foreign, "\(date.text): \(counts)")
        }
        return findings
    }
}

/// Sorts evidence into parts that cut no case: evidence is tied by every identifier that may link it.
private struct Bundles {
    private enum Key: Hashable {
        case order(Identifier), credit(Identifier), transaction(Identifier), line(Identifier), receipt(String)
        case token(Token)
    }
    private let tiesTokens: Bool
    private var parents: [Key: Key] = [:]

    init(_ pairs: [Identifier: Identifier], tiesTokens: Bool) {
        self.tiesTokens = tiesTokens
        for (order, transaction) in pairs { tie([.order(order), .transaction(transaction)]) }
    }

    private mutating func root(_ key: Key) -> Key {
        guard let parent = parents[key], parent != key else { return key }
        let root = root(parent)
        parents[key] = root
        return root
    }

    private mutating func tie(_ keys: [Key]) {
        for key in keys.dropFirst() { parents[root(key)] = root(keys[0]) }
    }

    private func keys(_ order: Order) -> [Key] {
        [.order(order.id)] + [order.transaction.map(Key.transaction), token(order.token)].compactMap(\.self)
    }
    private func keys(_ credit: Credit) -> [Key] {
        [.credit(credit.id)]
            + [credit.order.map(Key.order), credit.transaction.map(Key.transaction)].compactMap(\.self)
    }
    private func keys(_ transaction: Transaction) -> [Key] {
        let named = [transaction.original.map(Key.transaction), transaction.line.map(Key.line)]
        return [.transaction(transaction.id)] + (named + [token(transaction.token)]).compactMap(\.self)
    }
    private func keys(_ receipt: Receipt) -> [Key] {
        [.receipt(receipt.id)]
            + [receipt.order.map(Key.order), receipt.transaction.map(Key.transaction)].compactMap(\.self)
    }
    private func token(_ token: Token?) -> Key? { tiesTokens ? token.map(Key.token) : nil }

    mutating func split(_ evidence: Evidence, _ count: Int, _ random: inout SplitMix64) -> [Part] {
        for order in evidence.orders { tie(keys(order)) }
        for credit in evidence.credits { tie(keys(credit)) }
        for transaction in evidence.transactions { tie(keys(transaction)) }
        for receipt in evidence.receipts { tie(keys(receipt)) }
        var parts = Array(repeating: Part(), count: count)
        var places: [Key: Int] = [:]
        func place(_ key: Key, _ all: inout Bundles) -> Int {
            let root = all.root(key)
            let place = places[root] ?? Int.random(in: 0..<count, using: &random)
            places[root] = place
            return place
        }
        for order in evidence.orders { parts[place(.order(order.id), &self)].evidence.orders.append(order) }
        for credit in evidence.credits { parts[place(.credit(credit.id), &self)].evidence.credits.append(credit) }
        for transaction in evidence.transactions {
            parts[place(.transaction(transaction.id), &self)].evidence.transactions.append(transaction)
        }
        for receipt in evidence.receipts {
            parts[place(.receipt(receipt.id), &self)].evidence.receipts.append(receipt)
        }
        return parts
    }
}

/// A change of the settings before a night.
struct SettingsChange {
    var name: String
    var apply: @Sendable (inout Policy) -> Void

    func apply(to policy: inout Policy) { apply(&policy) }

    /// Puts every subject out of scope, or none.
    static let history = SettingsChange(name: "history") {
        $0.historyFrom = $0.historyFrom == nil ? BusinessDate(day: 30_000) : nil
    }

    static let all: [SettingsChange] = [
        SettingsChange(name: "nothing") { _ in },
        SettingsChange(name: "graces") { ($0.graceCredit, $0.graceApple) = ($0.graceApple, $0.graceCredit.longer) },
        SettingsChange(name: "window") {
            $0.suggestionWindow = $0.suggestionWindow == .hours(1) ? .days(30) : .hours(1)
        },
        SettingsChange(name: "TTL") { ($0.orderTTL, $0.receiptTTL) = ($0.receiptTTL, $0.orderTTL.longer) },
        history,
        SettingsChange(name: "compare") { $0.compare = $0.compare.isEmpty ? [.amount, .product] : [] },
        SettingsChange(name: "late") { $0.lateAfter = $0.lateAfter.longer },
        SettingsChange(name: "reversal") { $0.reverseRefunds.toggle() },
        SettingsChange(name: "zone") { $0.zone = $0.zone.name == "UTC" ? Zone("Pacific/Auckland")! : .utc },
        SettingsChange(name: "environment") {
            $0.environment = $0.environment == .production ? .sandbox : .production
        },
        SettingsChange(name: "tokens") {
            $0.tokenUse = $0.tokenUse == .account ? .order : .account
        },
        SettingsChange(name: "fan-out") { $0.tokenFanOut = $0.tokenFanOut == 16 ? 1 : 16 },
    ]
}

extension NightReport {
    /// The fields that differ.
    func differences(from other: NightReport) -> [String] {
        zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children).compactMap { left, right in
            let (before, now) = ("\(left.value)", "\(right.value)")
            return before == now ? nil : "\(left.label ?? ""): \(before.prefix(300)) / \(now.prefix(300))"
        }
    }
}

extension Milliseconds {
    fileprivate var longer: Milliseconds { Milliseconds(count + 60_000) }
}
