import Console
import Foundation
import Synchronization
import Testing

@testable import Domain
@testable import Ledger
@testable internal import Reconcile

private func at(_ instant: String) -> Instant { Instant(strict: instant)! }

/// The machine's clock may be wrong: it may go backwards between nights and within one.
@Suite struct ClockTests {
    private let shop: ShopFolder

    init() throws {
        shop = try ShopFolder()
        try shop.sell(1..<4, night: 0)
        try shop.credit([2], night: 0)
        try shop.sell(4..<6, night: 1)
        try shop.credit([1, 4], night: 1)
    }

    /// The clock shows an hour less each time it is read.
    @Test func aClockThatRunsBackwardsWithinARunChangesNoReport() throws {
        try shop.night(0)
        let expected = try shop.files(0)
        let other = try ShopFolder()
        try other.sell(1..<4, night: 0)
        try other.credit([2], night: 0)
        let clock = RunningBackwards(at("2025-11-02T04:00:00Z"))
        let words = ["nightly", "--date", "2025-11-01", "--as-of", "2025-11-02T04:00:00Z"]
        #expect(try other.run(words, clock: { clock.next() }).code == 0)
        #expect(try other.files(0) == expected)
        // Without --as-of, the first reading determines "now".
        let third = try ShopFolder()
        try third.sell(1..<4, night: 0)
        try third.credit([2], night: 0)
        let again = RunningBackwards(at("2025-11-02T04:00:00Z"))
        #expect(try third.run(["nightly"], clock: { again.next() }).code == 0)
        #expect(try third.files(0) == expected)
    }

    /// If the clock is set back by some hours, the same night is rebuilt. If it is set back by a day, a person must
    /// look.
    @Test func aClockSetBackBetweenNightsIsTold() throws {
        for (clock, night) in [("2025-11-02T04:00:00Z", 0), ("2025-11-03T04:00:00Z", 1)] {
            let ended = try shop.run(["nightly"], clock: { at(clock) })
            #expect(ended.code == 0, "\(ended.errors)")
            #expect(shop.report("summary.json", night) != nil)
        }
        let ledger = { try Data(contentsOf: URL(fileURLWithPath: shop.folder.path + "/ledger.sqlite")) }
        let before = try (ledger(), shop.files(1))
        let hours = try shop.run(["nightly"], clock: { at("2025-11-03T01:00:00Z") })
        #expect(hours.code == 0 && hours.errors.contains("are rebuilt from the ledger"))
        #expect(try shop.files(1) == before.1)
        for clock in ["2025-11-02T04:00:00Z", "1970-01-01T00:00:10Z"] {
            for words in [["nightly"], ["nightly", "--dry-run"]] {
                let ended = try shop.run(words, clock: { at(clock) })
                #expect(ended.code == 78, "\(clock): \(ended)")
                #expect(ended.errors.contains("the clock says \(clock), but the last night was for 2025-11-02"))
                #expect(ended.errors.contains("Correct the clock"))
            }
        }
        #expect(try shop.files(1) == before.1)
        // A date on the command line is taken as intended.
        #expect(try shop.run(["nightly", "--date", "2025-11-01"], clock: { at("2025-11-02T04:00:00Z") }).code == 0)
        #expect(try shop.run(["check"]).code == 0)
    }

    /// A night in the future would keep all earlier ones from running.
    @Test(arguments: [false, true]) func aClockFarAheadOfTheFilesRunsNoNight(hasUndatedList: Bool) throws {
        let desk = try DeskFolder()
        if hasUndatedList {
            let feeds = #"feeds: [ { kind: "products", path: "inbox/products.csv" },"#
            let configuration = try desk.folder.read("reconcile.json")
            try desk.folder.write(configuration.replacing("feeds: [", with: feeds), to: "reconcile.json")
            try desk.folder.write("product_id,type\ncoins,consumable\n", to: "inbox/products.csv")
        }
        for night in 0...1 { for feed in ["orders", "credits"] { try desk.deliver(feed, night: night) } }
        try desk.night(0)
        func night(after days: Int, files: String) throws {
            desk.now = Zone("Asia/Shanghai")!.start(of: DeskFolder.first) + .hours(Int64(24 * days + 9))
            let ended = try desk.run(["nightly", "--dry-run"])
            #expect(ended.code == (files.isEmpty ? 3 : 78), "\(days) \(ended)")
            #expect(files.isEmpty || ended.errors.contains(files + ": the clock may be ahead"), "\(days) \(ended)")
        }
        let newest = "the newest file is of \(desk.date(1))"
        for (days, files) in [(3, ""), (4, newest), (6, newest), (40, newest)] { try night(after: days, files: files) }
        for feed in ["orders", "credits"] {
            try FileManager.default.removeItem(atPath: "\(desk.folder.path)/inbox/\(feed)-\(desk.date(1)).csv")
        }
        let none = "no file has come since"
        for (days, files) in [(4, ""), (5, none), (40, none)] { try night(after: days, files: files) }
        // A date on the command line is taken as intended. A shop whose nights skip dates has its clock believed.
        for feed in ["orders", "credits"] { try desk.deliver(feed, night: 4) }
        #expect(try desk.run(["nightly", "--date", desk.date(4)]).code == 3)
        for feed in ["orders", "credits"] { try desk.deliver(feed, night: 5) }
        for (days, files) in [(8, ""), (12, "the newest file is of \(desk.date(5))")] {
            try night(after: days, files: files)
        }
    }

    /// `collect` dates its files by the same clock, so only their rows count.
    @Test func aClockThatCollectFollowedIsCheckedByTheRows() throws {
        let desk = try DeskFolder()
        let configuration = try desk.folder.read("reconcile.json")
        try desk.folder.write(
            configuration.replacing("{date}.csv\",", with: "{date}.csv\", command: [\"true\"],"), to: "reconcile.json")
        for feed in ["orders", "credits"] { try desk.deliver(feed, night: 0) }
        try desk.night(0)
        func ended(after days: Int, rows: Int) throws -> Ended {
            for night in 1..<days {
                let day = min(night, rows)
                try desk.deliver("orders", ["A\(day),acct,coins,1,6.00,CNY,,,paid,\(desk.noon(day)),"], night: night)
                try desk.deliver("credits", night: night)
            }
            desk.now = Zone("Asia/Shanghai")!.start(of: DeskFolder.first) + .hours(Int64(24 * days + 9))
            return try desk.run(["nightly", "--dry-run"])
        }
        for (days, rows) in [(3, 1), (3, 2), (4, 3), (8, 7)] {
            #expect(try ended(after: days, rows: rows).code == 0, "\(days) \(rows)")
        }
        for days in [4, 5, 8, 30] {
            let refused = try ended(after: days, rows: 2)
            #expect(
                refused.code == 78
                    && refused.errors.contains("the newest row is of \(desk.date(2)): the clock may be ahead"),
                "\(refused)")
            #expect(
                refused.errors.contains(
                    "delete the files of dates after \(desk.date(0)) that 'reconcile collect' wrote"))
        }
        // A quiet shop: files without rows say nothing, so a person is asked.
        for night in 1..<30 { for feed in ["orders", "credits"] { try desk.deliver(feed, night: night) } }
        let quiet = try desk.run(["nightly", "--dry-run"])
        #expect(quiet.code == 78 && quiet.errors.contains("no row has come since: the clock may be ahead"), "\(quiet)")
        #expect(quiet.errors.contains("Is the clock right? If so, name the night with --date"))
        // A file that another program delivered is dated by that one's clock.
        try desk.folder.write(
            configuration.replacing("orders-{date}.csv\",", with: "orders-{date}.csv\", command: [\"true\"],"),
            to: "reconcile.json")
        #expect(try ended(after: 8, rows: 2).code == 0)
    }

    /// A night that was run for a wrong future date is undone by restoring the backup from before.
    @Test func aNightOfAFutureThatNeverWasIsUndone() throws {
        #expect(try shop.run(["nightly"], clock: { at("2025-11-02T04:00:00Z") }).code == 0)
        #expect(try shop.run(["backup", "copy.sqlite"]).code == 0)
        #expect(try shop.run(["nightly"], clock: { at("2031-01-01T04:00:00Z") }).code == 0)
        let refused = try shop.run(["nightly"], clock: { at("2025-11-03T04:00:00Z") })
        #expect(refused.code == 78 && refused.errors.contains("restore a backup"))
        #expect(try shop.run(["restore", "copy.sqlite", "--by", "Li"]).code == 0)
        #expect(try shop.run(["nightly"], clock: { at("2025-11-03T04:00:00Z") }).code == 0)
        #expect(shop.exceptions(1).filter { $0["state"] != "resolved" }.count == 2)
    }

    /// "Now" may be earlier for a later date. The horizon never goes back.
    @Test func anEarlierNowOfALaterDateLooksNoLessFar() throws {
        #expect(try shop.run(["nightly", "--date", "2025-11-01", "--as-of", "2025-11-02T23:00:00Z"]).code == 0)
        #expect(try shop.run(["nightly", "--date", "2025-11-02", "--as-of", "2025-11-02T22:00:00Z"]).code == 0)
        let runs = try Ledger.reading(path: shop.folder.path + "/ledger.sqlite").runs()
        #expect(runs.map(\.horizon.text) == ["2025-11-02T00:00:00Z", "2025-11-02T22:00:00Z"])
        #expect(try shop.run(["check"]).code == 0)
    }
}

/// A clock that shows an hour less each time it is read.
private final class RunningBackwards: Sendable {
    private let now: Mutex<Instant>

    init(_ start: Instant) { now = Mutex(start) }

    func next() -> Instant {
        now.withLock { now in
            defer { now = now + .hours(-1) }
            return now
        }
    }
}
