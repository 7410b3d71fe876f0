import Console
import Domain
import Foundation
import Testing

@testable internal import Engine
@testable internal import Reconcile
@testable internal import Reference

/// Days without a file, from the operator's point of view: what is missing, since when, and how a gap is closed. See
/// docs/spec/rules.md#coverage.
@Suite struct GapTests {
    private static let credits = "credit_id,account_id,order_id,credited_at\n"
    private let night: NightFolder

    /// One night. The export of credits is missing on 2025-11-10.
    init() throws {
        night = try NightFolder(required: [.orders, .credits])
        try deliver(0)
        try FileManager.default.removeItem(atPath: night.folder.path + "/inbox/credits-2025-11-10.csv")
        let first = try night.night(moment(0))
        #expect(first.code == .look)
        #expect(
            first.errors.contains(
                "run 'reconcile gap accept inbox/credits-{date}*.csv 2025-11-10 --by NAME --note TEXT'"))
    }

    private func deliver(_ number: Int) throws { try night.deliverLostOrders(number, count: 1) }

    private func gap(_ words: String...) throws -> NightFolder.Outcome {
        try night.run(["gap"] + words + ["--by", "Li", "--note", "nothing was sold"])
    }

    private var manifest: String { get throws { try night.folder.read("out/latest/retry-manifest.jsonl") } }

    private func summary() throws -> [String: Any] {
        let content = try Data(contentsOf: URL(fileURLWithPath: night.folder.path + "/out/latest/summary.json"))
        return try #require(try JSONSerialization.jsonObject(with: content) as? [String: Any])
    }

    /// What `check` finds wrong with the ledger and its verdicts. Permissions are those of the
    /// test, and its clock stands before all files.
    private func damage() throws -> [String] {
        try night.run(["check"]).output.split(separator: "\n").map(String.init).filter {
            $0.hasPrefix("WRONG") && !$0.contains("permissions") && !$0.contains("no file matches this required feed")
        }
    }

    private func expectNoDamage() throws {
        let wrong = try damage()
        #expect(wrong == [], "\(wrong)")
    }

    @Test func anAcceptedGapCountsAsDeliveredWithoutRowsUntilItIsReopened() throws {
        #expect(try night.run(["lookup", "20000000000" + "0100"]).output.contains("NO"))
        let accepted = try gap("accept", "credits", "2025-11-10")
        #expect(accepted.code == .done && accepted.output.contains("from the next night on"), "\(accepted)")
        try expectNoDamage()
        try deliver(1)
        #expect(try night.night(moment(1)).code == .done)
        #expect(try manifest.contains("200000000000100"), "the order of the accepted day is asked for")
        let gaps = try #require(try summary()["accepted_gaps"] as? [[String: String]])
        #expect(gaps.map { $0["by"] } == ["Li"] && gaps.map { $0["date"] } == ["2025-11-10"])
        #expect(try night.folder.read("out/latest/summary.txt").contains("2025-11-10, by Li: nothing was sold"))
        try expectNoDamage()
        #expect(try gap("accept", "credits", "2025-11-10").output.contains("was already accepted by Li"))
        // Reopened, it is a gap again.
        #expect(try gap("reopen", "credits", "2025-11-10").code == .done)
        try deliver(2)
        #expect(try night.night(moment(2)).code == .look)
        #expect(try !manifest.contains("200000000000100"))
        #expect(try summary()["accepted_gaps"] == nil)
        try expectNoDamage()
    }

    @Test(arguments: [
        (["accept", "credit", "2025-11-10"], "unknown feed 'credit'", ExitCode.noInput),
        (["accept", "credits", "2025-11-11"], "has no coverage gap on 2025-11-11", .noInput),
        (["accept", "orders", "2025-11-10"], "has no coverage gap on 2025-11-10", .noInput),
        (["reopen", "credits", "2025-11-10"], "is not accepted", .noInput),
        (["accept", "credits", "18.11."], "takes a date as YYYY-MM-DD", .usage),
        (["close", "credits", "2025-11-10"], "takes accept or reopen", .usage),
    ])
    func whatIsNoGapIsNotAccepted(_ words: [String], _ message: String, _ code: ExitCode) throws {
        let ended = try night.run(["gap"] + words + ["--by", "Li", "--note", "-"])
        #expect(ended.code == code && ended.errors.contains(message), "\(ended)")
        try deliver(1)
        #expect(try night.night(moment(1)).code == .look)
    }

    /// The feed's past days are no gaps, and what earlier nights judged stays right.
    @Test func aFeedThatIsAddedRenamedOrMadeRequiredIsExpectedFromThenOn() throws {
        try night.folder.write(Self.credits, to: "inbox/credits-2025-11-10.csv")
        for number in 1...2 {
            try deliver(number)
            try #require(try night.night(moment(number)).code == .done)
        }
        try night.addFeed(#"{kind: "credits", path: "inbox/desk-{date}.csv", name: "desk", required: true}"#)
        let configuration = try night.folder.read("reconcile.json")
        try night.folder.write(
            configuration.replacing("inbox/credits-{date}*.csv", with: "inbox/given-{date}*.csv"), to: "reconcile.json")
        let wrong = try damage()
        #expect(wrong == [], "\(wrong)")
        #expect(try night.run(["check"]).output.contains("verdicts of 3 subjects"))
        try deliver(3)
        try night.folder.write(Self.credits, to: "inbox/given-2025-11-13.csv")
        let third = try night.night(moment(3))
        let gaps = try #require(try summary()["blind_spots"] as? [[String: String]])
        #expect(third.code == .look && gaps.map { $0["date"] } == ["2025-11-13"], "only the desk's file of tonight")
        #expect(gaps.map { $0["why"] } == ["missing: desk"])
        let changes = try #require(try summary()["settings_changed"] as? [[String: Any]])
        #expect(
            changes.map { $0["setting"] as? String } == [
                "feeds: desk", "feeds: inbox/credits-{date}*.csv", "feeds: inbox/given-{date}*.csv",
            ])
        #expect(third.errors.contains("feeds: desk was not set, now credits, required since 2025-11-13"))
        #expect(try night.folder.read("out/latest/summary.txt").contains("SETTINGS CHANGED: 3"))
        try night.folder.write(Self.credits + "\n", to: "inbox/desk-2025-11-13.csv")
        try deliver(4)
        try night.folder.write(Self.credits, to: "inbox/given-2025-11-14.csv")
        try night.folder.write(Self.credits, to: "inbox/desk-2025-11-14.csv")
        #expect(try night.night(moment(4)).code == .done)
        #expect(try summary()["settings_changed"] == nil)
    }

    /// A day without a file of an optional credits feed withholds machine credits. A person can say that it lacks nothing.
    @Test func aDayWithoutAnOptionalCreditsFileCanBeAccepted() throws {
        let night = try NightFolder(required: [.orders])
        for number in 0..<2 {
            try night.deliverLostOrders(number, count: 1)
            try FileManager.default.removeItem(atPath: night.folder.path + "/inbox/credits-\(day(number)).csv")
            if number == 0 { try night.folder.write(Self.credits, to: "inbox/credits-\(day(number)).csv") }
        }
        let manifest = { try night.folder.read("out/latest/retry-manifest.jsonl") }
        #expect(try night.night(moment(0)).code == .done)
        let second = try night.night(moment(1))
        #expect(
            second.code == .done && second.errors.contains("no file of inbox/credits-{date}*.csv came for 2025-11-11"))
        #expect(try !manifest().contains("200000000001100"))
        let words = ["credits", "2025-11-11", "--by", "Li", "--note", "nothing was sold"]
        #expect(try night.run(["gap", "accept", "credits", "2025-11-10"] + words.dropFirst(2)).code == .noInput)
        #expect(try night.run(["gap", "accept"] + words).code == .done)
        try night.deliverLostOrders(2, count: 1)
        let third = try night.night(moment(2))
        #expect(third.code == .done && !third.errors.contains("no file of"), "\(third)")
        #expect(try manifest().contains("200000000001100"))
        #expect(try night.run(["check"]).output.split(separator: "\n").allSatisfy { !$0.contains("verdict of") })
    }

    @Test func aFileOfTwoFeedsStopsTheNight() throws {
        try night.addFeed(#"{kind: "receipts", path: "inbox/orders-2025-11-1*.csv"}"#)
        try deliver(1)
        let ended = try night.night(moment(1))
        #expect(ended.code == .configuration, "\(ended)")
        #expect(ended.errors.contains("matches two feeds: inbox/orders-{date}*.csv and inbox/orders-2025-11-1*.csv"))
        #expect(try night.run(["check"]).code == .no)
    }

    @Test func aFolderThatWasFullAndIsEmptyIsNamed() throws {
        try FileManager.default.removeItem(atPath: night.folder.path + "/inbox")
        let ended = try night.night(moment(1))
        #expect(ended.code == .look, "\(ended)")
        #expect(ended.errors.contains("no file matches the feed inbox/orders-{date}*.csv any more"))
        #expect(!ended.errors.contains("no file matches the feed inbox/credits-{date}*.csv"), "it never delivered")
        let check = try night.run(["check"]).output
        #expect(
            check.contains("LOOK   feed inbox/orders-{date}*.csv: 0 files: it delivered for 2025-11-10"), "\(check)")
        #expect(check.contains("WRONG  feed inbox/credits-{date}*.csv: 0 files: no file matches"), "it never delivered")
    }

    /// `since` sets the date, and a feed that keeps its name may change its path.
    @Test func aNamedFeedMayMove() throws {
        let since = #"name: "cash", since: "2025-11-11", required: true}"#
        try night.addFeed(#"{kind: "credits", path: "inbox/cash-{date}.csv", "# + since)
        try deliver(1)
        #expect(try night.night(moment(1)).code == .look)
        #expect((try summary()["blind_spots"] as? [[String: String]])?.count == 2)
        try night.folder.write(Self.credits, to: "inbox/cash-2025-11-11.csv")
        try night.folder.write(Self.credits, to: "inbox/credits-2025-11-10.csv")
        try deliver(2)
        try night.folder.write(Self.credits, to: "inbox/cash-2025-11-12.csv")
        #expect(try night.night(moment(2)).code == .done)
        let configuration = try night.folder.read("reconcile.json")
        try night.folder.write(configuration.replacing("inbox/cash-", with: "inbox/till-"), to: "reconcile.json")
        try deliver(3)
        try night.folder.write(Self.credits, to: "inbox/till-2025-11-13.csv")
        #expect(try night.night(moment(3)).code == .done)
        #expect(try summary()["settings_changed"] == nil)
    }

    /// A later `historyFrom` closes open cases, and a feed that is no longer required leaves no gap. A person must check both.
    @Test(arguments: [
        ("historyFrom: null", #"historyFrom: "2025-11-12""#, "CLOSED BY SETTINGS: 1"),
        ("required: true", "required: false", "NO LONGER REQUIRED: "),
        (#"credit: ""#, #"refund: "36h", credit: ""#, "SETTINGS CHANGED: 1"),
    ])
    func anEditThatHidesMuchIsNoCleanNight(_ old: String, _ new: String, _ told: String) throws {
        let night = try NightFolder(required: [.orders, .transactions])
        for number in 0...2 {
            try night.deliverLostOrders(number, count: 1)
            if number == 1 {
                let configuration = try night.folder.read("reconcile.json")
                try night.folder.write(configuration.replacing(old, with: new), to: "reconcile.json")
            }
            let ended = try night.night(moment(number))
            #expect(ended.code == (number == 1 ? .look : .done), "night \(number): \(ended.errors)")
            #expect(
                try night.folder.read("out/latest/summary.txt").split(separator: "\n")[0].contains(told)
                    == (number == 1))
        }
    }

    @Test func aChangedSettingIsNamedWithItsOldAndNewValue() throws {
        let configuration = try night.folder.read("reconcile.json")
        try night.folder.write(
            configuration.replacing(#"bundleIDs: ["com.example.game"]"#, with: #"bundleIDs: ["com.example.other"]"#)
                .replacing(#"apple: ""#, with: #"refund: "36h", apple: ""#), to: "reconcile.json")
        try deliver(1)
        let second = try night.night(moment(1))
        #expect(second.errors.contains("app.bundleIDs was com.example.game, now com.example.other"), "\(second)")
        #expect(second.errors.contains("grace.refund was 24h, now 36h"))
        #expect(try night.folder.read("out/latest/summary.txt").contains("grace.refund: 24h → 36h"))
    }
}

@Test func aDayThatAppleWasNotAskedForIsFetched() {
    let gap = CoverageGap(feed: .transactions, date: BusinessDate("2026-11-01")!, reason: .missing(feed: "in/a.jsonl"))
    let fetched = gap.advice(isRead: true, isFetched: true)
    #expect(fetched.contains("). Run 'reconcile fetch', and the night again. If nothing is"))
    #expect(gap.advice(isRead: true).contains("). Deliver the file. If nothing is"))
}
