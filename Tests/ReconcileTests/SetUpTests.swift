import Foundation
import Testing

/// What scripts around the program ask it: `settings`, and `init --systemd`.
@Suite struct SetUpTests {
    private let folder = TestFolder()

    private func program(_ arguments: String) throws -> Ended {
        try Program.shell("'\(Program.path)' \(arguments)", in: folder.path)
    }

    @Test func theSettingsAreLinesWithAbsolutePaths() throws {
        _ = try program("init game")
        let ended = try program("settings --config game/reconcile.json --ledger other.sqlite")
        #expect(
            ended.output == """
                bundle_ids=com.example.game
                language=en
                ledger=\(folder.path)/other.sqlite
                output=\(folder.path)/game/out
                time_zone=Asia/Shanghai

                """, "\(ended)")
        #expect(try program("settings --config nowhere.json").code == 78)
        _ = try Program.shell("mkdir game/desk", in: folder.path)
        #expect(
            try program("settings --config game/reconcile.json").output.contains("\ndesk=\(folder.path)/game/desk\n"))
    }

    @Test func theUnitsGetTheConfigurationsPathsAndTimeZone() throws {
        _ = try program("init game")
        let path = folder.path + "/game/reconcile.json"
        var text = try folder.read("game/reconcile.json")
        text = text.replacing("\"ledger.sqlite\"", with: "\"../books/l.sqlite\"")
        try folder.write(text.replacing("Asia/Shanghai", with: "Europe/Berlin"), to: "game/reconcile.json")
        let ended = try program("init game --systemd")
        #expect(ended.code == 0)
        // The script runs: here with folders of our own and without systemd.
        try folder.write(ended.output.replacing("/etc/systemd/system", with: "units"), to: "script")
        let run = try Program.shell("systemctl() { echo \"$*\"; }; . ./script", in: folder.path)
        #expect(run == Ended(code: 0, output: "daemon-reload\n", errors: ""))
        let service = try folder.read("units/reconcile@game.service.d/reconcile.conf")
        #expect(service.contains("Environment=\"RECONCILE_CONFIG=\(path)\"\n"), "\(service)")
        #expect(service.contains("ReadWritePaths=\"-\(folder.path)/game\"\nReadWritePaths=\"-\(folder.path)/books\"\n"))
        let timer = try folder.read("units/reconcile@game.timer.d/reconcile.conf")
        #expect(timer == "[Timer]\nOnCalendar=\nOnCalendar=*-*-* 03:37:00 Europe/Berlin\n")
        // Backup and check are the app's own.
        #expect(
            ended.output.contains(
                "enable --now reconcile@game.timer reconcile-backup@game.timer reconcile-check@game.timer\n"),
            "\(ended)")
        for (unit, time) in [("backup", "*-*-* 06:47:00"), ("check", "Sun *-*-* 07:17:00")] {
            #expect(try folder.read("units/reconcile-\(unit)@game.service.d/reconcile.conf") == service)
            #expect(
                try folder.read("units/reconcile-\(unit)@game.timer.d/reconcile.conf")
                    == "[Timer]\nOnCalendar=\nOnCalendar=\(time) Europe/Berlin\n")
        }
        _ = try program("init 'a b'")
        #expect(try program("init 'a b' --systemd").code == 78)
    }

    @Test func theUnitOfTheCommandsMayWriteTheirFolders() throws {
        _ = try program("init game")
        let text = try folder.read("game/reconcile.json")
        let feed = "{ kind: \"credits\", path: \"/data/x/{date}/c.csv\", command: [\"psql\"] },"
        try folder.write(text.replacing("feeds: [\n", with: "feeds: [\n\(feed)\n"), to: "game/reconcile.json")
        let ended = try program("init game --systemd")
        #expect(ended.output.contains("reconcile-check@game.timer reconcile-collect@game.timer\n"), "\(ended)")
        try folder.write(ended.output.replacing("/etc/systemd/system", with: "units"), to: "script")
        #expect(try Program.shell("systemctl() { :; }; . ./script", in: folder.path).code == 0)
        let service = try folder.read("units/reconcile-collect@game.service.d/reconcile.conf")
        #expect(service.contains("ReadWritePaths=\"-/data/x\"\n"), "\(service)")
        #expect(
            try folder.read("units/reconcile-collect@game.timer.d/reconcile.conf").contains("03:22:00 Asia/Shanghai"))
    }

    /// The template of each unit is the unit, with the app's configuration, settings, folder and address.
    @Test(arguments: ["backup", "check", "collect", "fetch"]) func oneAppOfSeveralHasTheSameUnits(_ kind: String) throws
    {
        #expect(try Program.shell("'\(Program.repository)/cron/units' units", in: folder.path).code == 0)
        func lines(_ name: String) throws -> [Substring] {
            try folder.read("units/reconcile-" + name).split(separator: "\n").filter {
                !$0.hasPrefix("#") && !$0.hasPrefix("Description=")
            }
        }
        let further = Set(try lines("\(kind)@.service")).subtracting(try lines("\(kind).service"))
        let expected: Set<Substring> = [
            "OnFailure=reconcile-\(kind)-alert@%i.service", "EnvironmentFile=-/etc/default/reconcile@%i",
            "Environment=RECONCILE_CONFIG=/srv/reconcile/%i/reconcile.json", "ReadWritePaths=/srv/reconcile/%i",
        ]
        #expect(further.filter { !$0.hasPrefix("LoadCredential=") } == expected)
        #expect(try lines("\(kind)@.timer") == lines("\(kind).timer"))
        #expect(try lines("\(kind)-alert@.service").contains("Environment=RECONCILE_OUTBOX=/run/reconcile-\(kind)@%i"))
    }

    @Test func theUnitThatAsksAppleGetsTheKeyAsACredential() throws {
        _ = try program("init game")
        var text = try folder.read("game/reconcile.json")
        text = text.replacing("apple: null", with: "apple: { issuerID: \"i\", keyID: \"k\", key: \"/etc/keys/a.p8\" }")
        let feed = "{ kind: \"transactions\", path: \"inbox/apple-{date}.jsonl\", required: true },"
        try folder.write(text.replacing("feeds: [\n", with: "feeds: [\n\(feed)\n"), to: "game/reconcile.json")
        #expect(
            try program("settings --config game/reconcile.json").output.contains("\napple=\(folder.path)/game/inbox\n"))
        let ended = try program("init game --systemd")
        #expect(ended.code == 0, "\(ended)")
        try folder.write(ended.output.replacing("/etc/systemd/system", with: "units"), to: "script")
        #expect(try Program.shell("systemctl() { :; }; . ./script", in: folder.path).code == 0)
        let service = try folder.read("units/reconcile-fetch@game.service.d/reconcile.conf")
        #expect(service.contains("\nLoadCredential=\nLoadCredential=apple-key:/etc/keys/a.p8\n"), "\(service)")
        #expect(try folder.read("units/reconcile-fetch@game.timer.d/reconcile.conf").contains("03:07:00 Asia/Shanghai"))
        #expect(try !folder.read("units/reconcile@game.service.d/reconcile.conf").contains("LoadCredential"))
    }

    /// From a shop's own files to a night: the texts that are left to a person are replaced as a person would.
    @Test func aConfigurationFromTheShopsFiles() throws {
        let shop = Program.repository + "/examples/shop/"
        try FileManager.default.copyItem(atPath: shop + "exports", toPath: folder.path + "/exports")
        try FileManager.default.copyItem(atPath: shop + "test-roots.pem", toPath: folder.path + "/test-roots.pem")
        let ended = try program("init --from $(find exports -type f)")
        #expect(ended.code == 0 && ended.output.contains("12 feeds from 12 files"), "\(ended)")
        #expect(ended.output.contains("grep -n DECIDE"), "\(ended)")
        let again = try program("init --from exports/商品表.txt")
        #expect(again.code == 73 && again.errors.contains("remove or rename it and run init again"), "\(again)")
        #expect(try program("init --from nowhere.csv --config x.json").code == 66)
        // Nothing runs before a person has decided.
        let night = "nightly --config reconcile.json --date 2026-11-19 --as-of 2026-11-19T22:00:00Z"
        for command in ["check --config reconcile.json", night, "collect --config reconcile.json"] {
            let refused = try program(command)
            #expect(refused.code == 78 && refused.errors.contains("not decided yet, in line"), "\(refused)")
        }
        var text = try folder.read("reconcile.json")
        for (mark, answer) in [
            ("timeZone: \"DECIDE\"", "timeZone: \"Asia/Shanghai\""), ("trust: \"DECIDE\"", "trust: \"backend\""),
            ("\"3\": \"DECIDE\"", "\"3\": \"credited\""), ("\"1\": \"DECIDE\"", "\"1\": \"pending\""),
            ("prefix: \"DECIDE\"", "prefix: \"W\""),
            ("kind: \"DECIDE\",", "kind: { from: \"column7\", words: { t: \"reversal\", f: \"credit\" } },"),
            ("origin: \"DECIDE\",", "origin: { from: \"column8\", words: { t: \"desk\", f: \"auto\" } },"),
            ("DECIDE ", ""), ("  feeds: [", "  trustedRoots: [\"test-roots.pem\"],\n  feeds: ["),
        ] { text = text.replacing(mark, with: answer) }
        try folder.write(text, to: "reconcile.json")
        let check = try program("check --config reconcile.json")
        #expect(check.code == 0 && !check.output.contains("LOOK"), "\(check)")
        // One feed begins a day before the others.
        let exports = folder.path + "/exports/"
        try FileManager.default.createDirectory(atPath: exports + "2026-11-18", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: exports + "2026-11-19/receipts-2026-11-19.csv",
            toPath: exports + "2026-11-18/receipts-2026-11-18.csv")
        let early = try program("check --config reconcile.json").output
        #expect(early.contains("on 2026-11-19, those of exports/{date}/receipts-{date}.csv on 2026-11-18"), "\(early)")
        try FileManager.default.removeItem(atPath: exports + "2026-11-18")
        let run = try program(night)
        #expect(run.code == 0 && run.output.contains("Nothing new; all required feeds arrived"), "\(run)")
    }
}
