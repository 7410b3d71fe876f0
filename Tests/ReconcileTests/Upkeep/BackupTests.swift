import Foundation
import Testing

@testable import Ledger
@testable internal import Reconcile

/// `backup` and `restore`: the restored ledger is what was backed up, and nothing is lost on the way.
@Suite struct BackupTests {
    private let shop: ShopFolder
    private var ledger: String { shop.folder.path + "/ledger.sqlite" }
    private var backup: String { shop.folder.path + "/backup.sqlite" }

    init() throws {
        shop = try ShopFolder()
        try shop.sell(1..<4, night: 0)
        try shop.night(0)
    }

    private func secondNight() throws {
        try shop.sell(4..<6, night: 1)
        try shop.credit([1], night: 1)
        #expect(try shop.night(1).code == 0)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func aBackupIsOneWholeFileForItsOwnerAlone() throws {
        let old = umask(0)
        defer { umask(old) }
        let ended = try shop.run(["backup", "backup.sqlite"])
        #expect(ended.code == 0 && ended.output.contains("the night of 2025-11-01"), "\(ended.errors)")
        #expect(try mode(backup) == 0o600)
        #expect(try Ledger.reading(path: backup).problems().isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        #expect(left.filter { $0.hasPrefix("backup") } == ["backup.sqlite"])
    }

    @Test func aBackupTakenWhileANightWritesIsOfTheNightBefore() throws {
        let night = try Ledger(path: ledger)
        try night.begin()
        try night.connection.execute("DELETE FROM packed_subject")
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        try night.rollback()
        #expect(
            try Ledger.reading(path: backup).storedVerdicts(ofCases: 0..<0x40_0000_0000)
                == Ledger.reading(path: ledger).storedVerdicts(ofCases: 0..<0x40_0000_0000))
    }

    /// Two apps with a ledger each: the wrong backup would run one app's nights on the other's records.
    @Test func anotherAppsBackupIsRefused() throws {
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        let settings = try shop.folder.read("reconcile.json")
        let bundle = try #require(settings.firstMatch(of: /com\.[a-z.]+/)).output
        try shop.folder.write(settings.replacing(bundle, with: "com.example.other"), to: "other.json")
        let before = try Data(contentsOf: URL(fileURLWithPath: ledger))
        let ended = try shop.run(["restore", "backup.sqlite", "--by", "li", "--config", "other.json"])
        #expect(
            ended.code == 78 && ended.errors.contains("is a backup of \(bundle), and the configuration is of"),
            "\(ended)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: ledger)) == before)
        let left = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        #expect(!left.contains { $0.hasSuffix(".restored") })
        #expect(try shop.run(["restore", "backup.sqlite", "--by", "li"]).code == 0)
    }

    @Test func aDiskThatFillsUpLeavesTheLedgerAsItIs() throws {
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        let faults = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path + "/Faults"
        func restore(_ mode: String, _ point: String) throws -> Ended {
            try Program.shell(
                """
                RECONCILE_THREADS=1 \(faults) -r "$PWD" -l calls \(mode) \(point) \
                $R restore backup.sqlite --by li --config reconcile.json
                """, in: shop.folder.path)
        }
        #expect(try restore("none", "0").code == 0)
        let calls = try shop.folder.read("calls").split(separator: "\n")
        let write = try #require(calls.firstIndex { $0.contains("write") && $0.contains(".restored") })
        let before = try Data(contentsOf: URL(fileURLWithPath: ledger))
        let ended = try restore("enospc", "\(write + 1)")
        #expect(ended.code == 74 && ended.errors.contains("the disk has no room for a copy of"), "\(ended)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: ledger)) == before)
        let left = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        #expect(!left.contains { $0.contains(".restored") }, "\(left)")
    }

    @Test func aBackupReplacesNothingAndFollowsNoLink() throws {
        try shop.folder.write("mine", to: "backup.sqlite")
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 73)
        #expect(try shop.folder.read("backup.sqlite") == "mine")
        try FileManager.default.removeItem(atPath: backup)
        for planted in [backup, backup + ".new"] {
            try FileManager.default.createSymbolicLink(
                atPath: planted, withDestinationPath: shop.folder.path + "/victim")
        }
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 73)
        try FileManager.default.removeItem(atPath: backup)
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        #expect(!FileManager.default.fileExists(atPath: shop.folder.path + "/victim"))
    }

    /// The backup was killed after the copy got its name and before its temporary name was removed.
    @Test func whatAnInterruptedBackupLeftBesideItsCopyGoes() throws {
        #expect(try shop.run(["backup", "copy.sqlite"]).code == 0)
        let copy = shop.folder.path + "/copy.sqlite"
        try FileManager.default.linkItem(atPath: copy, toPath: copy + ".new")
        #expect(try shop.run(["backup", "copy.sqlite"]).code == 73)
        #expect(!FileManager.default.fileExists(atPath: copy + ".new") && FileManager.default.fileExists(atPath: copy))
    }

    @Test func aDamagedLedgerIsNotBackedUp() throws {
        try Connection(path: ledger, mode: .readWrite).execute("UPDATE tally SET subjects = subjects + 1")
        let ended = try shop.run(["backup", "backup.sqlite"])
        #expect(ended.code == 74 && ended.errors.contains("tally"))
        #expect(!FileManager.default.fileExists(atPath: backup))
    }

    /// The next night would have ended with it.
    @Test func aBackupWithChangedOwnersIsNotRestored() throws {
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        try Connection(path: backup, mode: .readWrite).execute("INSERT INTO token_owner VALUES ('T', 'thief', 1, 0)")
        let ended = try shop.run(["restore", "backup.sqlite", "--by", "Li"])
        #expect(
            ended.code == 74 && ended.errors.contains("the accounts of the token T were changed"), "\(ended.errors)")
        let beside = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        #expect(!beside.contains { $0.contains("before-") || $0.contains("restored") })
    }

    @Test func beforeTheFirstNightThereIsNothingToBackUp() throws {
        #expect(try shop.run(["backup", "backup.sqlite", "--ledger", "none.sqlite"]).code == 66)
        #expect(!FileManager.default.fileExists(atPath: backup))
        #expect(!FileManager.default.fileExists(atPath: shop.folder.path + "/none.sqlite"))
    }

    @Test func whatIsRestoredGoesOnAsIfNothingHadHappened() throws {
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        try secondNight()
        let reports = try shop.files(1)
        let ended = try shop.run(["restore", "backup.sqlite", "--by", "Li"])
        #expect(ended.code == 0 && ended.output.contains("the night of 2025-11-01, restored by Li"))
        #expect(try mode(ledger) == 0o600)
        let rest = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        let aside = try #require(rest.first { $0.hasPrefix("ledger.sqlite.before-") })
        #expect(ended.output.contains(aside))
        #expect(try Ledger.reading(path: shop.folder.path + "/" + aside).lastRun()?.businessDate.text == "2025-11-02")
        #expect(try Ledger.reading(path: ledger).lastRun()?.businessDate.text == "2025-11-01")
        // The reports are newer than the ledger. That is known, and nothing is damaged.
        let check = try shop.run(["check"])
        #expect(check.code == 0 && !check.output.contains("WRONG"), "\(check.output)")
        #expect(
            check.output.contains("LOOK   ledger and reports belong together: the ledger was restored by Li"))
        // The chain records who restored the ledger. Nothing else in the night's report differs.
        try secondNight()
        let again = try shop.files(1)
        for (name, content) in reports where !["summary.json", "SHA256SUMS", "metrics.prom"].contains(name) {
            #expect(again[name] == content, "\(name)")
        }
        #expect(try shop.run(["check"]).code == 0)
    }

    /// By the page, one night reads what two had read; the other's reports stay.
    @Test func reportsFromBeforeARestoreAreNoDamage() throws {
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        try secondNight()
        try shop.sell(6..<8, night: 2)
        try shop.night(2)
        #expect(try shop.run(["restore", "backup.sqlite", "--by", "Li"]).code == 0)
        for night in 2...3 {
            try shop.sell(night * 10..<night * 10 + 2, night: night)
            let ended = try shop.night(night)
            #expect(ended.code == 0 && !ended.errors.contains("older ledger: run "), "\(ended)")
            let check = try shop.run(["check"])
            #expect(check.code == 0 && !check.output.contains("WRONG"), "\(check.output)")
            #expect(check.output.contains("2025-11-02 holds the reports of run 2, from before"), "\(check.output)")
        }
    }

    /// A night ran while the clock was a day ahead. After the restore, its date's own night replaces those reports.
    @Test func aNightAheadOfItsTimeIsReplacedAfterARestore() throws {
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        try shop.sell(4..<6, night: 1)
        #expect(try shop.night(2).code == 0)
        #expect(try shop.run(["restore", "backup.sqlite", "--by", "Li"]).code == 0)
        for night in 1...3 {
            try shop.sell(night * 10..<night * 10 + 2, night: night)
            let ended = try shop.night(night)
            // Nothing is ever given in this shop, so the third night asks about its product.
            #expect(ended.code == (night < 3 ? 0 : 3), "night \(night): \(ended)")
        }
        #expect(try !shop.run(["check"]).output.contains("WRONG"))
    }

    /// The wrong backup was restored first, and a night ran on it.
    @Test func aSecondRestoreReplacesTheReportsOfTheFirst() throws {
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        try secondNight()
        #expect(try shop.run(["backup", "right.sqlite"]).code == 0)
        for file in ["backup.sqlite", "right.sqlite"] {
            #expect(try shop.run(["restore", file, "--by", "Li"]).code == 0)
            try shop.sell(6..<8, night: 2)
            let ended = try shop.night(2)
            #expect(ended.code == 0, "\(file): \(ended)")
        }
        try shop.sell(8..<9, night: 3)
        #expect(try shop.night(3).code == 0)
        #expect(try !shop.run(["check"]).output.contains("WRONG"))
    }

    @Test func restoreNamesWhatWasDecidedSince() throws {
        try secondNight()
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        let ids = try shop.exceptions(1).prefix(2).map { try #require($0["exception_id"]) }
        #expect(try shop.run(["waive", ids[0], "--by", "Anna", "--note", "chargeback"]).code == 0)
        #expect(try shop.run(["waive", ids[1], "--by", "Anna", "--note", "a test"]).code == 0)
        #expect(try shop.run(["unwaive", ids[1], "--by", "Anna", "--note", "none"]).code == 0)
        let ended = try shop.run(["restore", "backup.sqlite", "--by", "Li"])
        let lines = ended.output.split(separator: "\n")
        let named = try #require(lines.firstIndex { $0.hasPrefix("Decided after this backup was made") })
        #expect(lines[named + 1] == "  reconcile waive \(ids[0]) (Anna: chargeback)")
        #expect(lines[named + 2].hasPrefix("Stop the job that reads the retry manifest, or what was waived goes out."))
        #expect(lines.last?.hasPrefix("Next: ") == true)
        // Nothing is lost by restoring the same again.
        #expect(try !shop.run(["restore", "backup.sqlite", "--by", "Li"]).output.contains("Decided after"))
    }

    @Test func restoreNamesReleasesOfOneReasonInOneLine() throws {
        try shop.sell(10..<40, night: 1)
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        #expect(try shop.night(1).code == 3)
        #expect(try shop.run(["release", "--held", "--by", "Anna", "--note", "a bad day"]).code == 0)
        let lines = try shop.run(["restore", "backup.sqlite", "--by", "Li"]).output.split(separator: "\n")
        let named = lines.filter { $0.contains("reconcile release R") }
        #expect(named.count == 1 && named[0].hasSuffix(" and 32 more keys (Anna: a bad day)"), "\(lines)")
    }

    /// Restoring the copy of a held night restores its rows.
    @Test func restoreSaysThatTheBackupIsOfAHeldNight() throws {
        try shop.sell(10..<40, night: 1)
        #expect(try shop.night(1).code == 3)
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        #expect(try shop.run(["release", "--held", "--by", "Anna", "--note", "a bad day"]).code == 0)
        let output = try shop.run(["restore", "backup.sqlite", "--by", "Li"]).output
        #expect(output.contains("Its last night was held: credits 2025-11-02: 30 of 30 purchases"), "\(output)")
        #expect(output.contains("restore the backup from before that night"), "\(output)")
        #expect(output.contains("\n  reconcile release --held (Anna: a bad day)\n"), "\(output)")
    }

    @Test func aLedgerPutBackWithoutRestoreIsNoticed() throws {
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        try secondNight()
        for file in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: shop.folder.path + "/" + file)
        }
        try FileManager.default.copyItem(atPath: backup, toPath: ledger)
        let ended = try shop.run(["check"])
        #expect(ended.code == 1 && ended.output.contains("an older ledger is in its place"), "\(ended.output)")
    }

    @Test(arguments: ["damage", "text", "nothing", "newer"])
    func whatIsNoBackupChangesNothing(_ kind: String) throws {
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        switch kind {
        case "damage":
            try Connection(path: backup, mode: .readWrite).execute("UPDATE delivery SET accepted = accepted - 1")
        case "text": try shop.folder.write(String(repeating: "no ledger\n", count: 1000), to: "backup.sqlite")
        case "newer": try Connection(path: backup, mode: .readWrite).execute("PRAGMA user_version = 99")
        default: try FileManager.default.removeItem(atPath: backup)
        }
        let before = try Ledger.reading(path: ledger).storedVerdicts(ofCases: 0..<0x40_0000_0000)
        let ended = try shop.run(["restore", "backup.sqlite", "--by", "Li"])
        #expect(ended.code == (kind == "nothing" ? 66 : kind == "newer" ? 78 : 74), "\(ended.errors)")
        #expect(try Ledger.reading(path: ledger).storedVerdicts(ofCases: 0..<0x40_0000_0000) == before)
        let left = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        #expect(left.allSatisfy { !$0.contains("before-") && !$0.contains("restored") })
    }

    @Test func whileANightRunsNothingIsRestored() throws {
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        let lock = try RunLock(of: ledger, now: noon(0))
        #expect(try shop.run(["restore", "backup.sqlite", "--by", "Li"]).code == 75)
        #expect(try shop.run(["restore", "backup.sqlite"]).code == 64)
        withExtendedLifetime(lock) {}
    }

    @Test func aLedgerThatCannotBeReadIsReplacedAndKept() throws {
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
        for file in ["ledger.sqlite-wal", "ledger.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: shop.folder.path + "/" + file)
        }
        try shop.folder.write(String(repeating: "not a database ", count: 1000), to: "ledger.sqlite")
        #expect(try shop.run(["restore", "backup.sqlite", "--by", "Li"]).code == 0)
        #expect(try shop.run(["check"]).code == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        #expect(left.contains { $0.contains("before-") })
    }
}
