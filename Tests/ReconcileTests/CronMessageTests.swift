import Domain
import Foundation
import Testing

@testable import Engine
@testable import Reconcile

/// What the wrapper says about an attempt, by mail and to the chat.
private let mail = ["RECONCILE_MAIL": "finance@example.com"]

@Test func thePublishedSummaryIsMailed() throws {
    let setUp = try NightlySetUp(code: 0)
    _ = try setUp.run("--date \(lastNight)", with: mail)
    let text = try setUp.folder.read("mail")
    // The summary's first line, in encoded words, because it is not ASCII.
    let subject = text.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("Subject:") || $0.hasPrefix(" ") }
    let words = subject.joined(separator: " ").matches(of: /=\?UTF-8\?B\?([A-Za-z0-9+\/=]+)\?=/)
    let decoded = words.map { String(decoding: Data(base64Encoded: String($0.output.1)) ?? Data(), as: UTF8.self) }
    #expect(decoded.joined().hasPrefix("[reconcile game "), "\(text)")
    #expect(decoded.joined().hasSuffix("] \(lastNight): 3 new exceptions, 掉单"), "\(text)")
    #expect(text.hasPrefix("To: finance@example.com\n") && text.contains("charset=utf-8"))
    #expect(text.hasSuffix("\n\n3 new exceptions, 掉单\n"))
}

/// Each reason has its own recipe, in the mail and on standard error.
@Test(arguments: [
    (64, "no such option", "correct the crontab or the unit"),
    (65, "orders.csv is refused: its header has no column trade_no; correct the name", "Do what the message says"),
    (
        65, "t.jsonl is refused: 151 of its 151 rows are rejected, more than maxRejectedShare allows; correct it",
        "Did 'trust', 'columns' or 'statuses' of the feed change, or the file's encoding?"
    ),
    (65, "the files need about 30728 MiB of memory, but only 21403 MiB are free", "more memory than is free"),
    (66, "no file matches any feed", "No input was found"),
    (
        66, "the file in/a.csv does not exist, or is a link to a file that does not exist; check the path",
        "leads nowhere"
    ),
    (
        69, "Apple does not accept the key (401): x. See 'The key is not accepted' in apple.md.",
        "do what the message says"
    ),
    (70, "internal error: x", "keep the log and report it"),
    (73, "the ledger cannot be opened", "are mounted"),
    (73, "cannot link '/out/2025-11-01': Is a directory", "copied without its links"),
    (74, "the disk has no room for the ledger. Make room on its disk and run again.", "The disk is full"),
    (74, "the ledger is damaged: x", "restore a backup"),
    (74, "reading or writing the ledger failed", "dmesg"),
    (74, "parts of the workbook were not written: check that the output's disk has room", "The disk is full"),
    (
        74, "the workbook could not be written (Too many open files); check that the output's disk has room",
        "too many files are open"
    ),
    (75, "another run is using the ledger: process 7 since x", "Another run holds the ledger"),
    (75, "another run is using the ledger. Wait", "perhaps sqlite3"),
    (77, "cannot create 'out': Permission denied. Run as the user who owns it", "Do what the message says"),
    (77, "cannot create 'out': Read-only file system", "ReadWritePaths"),
    (78, "reconcile.json:3:7: 'fedes' is not a key", "names what is wrong and says what to do"),
    (
        78, "the clock says x, but the last night was for y, and no file: the clock may be ahead",
        "name the night once"
    ),
    (127, "x", "The program was not found"), (137, "x", "memory ran out"), (132, "x", "crashed"),
    (143, "x", "Interrupted"),
])
func aFailureIsMailedWithItsReasonAndItsRecipe(_ code: Int32, _ error: String, _ recipe: String) throws {
    let setUp = try NightlySetUp(code: code, saying: "a line before\nreconcile: error: \(error)")
    let ended = try setUp.run("--date \(lastNight)", with: mail)
    let text = try setUp.folder.read("mail")
    #expect(ended.code == code && ended.errors.contains(recipe), "\(ended)")
    #expect(text.contains(try Regex("Subject: \\[reconcile game [^ ]+\\] FAILED \(code) \(lastNight): ")), "\(text)")
    #expect(
        text.contains("\(lastNight): \(error)\n") && text.contains("\na line before\n") && text.contains(recipe),
        "\(text)")
    #expect(!text.contains("掉单"))
}

@Test func aNightThatNeedsAPersonSaysWhichCommandEndsIt() throws {
    let gap =
        "credits 2026-11-21 is a coverage gap (missing: a). Deliver the file. If nothing is missing, run 'reconcile gap accept credits 2026-11-21 --by NAME --note TEXT'"
    let setUp = try NightlySetUp(
        code: 3, saying: "reconcile: warning: something else",
        reasons: [
            "held \(NightWarning.manifestHeld(HoldReason(.entries, 9, 1)).text)",
            "look \(gap)",
        ])
    let ended = try setUp.run("--date \(lastNight)", with: mail)
    let text = try setUp.folder.read("mail")
    #expect(text.contains("\n\n\(gap)\nthe retry manifest is held: 9 entries"), "\(text)")
    #expect(text.contains("'reconcile release --held --by NAME --note TEXT' or with keys\n"), "\(text)")
    #expect(!text.contains("something else") && text.hasSuffix("\n3 new exceptions, 掉单\n"))
    #expect(ended.errors.contains(gap), "\(ended)")
    // Without reasons, the mail has all warnings, also from a log in JSON. It counts what is held.
    let other = try NightlySetUp(
        code: 3, saying: #"{"level":"warning","message":"the input is unusual: x","time":"t"}"#)
    _ = try other.run(with: mail)
    #expect(try other.folder.read("mail").contains("\n\nthe input is unusual: x\n"))
    let held = try NightlySetUp(code: 3)
    try held.folder.write("{}\n{}\n", to: "out/latest/held.jsonl")
    _ = try held.run(with: mail)
    #expect(
        try held.folder.read("mail").contains(
            "2 retry entries are held since an earlier run. What held them is gone, but they wait for a person: check "
                + "held.jsonl, then run 'reconcile release --held"))
    // The program could not write the reasons, and took the file away.
    try held.script(
        "reconcile",
        "if [ $1 = settings ]; then cat settings; exit; fi\nrm \"$RECONCILE_REASONS\"\n"
            + "echo 'reconcile: warning: the input is unusual: x' >&2\nexit 3")
    _ = try held.run(with: mail)
    let all = try held.folder.read("mail")
    #expect(all.contains("\n\nthe input is unusual: x\n") && !all.contains("since an earlier run"), "\(all)")
}

/// Where `collect` ran by the same clock, its files of later dates must go.
@Test func theRecipeOfAWrongClockNamesTheFilesOfCollect() throws {
    let setUp = try NightlySetUp(code: 78, saying: "reconcile: error: no file: the clock may be ahead")
    #expect(try !setUp.run(with: mail).errors.contains("collect"))
    try setUp.folder.write(try setUp.folder.read("settings") + "commands=2\n", to: "settings")
    let ended = try setUp.run(with: mail.merging(["RECONCILE_COLLECT": "no"]) { $1 })
    #expect(ended.errors.contains(", delete the files of later dates that reconcile collect wrote"), "\(ended)")
}

@Test func theMailNamesEachReasonInTheProgramsWords() throws {
    let (date, price) = (BusinessDate("2026-11-01")!, Money(minor: 600, currency: "CNY"))
    let reasons: [NightWarning] = [
        .rowsRejected(.credits, count: 2, place: "credits.csv:7", reason: "x"),
        .customersWithheld(count: 3, place: "credits.csv:7"),
        .goodsBreak(GoodsBreak(count: 6, oldest: date, end: date)),
        .withheld(WithheldCredits(reason: .renewals, count: 7, worth: [price], names: ["plan"])),
        .columnsLost(LostColumns(feed: "o.csv", columns: ["amount"])),
        .pricesDoubted(
            count: 1, PriceDoubt(product: "coins", listed: price, apples: price, span: DoubtSpan(since: date))),
    ]
    let other = NightWarning.rulesChanged(from: 1, to: 2)
    let others = "reconcile: warning: " + other.text
    let lines = ([other] + reasons).compactMap { warning in warning.reason.map { "\($0) \(warning.text)" } }
    let setUp = try NightlySetUp(code: 3, saying: others, reasons: lines)
    let ended = try setUp.run(with: mail)
    let texts = reasons.map(\.text).joined(separator: "\n")
    #expect(try setUp.folder.read("mail").contains("\n\n" + texts + "\n\nCommands need"))
    #expect(ended.errors.contains(texts), "\(ended)")
    // A reason that it does not know is among the warnings.
    let unknown = try NightlySetUp(code: 3, saying: others)
    _ = try unknown.run(with: mail)
    #expect(try unknown.folder.read("mail").contains("\n\nthe rules have changed"))
}

/// An edited configuration or a copy of another date's file is the cause of what else is said.
@Test func theMailNamesTheCauseBeforeWhatFollowsFromIt() throws {
    let setUp = try NightlySetUp(
        code: 3,
        reasons: [
            "input in/b.csv has the same content as in/a.csv and is skipped",
            "look credits 2026-11-21 is a coverage gap (missing: b)",
            "input the configuration has changed since the last night: time_zone was A, now B",
        ])
    try setUp.folder.write("{}\n", to: "out/latest/held.jsonl")
    let ended = try setUp.run(with: mail)
    for text in [try setUp.folder.read("mail"), ended.errors] {
        #expect(
            text.contains(
                "\nin/b.csv has the same content as in/a.csv and is skipped\nthe configuration has changed since the last "
                    + "night: time_zone was A, now B\ncredits 2026-11-21 is a coverage gap (missing: b)\n"), "\(text)")
    }
    // A change alone is no reason for 3.
    let changed = try NightlySetUp(code: 3, reasons: ["input the configuration has changed: x"])
    try changed.folder.write("{}\n", to: "out/latest/held.jsonl")
    _ = try changed.run(with: mail)
    #expect(
        try changed.folder.read("mail").contains("the configuration has changed: x\n1 retry entry is held since"))
}

/// The backend's team is not asked for files that lie on a disk that is not mounted.
@Test func theMailNamesTheFolderThatIsGoneBeforeItsGaps() throws {
    let gone =
        "no file matches the feed in/{date}.csv any more, although it delivered before. Check that its folder is there"
    let setUp = try NightlySetUp(
        code: 3, reasons: ["look credits 2026-11-21 is a coverage gap (missing: b)", "input \(gone)"])
    let ended = try setUp.run(with: mail)
    for text in [try setUp.folder.read("mail"), ended.errors] {
        #expect(text.contains("\n\(gone)\ncredits 2026-11-21 is a coverage gap"), "\(text)")
    }
}

/// One app's figures would heal the other's alarm.
@Test func twoAppsOfOneNameAreTold() throws {
    let (first, second) = (try NightlySetUp(code: 78), try NightlySetUp(code: 0))
    let own = mail.merging(["RECONCILE_METRICS": first.folder.path]) { $1 }
    _ = try first.run(with: own)
    let ended = try second.run(with: own)
    #expect(ended.code == 0 && ended.errors.contains("Give each app a RECONCILE_APP of its own"), "\(ended)")
    #expect(try second.folder.read("mail").contains("No metrics: reconcile_game.prom is that of /"))
    #expect(try first.folder.read("reconcile_game.prom").contains("\nreconcile_cron_exit_code{app=\"game\"} 78\n"))
    #expect(try second.run(with: own.merging(["RECONCILE_APP": "words"]) { $1 }).errors.isEmpty)
    #expect(first.has("reconcile_words.prom"))
    // Its own file is written again, with one line that names the configuration.
    _ = try first.run(with: own)
    #expect(try first.folder.read("reconcile_game.prom").components(separatedBy: "# configuration: ").count == 2)
}

@Test func theSummaryIsThatOfTheConfigurationsOutput() throws {
    let setUp = try NightlySetUp(code: 0)
    try setUp.folder.write("time_zone=UTC\noutput=\(setUp.folder.path)/moved\n", to: "settings")
    try FileManager.default.createDirectory(
        atPath: setUp.folder.path + "/moved/\(lastNight)", withIntermediateDirectories: true)
    try setUp.folder.write("moved away\n", to: "moved/\(lastNight)/summary.txt")
    _ = try setUp.run("--date=\(lastNight)", with: mail)
    #expect(try setUp.folder.read("mail").hasSuffix("\n\nmoved away\n"))
}

@Test func sideJobsThatFailDoNotFailTheNight() throws {
    let setUp = try NightlySetUp(code: 0)
    let ended = try setUp.run(
        with: [
            "RECONCILE_MAIL": "a@b", "SENDMAIL": "/nowhere/sendmail", "RECONCILE_NOTIFY": "/bin/false",
            "RECONCILE_NOTIFY_ON": "always", "RECONCILE_BEAT": "/bin/false", "RECONCILE_METRICS": "/nowhere",
        ])
    #expect(ended == Ended(code: 0, output: "", errors: ""))
    let log = try setUp.folder.read("nightly.log")
    for words in ["mail failed", "the chat was not notified", "no heartbeat", "no metrics"] {
        #expect(log.contains(words))
    }
    #expect(setUp.has("last-success"))
}

/// Nothing can be written, and still a mail leaves with the code of that.
@Test func aFullDiskIsMailed() throws {
    let setUp = try NightlySetUp(code: 0)
    let ended = try setUp.run("--date \(lastNight)", with: mail.merging(["RECONCILE_LOG": "/dev/full"]) { $1 })
    #expect(ended.code == 74)
    let text = try setUp.folder.read("mail")
    #expect(text.contains("FAILED 74 \(lastNight): The log /dev/full cannot be written.\n"), "\(text)")
    #expect(text.contains("The night ended with 0.") && text.hasSuffix("3 new exceptions, 掉单\n"), "\(text)")
}

/// The log is on the full disk as well, so the program's words are lost. `df` is a script here.
@Test(arguments: [(20, true), (2000, false)])
func aFullDiskIsNamedWhereItsWordsAreLost(free: Int, isNamed: Bool) throws {
    let setUp = try NightlySetUp(code: 74, saying: "[ERROR][./src/packager.c:1541]: Error in closing member")
    try setUp.script("df", "echo Filesystem 1024-blocks Used Available; echo tmpfs 3000 9 \(free) 99% /srv")
    let own = mail.merging(["PATH": setUp.folder.path + ":/usr/bin:/bin"]) { $1 }
    let ended = try setUp.run("--date \(lastNight)", with: own)
    let text = try setUp.folder.read("mail")
    #expect(text.contains("FAILED 74 \(lastNight): The disk is full") == isNamed, "\(text)")
    #expect(ended.errors.contains("The disk is full. Free some space") == isNamed, "\(ended)")
}

/// An alarm that is usually silent can break unnoticed.
@Test func eachChannelNamesTheOthersFailure() throws {
    let setUp = try NightlySetUp(code: 0)
    let (folder, broken) = (setUp.folder.path, "/bin/false")
    try FileManager.default.createDirectory(atPath: folder + "/collector", withIntermediateDirectories: false)
    func run(_ arguments: String = "", chat: String = "chat", mailer: String = "sendmail") throws -> Ended {
        try setUp.run(
            arguments,
            with: mail.merging([
                "RECONCILE_NOTIFY": chat == broken ? chat : "\(folder)/\(chat)", "RECONCILE_NOTIFY_ON": "always",
                "SENDMAIL": mailer == broken ? mailer : "\(folder)/\(mailer)",
                "RECONCILE_METRICS": folder + "/collector",
            ]) { $1 })
    }
    let unsent = "\nreconcile_cron_unsent{app=\"game\"} "
    #expect(try run(chat: broken).code == 0 && !setUp.folder.read("mail").contains("has not been sent"))
    #expect(try run(chat: broken).code == 0)
    #expect(try setUp.folder.read("mail").contains("\n\nThe chat has not been sent since 20"))
    #expect(try setUp.folder.read("collector/reconcile_game.prom").contains(unsent + "1\n"))
    try setUp.folder.write("", to: "last-success.backup")
    #expect(try run("--check", chat: broken).code == 3)
    #expect(try setUp.folder.read("mail").contains("LOOK alarm: The chat has not been sent since 20"))
    // The mail fails, and the chat says so at once; then both work.
    #expect(try run(mailer: broken).code == 0)
    #expect(try setUp.folder.read("chat.text").hasPrefix("The mail has not been sent since 20"))
    for _ in 1...2 { #expect(try run().code == 0) }
    #expect(try !setUp.folder.read("mail").contains("has not been sent"))
    #expect(try !setUp.folder.read("chat.text").contains("has not been sent"))
    #expect(try setUp.folder.read("collector/reconcile_game.prom").contains(unsent + "0\n"))
}

@Test(
    arguments: [
        ("news", 0, "3", true), ("news", 0, "0", false), ("news", 3, "0", true), ("news", 78, "0", true),
        ("failure", 0, "3", false), ("failure", 3, "0", true), ("failure", 78, "0", true), ("always", 0, "0", true),
    ] as [(String, Int32, String, Bool)])
func theChatHearsWhatItAskedFor(_ on: String, _ code: Int32, _ new: String, _ isTold: Bool) throws {
    let setUp = try NightlySetUp(
        code: code, saying: "reconcile: error: cannot read of u20000001 in orders-20261121.csv")
    try setUp.folder.write(
        "{\n  \"exceptions\": {\n    \"changed\": 9,\n    \"new\": \(new),\n", to: "out/latest/summary.json")
    let chat = ["RECONCILE_NOTIFY": setUp.folder.path + "/chat", "RECONCILE_NOTIFY_ON": on]
    #expect(try setUp.run("--date \(lastNight)", with: chat).code == code)
    #expect(setUp.has("chat.text") == isTold)
    guard isTold else { return }
    let environment = try setUp.folder.read("chat.environment")
    for line in ["APP=game", "DATE=\(lastNight)", "EXIT=\(code)"] {
        #expect(environment.contains("RECONCILE_\(line)\n"))
    }
    let text = try setUp.folder.read("chat.text")
    #expect(code < 64 ? text.hasSuffix("3 new exceptions, 掉单\n") : text.hasPrefix("The configuration, the clock"))
    // An account is shortened, a date is not.
    if code == 78 {
        #expect(environment.contains("HEADLINE=cannot read of u20***01 in orders-20261121.csv\n"), "\(environment)")
    }
}

/// Nothing is new, and still more orders are lost than usual, or goods come later.
@Test(arguments: [(#""above_limit""#, "false", true), ("null", "true", true), ("null", "false", false)])
func theChatHearsWhatIsUnusual(_ rate: String, _ delay: String, _ isTold: Bool) throws {
    let setUp = try NightlySetUp(code: 0)
    let summary = """
        {
          "exceptions": {
            "new": 0
          },
          "rate": { "above": \(rate) },
          "delay": { "above": \(delay) }
        """
    try setUp.folder.write(summary, to: "out/latest/summary.json")
    _ = try setUp.run("--date \(lastNight)", with: ["RECONCILE_NOTIFY": setUp.folder.path + "/chat"])
    #expect(setUp.has("chat.text") == isTold)
    if isTold { #expect(try setUp.folder.read("chat.environment").contains("RECONCILE_NEWS=unusual\n")) }
}

/// Tries again until the file has arrived or the time has come. `sleep` is a script here, so that nothing waits.
@Test func aNightWaitsForItsFiles() throws {
    for (wait, calls) in [
        ("23:59:59", Array(repeating: "--dry-run", count: 4) + [""]), ("00:00", [""]), ("soon", [""]),
    ] {
        let setUp = try NightlySetUp(code: 0)
        let date = try Program.shell("TZ=Asia/Shanghai date -d yesterday +%F").output.dropLast()
        try setUp.script(
            "reconcile",
            "[ $1 != settings ] || { cat settings; exit; }\necho \"$2\" >>calls\n"
                + "case $(wc -l <calls) in 1) echo 'reconcile: error: no file matches any feed' >&2; exit 66;; 2) echo"
                + " \"reconcile: warning: credits \(date) is a coverage gap (missing: x)\"; exit 3;; 3) echo"
                + " 'reconcile: error: the clock says x, and no file: the clock may be ahead' >&2; exit 78;; *) exit 0;; esac"
        )
        try setUp.script("sleep", "echo $* >>slept")
        _ = try setUp.run(with: ["RECONCILE_WAIT": wait, "PATH": setUp.folder.path + ":/usr/bin:/bin"])
        #expect(try setUp.folder.read("calls") == calls.map { $0 + "\n" }.joined(), "\(wait)")
        #expect(setUp.has("slept") == (calls.count > 1))
        #expect(try setUp.folder.read("nightly.log").contains("was over when this run began") == (wait == "00:00"))
    }
}

/// Under systemd, another process sends: first what the night has left behind, and else what systemd knows.
@Test func anotherProcessSendsWhatTheNightHasLeft() throws {
    let setUp = try NightlySetUp(code: 78, saying: "reconcile: error: x.json:1: wrong")
    let box = mail.merging(["RECONCILE_OUTBOX": setUp.folder.path + "/box"]) { $1 }
    #expect(try setUp.run("--date \(lastNight)", with: box).code == 78)
    #expect(!setUp.has("mail"))
    #expect(try setUp.run("--alert reconcile@game", with: box).code == 0)
    #expect(try setUp.folder.read("mail").contains("FAILED 78 \(lastNight): x.json:1: wrong\n"))
    #expect(!setUp.has("box/message"))
    // A unit that was killed leaves nothing. `systemctl` and `journalctl` are scripts here.
    try setUp.script(
        "systemctl", "case $* in *Result*) cat result;; *Main*) echo 9;; *) echo RECONCILE_CONFIG=/x/y.json;; esac")
    try setUp.script("journalctl", "echo the journal")
    let path = box.merging(["PATH": setUp.folder.path + ":/usr/bin:/bin"]) { $1 }
    let units = [("reconcile@game", "The night"), ("reconcile-backup@game", "The backup")]
    for (unit, words) in units {
        try setUp.folder.write("timeout\n", to: "result")
        #expect(try setUp.run("--alert \(unit)", with: path).code == 0)
        let text = try setUp.folder.read("mail")
        #expect(text.contains(": \(words.dropFirst(4)): systemd: timeout\n"), "\(text)")
        #expect(text.contains("\n\n\(words) did not end in time"), "\(text)")
    }
    for (result, words) in [
        ("timeout", "did not end in time"), ("oom-kill", "memory ran out"), ("success", ""),
        ("exit-code", "could not start the unit"),
    ] {
        if result == "exit-code" {
            try setUp.script("systemctl", "case $* in *Result*) cat result;; *) echo 203;; esac")
        }
        try? FileManager.default.removeItem(atPath: setUp.folder.path + "/mail")
        try setUp.folder.write(result + "\n", to: "result")
        #expect(try setUp.run("--alert reconcile@game", with: path).code == 0)
        #expect(setUp.has("mail") == (result != "success"))
        guard setUp.has("mail") else { continue }
        let text = try setUp.folder.read("mail")
        #expect(text.contains(words) && text.contains("] FAILED ") && text.hasSuffix("\n\nthe journal\n"), "\(text)")
    }
}

/// A file that a command wrote is there, so that `collect` alone leaves it.
@Test(arguments: [true, false]) func theMailNamesHowAHeldFileOfACommandIsReplaced(hasCommand: Bool) throws {
    let setUp = try NightlySetUp(code: 3, reasons: ["held the input is unusual: x"])
    if hasCommand {
        try setUp.folder.write(try setUp.folder.read("settings") + "commands=yes\n", to: "settings")
    }
    _ = try setUp.run(with: mail)
    let text = try setUp.folder.read("mail")
    #expect(text.contains("\nthe input is unusual: x"), "\(text)")
    #expect(text.contains("collect --date DATE --again") == hasCommand, "\(text)")
}
