internal import Domain
internal import Reference
import ReportData
import Testing

@testable import Engine
@testable import Ledger
@testable import Reconcile

/// docs/spec/rules.md#recall: where every case is judged again, the cases that need not be loaded are judged in ranges.
/// A night that loads everything finds, writes and reports the same.
@Suite struct RangeProperties {
    @Test(arguments: 0..<16) func rangesFindWhatLoadingEverythingFinds(_ block: Int) throws {
        try search(inBlock: block) { seed in try troubles(seed: seed) }
    }

    /// Plays the same nights twice. Before each night, settings and product list may change.
    private func troubles(seed: UInt64) throws -> [String] {
        let campaign = Campaign(seed: seed)
        var random = SplitMix64(seed: seed ^ 0x0A11)
        var (ranges, whole) = (try campaign.player, try campaign.player)
        ranges.recall = .ranges(Int.random(in: 1...4, using: &random))
        whole.recall = .everything
        for night in 0..<campaign.moments.count + 6 {
            var names: [String] = []
            if night > 0 {
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    let change = SettingsChange.all.randomElement(using: &random)!
                    change.apply(to: &ranges.configuration.policy)
                    names.append(change.name)
                }
            }
            // Everything is closed, and then comes back from the ranges.
            if night >= campaign.moments.count {
                SettingsChange.history.apply(to: &ranges.configuration.policy)
                names.append(SettingsChange.history.name)
            }
            whole.configuration.policy = ranges.configuration.policy
            let products = night > 0 && Bool.random(using: &random) ? campaign.products(changedBy: &random) : []
            try campaign.play(night, on: &ranges, products: products)
            try campaign.play(night, on: &whole, products: products)
            let reports = (ranges.nights.last!.report, whole.nights.last!.report)
            var troubles = reports.0 == reports.1 ? [] : ["other reports: \(reports.0.differences(from: reports.1))"]
            troubles += try ranges.ledger.differences(from: whole.ledger) + ranges.problems()
            if !troubles.isEmpty { return ["night \(night) of \(campaign.moments.count), \(names)"] + troubles }
        }
        return []
    }

    /// The larger part of the nights that judge everything again must not load everything.
    @Test func mostChangesNeedNotLoadEverything() throws {
        for change in SettingsChange.all {
            var player = try Campaign(seed: 3).played()
            change.apply(to: &player.configuration.policy)
            try player.play([], at: Campaign(seed: 3).moments.last!)
            let records = player.nights.last!.records
            #expect(records.judgesAll == (change.name != "nothing"), "\(change.name)")
            #expect(records.isRebuilt == change.isOfMatching, "\(change.name)")
        }
    }
}

/// A change of the settings before a night.
struct SettingsChange {
    var name: String
    /// Whether it may merge or split any case.
    var isOfMatching = false
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
        SettingsChange(name: "environment", isOfMatching: true) {
            $0.environment = $0.environment == .production ? .sandbox : .production
        },
        SettingsChange(name: "tokens", isOfMatching: true) {
            $0.tokenUse = $0.tokenUse == .account ? .order : .account
        },
        SettingsChange(name: "fan-out", isOfMatching: true) { $0.tokenFanOut = $0.tokenFanOut == 16 ? 1 : 16 },
    ]
}

extension Campaign {
    /// Some products with another type, none, or another price.
    fileprivate func products(changedBy random: inout SplitMix64) -> [Product] {
        products.filter { _ in Bool.random(using: &random) }.map { product in
            var other = product
            other.type = [.nonConsumable, .consumable, nil].randomElement(using: &random)!
            if Bool.random(using: &random) { other.price = nil }
            other.source.fileDate = moments.last!.businessDate
            return other
        }
    }
}

extension NightPlayer {
    /// What `check` would report.
    fileprivate func problems() throws -> [String] {
        guard let run = try ledger.lastRun() else { return ["no run"] }
        let check = try Verification(ledger, Basis(configuration.nightSettings, try ledger.head(), of: run))
        return try ledger.checksumProblems() + ledger.conservationProblems() + check.wrongSubjects
            + check.derivedIndexProblems
    }
}

extension Ledger {
    /// The tables whose rows differ. Orders that belong to another purchase are on record only as far as tonight's cases
    /// show them, so they are left out; and so are the sums of cases, which depend on how a row is packed: the same text may
    /// be packed otherwise in a later night.
    func differences(from other: Ledger) throws -> [String] {
        let tables = [
            "backend_order", "backend_credit", "apple_transaction", "client_receipt", "token_owner", "loose_end",
            "watch", "resting_case",
            "subject", "tally", "purchase_tally", "exception", "exception_event", "exception_row", "retry_entry",
            "retry_line", "ledger_fact", "delivery",
        ]
        return try tables.filter { try rows(of: $0) != other.rows(of: $0) }
    }

    private func rows(of table: String) throws -> [String] {
        var rows: [String] = []
        var row = try connection.prepare("SELECT * FROM \(table)")
        let columns = try connection.integer("SELECT count(*) FROM pragma_table_info('\(table)')")!
        while try row.step() { rows.append((0..<Int32(columns)).map { row.text($0) }.joined(separator: "|")) }
        return rows.filter { !$0.hasPrefix("taken_order|") }.sorted()
    }
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
