import Console
import Foundation
import Testing

@testable import Ledger
@testable internal import Reconcile

/// Files that other programs created or have open: logs of a ledger that is gone, readers, another run, pages and
/// folders of a user.
@Suite struct ForeignFilesTests {
    private let shop: ShopFolder
    private var ledger: String { shop.folder.path + "/ledger.sqlite" }

    init() throws {
        shop = try ShopFolder()
        try shop.sell(1..<4, night: 0)
        try shop.sell(4..<6, night: 1)
        try shop.night(0)
        #expect(try shop.run(["backup", "backup.sqlite"]).code == 0)
    }

    private func reader() throws -> Connection {
        let reader = try Connection(path: ledger, mode: .readOnly)
        try reader.execute("BEGIN")
        _ = try reader.integer("SELECT count(*) FROM run")
        return reader
    }

    private func has(_ name: String) -> Bool { exists(shop.folder.path + "/" + name) }

    private func runs(_ path: String) throws -> Int64? {
        try Connection(path: path, mode: .readOnly).integer("SELECT count(*) FROM run")
    }

    @Test func theLogOfALedgerThatIsGoneIsNotPlayedIntoWhatIsRestored() throws {
        do {
            let reader = try reader()
            try shop.night(1)
            try FileManager.default.copyItem(atPath: ledger + "-wal", toPath: shop.folder.path + "/log")
            withExtendedLifetime(reader) {}
        }
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: ledger + suffix) }
        try FileManager.default.moveItem(atPath: shop.folder.path + "/log", toPath: ledger + "-wal")
        try shop.folder.write("somebody's journal", to: "ledger.sqlite-journal")
        #expect(try shop.run(["restore", "backup.sqlite", "--by", "Li"]).code == 0)
        #expect(!has("ledger.sqlite-wal") && !has("ledger.sqlite-journal"))
        #expect(try runs(ledger) == 1)
        // It is kept, like everything else.
        let names = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        #expect(names.filter { $0.contains(".before-") && $0.hasSuffix("-wal") }.count == 1)
        try shop.night(1)
        #expect(try shop.run(["check"]).code == 0)
    }

    @Test func whileAReaderNeedsTheLogNothingIsRestored() throws {
        var reader: Connection? = try reader()
        try shop.night(1)
        let refused = try shop.run(["restore", "backup.sqlite", "--by", "Li"])
        #expect(refused.code == 75 && refused.errors.contains("another program has the ledger open"), "\(refused)")
        #expect(try runs(ledger) == 2)
        reader = nil
        _ = reader
        #expect(try shop.run(["restore", "backup.sqlite", "--by", "Li"]).code == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        let aside = try #require(names.first { $0.contains(".before-") })
        #expect(try runs(shop.folder.path + "/" + aside) == 2)
    }

    @Test func aPipeIsNoBackupAndNoConfiguration() throws {
        #expect(mkfifo(shop.folder.path + "/pipe", 0o600) == 0)
        #expect(try shop.run(["restore", "pipe", "--by", "Li"]).code == 66)
        let ended = try shop.run(["check", "--config", "pipe"])
        #expect(ended.code == 78 && ended.errors.contains("is a pipe"), "\(ended)")
    }

    /// The lock file of a run was removed by hand, or the ledger has two names.
    @Test(arguments: ["no lock", "another name"])
    func aSecondRunTouchesNothingOfTheFirst(_ way: String) throws {
        let first = try Ledger(path: ledger)
        try first.begin()
        let lock = try RunLock(of: ledger, now: noon(0))
        let folder = "out/.nights/2025-11-02-1"
        try FileManager.default.createDirectory(
            atPath: shop.folder.path + "/" + folder, withIntermediateDirectories: false)
        var words = ["nightly", "--date", shop.date(1), "--as-of", shop.date(2) + "T04:00:00Z"]
        if way == "no lock" {
            try FileManager.default.removeItem(atPath: ledger + ".lock")
        } else {
            try FileManager.default.createSymbolicLink(
                atPath: shop.folder.path + "/alias.sqlite", withDestinationPath: "ledger.sqlite")
            words += ["--ledger", shop.folder.path + "/alias.sqlite"]
        }
        for words in [words, ["monthly", "2025-11"] + words.dropFirst(5)] {
            #expect(try shop.run(Array(words)).code == 75)
            #expect(has(folder))
        }
        try first.rollback()
        withExtendedLifetime(lock) {}
    }

    @Test func checkBesideARunThatPublishesGivesNoFalseAlarm() throws {
        // The night is committed and the links are not set yet: the run in progress will set them.
        try shop.night(1)
        let latest = shop.folder.path + "/out/2025-11-02"
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: latest)
        try FileManager.default.removeItem(atPath: latest)
        let alarm = try shop.run(["check"])
        #expect(alarm.code == 1 && alarm.output.contains("the link 2025-11-02 does not point to them"))
        let lock = try RunLock(of: ledger, now: noon(0))
        let beside = try shop.run(["check"])
        #expect(
            beside.code == 0
                && beside.output.contains("reports: not checked, because another run is in progress: process"))
        withExtendedLifetime(lock) {}
        try FileManager.default.createSymbolicLink(atPath: latest, withDestinationPath: target)
        #expect(try shop.run(["check"]).code == 0)
    }

    /// A first night writes into the file itself.
    @Test func checkBesideAFirstNightAndAfterOneThatWasKilledFindsNoDamage() throws {
        let path = shop.folder.path + "/new.sqlite"
        let first = try Ledger(path: path)
        try first.begin()
        // The mode that the program gives it.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let lock = try RunLock(of: path, now: noon(0))
        let beside = try shop.run(["check", "--ledger", path, "--output", "none"])
        #expect(beside.code == 0 && beside.output.contains("the first night is in progress: process"), "\(beside)")
        withExtendedLifetime(lock) {}
        try first.connection.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
        // More rows than the cache can keep are already in the file, and the journal says that they must be undone.
        try first.connection.execute(
            "INSERT INTO watch WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM n LIMIT 9999) SELECT x FROM n"
        )
        for name in ["new.sqlite", "new.sqlite-journal"] {
            try FileManager.default.copyItem(
                atPath: shop.folder.path + "/" + name, toPath: shop.folder.path + "/killed" + name.dropFirst(3))
        }
        try first.rollback()
        #expect(try Data(contentsOf: URL(fileURLWithPath: shop.folder.path + "/killed.sqlite")).count > 8192)
        let killed = try shop.run(["check", "--ledger", shop.folder.path + "/killed.sqlite", "--output", "none"])
        #expect(killed.code == 0 && killed.output.contains("the next night starts over"), "\(killed)")
        // A dry run starts over, too.
        for ledger in ["killed.sqlite", "empty.sqlite"] {
            if ledger == "empty.sqlite" { try shop.folder.write("", to: ledger) }
            let rehearsed = try shop.run(
                ["nightly", "--dry-run", "--date", shop.date(0), "--as-of", shop.date(1) + "T04:00:00Z"]
                    + ["--ledger", shop.folder.path + "/" + ledger, "--output", "none"])
            #expect(rehearsed.code == 0 && rehearsed.output.contains(" new"), "\(rehearsed)")
        }
    }

    /// `check` read the runs before another night was committed and published.
    @Test func checkAcrossACommitGivesNoFalseAlarm() throws {
        let before = try Ledger.reading(path: ledger).runs()
        try shop.night(1)
        var context = CommandContext.process()
        context.folder = shop.folder.path
        let configuration = try Configuration.read(
            shop.folder.path + "/reconcile.json", shownAs: "reconcile.json")
        var check = Check(configuration: configuration, context: context)
        try check.checkReports(before)
        #expect(check.findings.areGood, "\(check.findings.all)")
        #expect(check.findings.all.contains { $0.what == "reports of 2025-11-02" })
    }

    @Test func twoLedgersDoNotShareAFolderOfReports() throws {
        let other = try ShopFolder()
        try other.sell(7..<9, night: 0)
        try other.sell(10..<12, night: 1)
        try other.night(0)
        let before = try shop.files(0)
        let words = [
            "nightly", "--date", shop.date(1), "--as-of", shop.date(2) + "T04:00:00Z", "--output",
            shop.folder.path + "/out",
        ]
        let ended = try other.run(words)
        #expect(ended.code == 78 && ended.errors.contains("contains reports of another ledger"), "\(ended)")
        #expect(try shop.files(0) == before && shop.report("summary.txt", 1) == nil)
        #expect(try shop.night(1).code == 0)
    }

    @Test func aPreviewReplacesNothingButAPreview() throws {
        let preview = [
            "nightly", "--dry-run", "--date", shop.date(1), "--as-of", shop.date(2) + "T04:00:00Z", "--preview",
        ]
        for _ in 0..<2 { #expect(try shop.run(preview + ["look"]).code == 0) }
        // A user edits one of its files.
        try shop.folder.write("mine", to: "look/exceptions.csv")
        #expect(try shop.run(preview + ["look"]).code == 73)
        #expect(try shop.folder.read("look/exceptions.csv") == "mine")
        // A user's own folder with a list of digests.
        try FileManager.default.createDirectory(atPath: shop.folder.path + "/iso", withIntermediateDirectories: false)
        let made = try Program.shell(
            "cd iso && echo mine >mine.iso && sha256sum mine.iso >SHA256SUMS", in: shop.folder.path)
        #expect(made.code == 0)
        let ended = try shop.run(preview + ["iso"])
        #expect(
            ended.code == 73 && ended.errors.contains("SHA256SUMS") || ended.errors.contains("mine.iso"), "\(ended)")
        #expect(has("iso/mine.iso") && has("iso/SHA256SUMS"))
    }

    @Test func aPageReplacesNothingButAPage() throws {
        for _ in 0..<2 { #expect(try shop.run(["lookup", "ORD1", "--html", "page.html"]).code == 0) }
        try shop.folder.write("<!DOCTYPE html>\n<html lang=\"en\"><title>mine</title>", to: "mine.html")
        for name in ["mine.html", "ledger.sqlite", "reconcile.json", "out/latest/report.html"] {
            let before = try Data(contentsOf: URL(fileURLWithPath: shop.folder.path + "/" + name))
            let ended = try shop.run(["lookup", "ORD1", "--html", name])
            #expect(ended.code == 73 && ended.errors.contains("is not a look-up page"), "\(name): \(ended)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: shop.folder.path + "/" + name)) == before)
        }
        // A file that merely has the name of a temporary page belongs to a user, too.
        try shop.folder.write("mine", to: "page.html.new")
        #expect(try shop.run(["lookup", "ORD1", "--html", "page.html"]).code == 0)
        #expect(try shop.folder.read("page.html.new") == "mine")
    }

    /// Limits that apply to the user who runs the tests: root has no limit of processes, but a limit of open files.
    @Test(arguments: ["--nofile=6", "--nofile=8", "--nofile=9", "--nofile=12"])
    func underALimitOfOpenFilesANightEndsWithAnError(_ limit: String) throws {
        let line =
            "timeout 60 prlimit \(limit) $R nightly --config reconcile.json --date 2025-11-02 --as-of 2025-11-03T04:00:00Z"
        let ended = try Program.shell(line, in: shop.folder.path)
        #expect([0, 73, 74, 77].contains(ended.code) && (ended.code == 0 || !ended.errors.isEmpty), "\(ended)")
        try shop.night(1)
        #expect(try shop.run(["check"]).code == 0)
    }

    /// libdispatch would try again and again without end.
    @Test(.enabled(if: geteuid() == 0)) func whereNoThreadIsMadeANightGoesOnWithOne() throws {
        let folder = shop.folder.path
        let made = try Program.shell(
            "cp \"$R\" $(dirname \"$R\")/*.so . 2>/dev/null; chmod -R a+rX . && chown -R 65534 .", in: folder)
        #expect(made.code == 0)
        let line =
            "cd '\(folder)' && timeout 60 setpriv --reuid=65534 --clear-groups prlimit --nproc=1 $R nightly --config "
            + "reconcile.json --date 2025-11-02 --as-of 2025-11-03T04:00:00Z"
        let ended = try Program.shell(line, in: "/", ["RECONCILE_THREADS": "4"])
        #expect(ended.code == 0, "\(ended)")
    }
}
