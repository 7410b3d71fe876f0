import Foundation
import Testing

/// A shop whose orders come from a command: the script `export` in the configuration's folder.
private struct CommandShop {
    let folder = TestFolder()
    let date: String

    init(_ script: String, more keys: String = "", feeds: String = "", settings: String = "") throws {
        date = try Program.shell("date -u -d yesterday +%F").output.trimmingCharacters(in: .whitespacesAndNewlines)
        try folder.write("#!/bin/bash\n" + script + "\n", to: "export")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path + "/export")
        try FileManager.default.createDirectory(atPath: folder.path + "/inbox", withIntermediateDirectories: true)
        try folder.write(
            """
            { app: { bundleIDs: ["com.example.game"] }, \(settings) feeds: [
                { kind: "orders", path: "inbox/orders-{date}.csv", required: true,
                  command: ["./export", "{date}", "{since}", "{until}", "$(touch hacked); *"], \(keys) }, \(feeds) ] }
            """, to: "reconcile.json")
    }

    static let header = "order_id,account_id,product_id,status,created_at"

    @discardableResult
    func run(_ command: String = "collect", _ variables: [String: String] = [:], before: String = "") throws -> Ended {
        let own = ["RECONCILE_CONFIG": folder.path + "/reconcile.json"]
        return try Program.shell("\(before) exec \"$R\" \(command)", in: folder.path, own.merging(variables) { $1 })
    }

    var file: String { "inbox/orders-\(date).csv" }
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path + "/" + name) }

    /// All files of the inbox but the note of a failure.
    var inbox: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/inbox")) ?? []
        return names.filter { !$0.hasSuffix(".failed") }.sorted()
    }

    /// How often the script began: it adds a line to `calls`.
    var calls: Int { ((try? folder.read("calls")) ?? "").split(separator: "\n").count }
}

/// Commands of feeds, run for real.
@Suite struct CollectTests {
    @Test func aFileIsCollectedWholeWithItsTotalsAndOnlyOnce() throws {
        let shop = try CommandShop(
            "echo x >>calls; cat; echo '\(CommandShop.header)'; echo \"$*\" >words; env >environment; pwd >place",
            more: "environment: [\"SHOP_REGION\", \"NOT_SET\"], overlap: \"2d\"",
            settings: "timeZone: \"Asia/Shanghai\",")
        let date = try Program.shell("TZ=Asia/Shanghai date -d yesterday +%F").output.prefix(10)
        let variables = [
            "PGHOST": "db", "PGPASSWORD": "p", "MYSQL_HOST": "m", "SHOP_REGION": "cn", "SECRET_KEY": "s",
            "HOME": "/root",
            "RECONCILE_THREADS": "1",
        ]
        let ended = try shop.run("collect", variables)
        #expect(ended.code == 0 && ended.output.isEmpty, "\(ended)")
        #expect(shop.inbox == ["orders-\(date).csv", "orders-\(date).csv.totals"])
        let begin = try Program.shell("date -u -d '\(date) 00:00 +0800 -2 days' +%FT%TZ").output.prefix(20)
        let end = try Program.shell("date -u -d '\(date) 00:00 +0800 +1 day' +%FT%TZ").output.prefix(20)
        #expect(try shop.folder.read("words") == "\(date) \(begin) \(end) $(touch hacked); *\n")
        #expect(!shop.has("hacked"))
        #expect(
            try shop.folder.read("place") == shop.folder.path + "/\n"
                || shop.folder.read("place") == shop.folder.path + "\n")
        let environment = Set(
            try shop.folder.read("environment").split(separator: "\n").map { $0.prefix { $0 != "=" } })
        // The shell itself adds PWD, SHLVL and _.
        #expect(
            environment.subtracting(["PWD", "SHLVL", "_", "OLDPWD"]) == [
                "PATH", "HOME", "LANG", "PGHOST", "PGPASSWORD", "MYSQL_HOST", "SHOP_REGION",
                "RECONCILE_FILE",
            ])
        let sum = try Program.shell("sha256sum <inbox/orders-\(date).csv", in: shop.folder.path).output.prefix(64)
        #expect(
            try shop.folder.read("inbox/orders-\(date).csv.totals")
                == "{ \"date\": \"\(date)\", \"sha256\": \"\(sum)\" }\n")
        #expect(try Program.shell("stat -c %a inbox/*.csv", in: shop.folder.path).output == "600\n")

        #expect(try shop.run().errors.contains("every file is there") && shop.calls == 1)
        try shop.folder.write("old", to: "inbox/orders-\(date).csv")
        let night = try shop.run("nightly --date \(date)")
        #expect(night.code == 65 && night.errors.contains("run 'reconcile collect --date \(date) --again'"), "\(night)")
        // What could not be replaced is tried again with the same command: without it, the file is there.
        try shop.folder.write("#!/bin/sh\nexit 5\n", to: "other")
        _ = try Program.shell("cp export right; cat other >export", in: shop.folder.path)
        let again = "run 'reconcile collect --date \(date) --again'"
        let failed = try shop.run("collect --date \(date) --again")
        #expect(
            failed.code == 69 && failed.errors.contains("The old file stays. Correct them, then \(again) once more."))
        #expect(
            try shop.run("check").output.contains("its command failed: export ended with 5. Correct it, then \(again).")
        )
        _ = try Program.shell("cat right >export", in: shop.folder.path)
        #expect(try shop.run("collect --again").code == 0 && shop.calls == 2)
        #expect(try shop.folder.read("inbox/orders-\(date).csv") == CommandShop.header + "\n")
        // A file that was compressed is there.
        _ = try Program.shell("gzip inbox/orders-\(date).csv", in: shop.folder.path)
        #expect(try shop.run().code == 0 && shop.calls == 2)
    }

    /// A command wrote half files for several dates. One message names all of them.
    @Test func halfFilesOfSeveralDatesAreNamedAtOnce() throws {
        let shop = try CommandShop("echo '\(CommandShop.header)'; [ ! -e half ] || printf 'A1,u1'")
        let days = try (1...4).map { try Program.shell("date -u -d '-\($0) days' +%F").output.prefix(10) }
        #expect(try shop.run("collect --date \(days[3])").code == 0)
        #expect(try shop.run("nightly --date \(days[3])").code == 0)
        try shop.folder.write("", to: "half")
        for day in days.prefix(3) { #expect(try shop.run("collect --date \(day)").code == 0) }
        let night = try shop.run("nightly --date \(days[0])")
        let again = days.prefix(3).map { "'reconcile collect --date \($0) --again'" }
        #expect(night.code == 65 && night.errors.contains("error: 3 files of required feeds refused: "), "\(night)")
        #expect(
            night.errors.contains(
                "Once the command is right, run \(again[2]), \(again[1]) and \(again[0]) and run again."),
            "\(night)")
        let check = try shop.run("check")
        #expect(check.code == 1)
        for (day, command) in zip(days, again) {
            #expect(
                check.output.contains(
                    "WRONG  inbox/orders-\(day).csv: the night will refuse it: it ends in the middle of line 2"),
                "\(check)")
            #expect(check.output.contains("run \(command)"), "\(check)")
        }
        try FileManager.default.removeItem(atPath: shop.folder.path + "/half")
        for day in days.prefix(3) { #expect(try shop.run("collect --date \(day) --again").code == 0) }
        #expect(try shop.run("nightly --date \(days[0])").code == 0)
    }

    @Test(arguments: [
        ("echo 'FATAL: no such role' >&2; exit 2", "export ended with 2: FATAL: no such role"),
        ("echo a; echo one >&2; echo two >&2; echo three >&2; echo four >&2; exit 1", "with 1: one / three / four"),
        ("exit 0", "export ended with 0 and printed nothing"), ("echo a; kill -9 $$", "export was ended by signal 9"),
        ("echo a; no-such-program", "export ended with 127: a program was not found"),
        ("yes", "export printed more than maxBytes, 1000000"),
        ("yes >&2 & sleep 0.3; echo a; exit 4", "export ended with 4: y / y / y"),
        ("rm export; exit 1", "export ended with 1"),
    ])
    func whatFailsLeavesNothingAndIsTold(_ script: String, _ reason: String) throws {
        let shop = try CommandShop("echo $$ >>pid; \(script)", more: "maxBytes: 1000000")
        let ended = try shop.run()
        #expect(ended.code == 69 && ended.errors.contains(reason), "\(ended.code) \(ended.errors.suffix(500))")
        #expect(shop.inbox.isEmpty && ended.errors.utf8.count < 60_000)
        #expect(try isOver(shop), "something is still running")
        // The next attempt needs no cleaning up.
        try shop.folder.write("#!/bin/sh\necho '\(CommandShop.header)'\n", to: "export")
        _ = try Program.shell("chmod +x export", in: shop.folder.path)
        #expect(try shop.run().code == 0 && shop.inbox.count == 2 && !shop.has("inbox/.orders-\(shop.date).csv.failed"))
    }

    /// Whether no process is left of the sessions that the command noted.
    private func isOver(_ shop: CommandShop) throws -> Bool {
        let ids = try shop.folder.read("pid").split(separator: "\n").joined(separator: ",")
        // What was killed may be there for a moment.
        let count = "n=$(ps -o stat= -s \(ids) | grep -vc Z)"
        return try Program.shell("for i in $(seq 50); do \(count) || break; sleep 0.1; done; echo $n").output == "0\n"
    }

    @Test func aProgramThatIsNotThereIsNamed() throws {
        let shop = try CommandShop("")
        try FileManager.default.removeItem(atPath: shop.folder.path + "/export")
        #expect(try shop.run().errors.contains("export cannot be started: No such file or directory"))
        #expect(shop.inbox.isEmpty)
    }

    @Test func checkSaysThatACommandHasNotRunAndThenWhatCame() throws {
        let row = "A1,u1,coins,paid,\(try Program.shell("date -u -d yesterday +%F").output.prefix(10))T01:00:00Z"
        let shop = try CommandShop("[ -e ready ] || exit 5; echo '\(CommandShop.header)'; echo '\(row)'")
        #expect(try shop.run("check").output.contains("its command has not run yet. Run 'reconcile collect'"))
        #expect(try shop.run().code == 69)
        let failed = try shop.run("check")
        #expect(
            failed.code == 1 && failed.output.contains("its command failed: export ended with 5. Correct it"),
            "\(failed)")
        try shop.folder.write("", to: "ready")
        #expect(try shop.run().code == 0)
        #expect(try shop.run("check").output.contains("1 row understood; the first: order_id=A1 account_id=u1"))
        // An older file does not hide that the newest command failed.
        _ = try Program.shell(
            "cd inbox; rm *.totals ../ready; mv orders-* orders-2020-01-01.csv", in: shop.folder.path)
        #expect(try shop.run().code == 69)
        let later = try shop.run("check").output
        #expect(
            later.contains("1 row understood") && later.contains("its command failed: export ended with 5"), "\(later)")
        _ = try Program.shell("touch ready; rm inbox/*", in: shop.folder.path)
        #expect(try shop.run().code == 0)
        // A copy of the file that was cut is not the one of its totals.
        try shop.folder.write(CommandShop.header + "\n", to: shop.file)
        let night = try shop.run("nightly")
        #expect(night.code == 65 && night.errors.contains("but its totals say"), "\(night)")
    }

    /// Its output may be incomplete, and it must not write into the file later.
    @Test func aCommandThatForksAndStaysIsEnded() throws {
        let shop = try CommandShop("echo $$ >>pid; echo a; (trap '' TERM; sleep 60; echo late) & exit 0")
        let ended = try shop.run()
        #expect(
            ended.code == 69 && ended.errors.contains("something that it started still had its output open"), "\(ended)"
        )
        #expect(try shop.inbox.isEmpty && isOver(shop))
        // In a session of its own, too.
        let apart = try CommandShop(
            "echo a; setsid sh -c 'echo $$ >>pid; exec sleep 60' & until [ -s pid ]; do :; done")
        #expect(try apart.run().code == 69 && isOver(apart))
        // One that gave up its output does not matter, and is ended.
        let quiet = try CommandShop("echo $$ >>pid; echo a; sleep 60 >/dev/null & exit 0")
        let calm = try quiet.run()
        #expect(try calm.code == 0 && quiet.inbox.count == 2 && isOver(quiet), "\(calm)")
        // Nor does one that left the group and keeps the errors open only.
        let away = try CommandShop("echo a; setsid sleep 20 >/dev/null & exit 0")
        #expect(try away.run().code == 0 && away.inbox.count == 2)
    }

    @Test func aCommandThatHangsIsEnded() throws {
        let shop = try CommandShop(
            "echo $$ >>pid; echo a; trap '' TERM; sleep 60 & wait; wait", more: "timeout: \"1s\"")
        let ended = try shop.run()
        #expect(ended.code == 69 && ended.errors.contains("export did not end within 1 s"), "\(ended)")
        #expect(try shop.inbox.isEmpty && isOver(shop))
    }

    @Test func anInterruptionEndsTheCommands() throws {
        let shop = try CommandShop("echo $$ >>pid; echo a; sleep 60")
        // A process that a test starts may have inherited a mask that blocks SIGTERM.
        let unblocked = "perl -MPOSIX -e 'sigprocmask(SIG_SETMASK, POSIX::SigSet->new); exec @ARGV'"
        let before = "(until [ -s pid ]; do sleep 0.05; done; kill -TERM $$) & exec \(unblocked) $R collect;"
        let ended = try shop.run("collect", before: before)
        #expect(try ended.code == 143 && shop.inbox.isEmpty && isOver(shop), "\(ended)")
    }

    /// A collection that is killed cannot end its command; the next one does, and what left the command's session.
    @Test func whatAKilledCollectionLeftIsEndedByTheNext() throws {
        let sleep = "trap '' TERM; echo $$ >>pid; while :; do sleep 0.1; done"
        let shop = try CommandShop("[ ! -e again ] || exit 3; setsid sh -c '\(sleep)' & \(sleep)")
        let before = "(until [ $(cat pid | wc -l) = 2 ]; do sleep 0.05; done; kill -9 $$) 2>/dev/null &"
        #expect(try shop.run("collect", before: before).code == 137)
        try shop.folder.write("", to: "again")
        let ended = try shop.run()
        #expect(
            ended.code == 69 && ended.errors.contains("an earlier command was still running; it was ended"), "\(ended)")
        #expect(try isOver(shop))
    }

    @Test func aFullDiskIsToldAndLeavesNothing() throws {
        let shop = try CommandShop("echo $$ >>pid; head -c 3000000 /dev/zero")
        let ended = try shop.run("collect", before: "ulimit -f 1000;")
        #expect(ended.code == 69 && ended.errors.contains("cannot write") && shop.inbox.isEmpty, "\(ended)")
        #expect(try isOver(shop))
    }

    @Test func argumentsAndSecretsAreInNoLog() throws {
        let shop = try CommandShop(
            "printf '%0995d%s\\n' 0 \"$PGPASSWORD\" >&2; echo \"$4 $PGPASSWORD $SHOP_SECRET hunter22 tail\" >&2; exit 1"
        )
        let text = try shop.folder.read("reconcile.json")
        try shop.folder.write(
            text.replacing("\"$(touch hacked); *\"", with: "\"postgresql://shop:hunter22@db/shop\"").replacing(
                "],  }", with: "], environment: [\"SHOP_SECRET\"] }"), to: "reconcile.json")
        for format in ["text", "json"] {
            let secrets = ["PGPASSWORD": "geheim123", "SHOP_SECRET": "sesam456"]
            let ended = try shop.run("collect --verbose --log-format=\(format)", secrets)
            let said = ended.errors + ended.output + (try shop.folder.read("inbox/.orders-\(shop.date).csv.failed"))
            #expect(ended.code == 69 && said.contains("tail"))
            for secret in ["hunter22", "geheim123", "gehe", "sesam456", "{since}"] {
                #expect(!said.contains(secret), "\(said)")
            }
        }
    }

    @Test func theNightNamesTheCommandAndHowItFailed() throws {
        let other = "{ kind: \"credits\", path: \"inbox/credits-{date}.csv\", command: [\"./other\"] },"
        let shop = try CommandShop("echo '\(CommandShop.header)'", feeds: other)
        #expect(try shop.run().errors.contains("credits-{date}.csv \(shop.date) (other cannot be started"))
        let night = try shop.run("nightly")
        #expect(night.code == 3, "\(night)")
        let why = "inbox/credits-\(shop.date).csv was not collected: other cannot be started: No such file or directory"
        #expect(night.errors.contains(why) && night.output.contains("was not collected"))
        #expect(try shop.folder.read("out/latest/summary.json").contains(why))
        // Another night keeps the gap; the file ends it.
        #expect(try shop.run("nightly").code == 3)
        try shop.folder.write("#!/bin/sh\necho credit_id,order_id,account_id,credited_at\n", to: "other")
        _ = try Program.shell("chmod +x other", in: shop.folder.path)
        #expect(try shop.run().code == 0)
        #expect(try shop.run("nightly").code == 0)
    }

    /// A required feed has one gap a day, which says why.
    @Test func aRequiredFeedHasOneGapADay() throws {
        let credits = "{ kind: \"credits\", path: \"inbox/credits.csv\" },"
        let shop = try CommandShop("echo oops >&2; exit 2", feeds: credits)
        try shop.folder.write("credit_id,order_id,account_id,credited_at\n", to: "inbox/credits.csv")
        #expect(try shop.run().code == 69)
        let night = try shop.run("nightly")
        #expect(night.code == 3, "\(night)")
        let summary = try shop.folder.read("out/latest/summary.json")
        #expect(summary.contains("was not collected: export ended with 2: oops") && !summary.contains("missing: inbox"))
        // With the night's language.
        #expect(try shop.run("gap accept inbox/orders-{date}.csv \(shop.date) --by Li --note none").code == 0)
    }

    @Test func fourRunAtOnceAndAnotherCollectionWaits() throws {
        let feeds = (1...7).map {
            "{ kind: \"acks\", path: \"inbox/a\($0)-{date}.csv\", command: [\"./export\"] },"
        }.joined()
        let shop = try CommandShop(
            "touch run.$$; ls run.* | wc -l >>counts; sleep 1; rm run.$$; echo '\(CommandShop.header)'", feeds: feeds)
        let ended = try shop.run("collect", before: "(sleep 0.5; \"$R\" collect >second 2>&1; echo $? >code) &")
        #expect(ended.code == 0, "\(ended)")
        let counts = try shop.folder.read("counts").split(separator: "\n").compactMap { Int($0) }
        #expect(counts.count == 8 && counts.max()! <= 4 && counts.max()! > 1, "\(counts)")
        #expect(try shop.folder.read("code") == "75\n")
    }

    @Test func datesSinceTheNewestFileAreMadeUpFor() throws {
        let script = "echo $1 $2 >>calls; echo '\(CommandShop.header)'"
        let shop = try CommandShop(script, settings: "historyFrom: \"2020-01-05\",")
        let days = try (0...4).map { try Program.shell("date -u -d '-\($0) days' +%F").output.prefix(10) }
        // The first collection reaches back to where the records begin.
        #expect(try shop.run().code == 0)
        #expect(try shop.folder.read("calls") == "\(days[1]) 2020-01-02T00:00:00Z\n")
        _ = try Program.shell("rm calls inbox/*; touch inbox/orders-\(days[4]).csv", in: shop.folder.path)
        #expect(try shop.run().code == 0)
        let begun = try shop.folder.read("calls").split(separator: "\n").map { $0.prefix(10) }
        #expect(Set(begun) == Set(days[1...3]))
        #expect(try shop.run("collect --date \(days[0])").code == 64)
        #expect(try shop.run("collect --date 2020-02-01").code == 0 && shop.has("inbox/orders-2020-02-01.csv"))
    }

    @Test func withoutCommandsThereIsNothingToCollect() throws {
        let shop = try CommandShop("")
        try shop.folder.write(
            "{ app: { bundleIDs: ['a.b'] }, feeds: [{ kind: 'orders', path: 'o.csv' }] }", to: "reconcile.json")
        let ended = try shop.run()
        #expect(ended.code == 78 && ended.errors.contains("no feed of the configuration has a command"))
        #expect(try !shop.run("settings").output.contains("collect="))
    }
}
