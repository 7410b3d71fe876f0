import Foundation
import Testing

/// The date of the last night in the time zone of the set-up.
let lastNight = night(daysAgo: 1)

private func night(daysAgo days: Double) -> String {
    let form = ISO8601DateFormatter()
    (form.formatOptions, form.timeZone) = (.withFullDate, TimeZone(identifier: "Asia/Shanghai"))
    return form.string(from: Date(timeIntervalSinceNow: -86400 * days))
}

/// A set-up in which `reconcile` is a script that exits with `code`, and `sendmail` and `chat` are scripts that store what
/// they get.
struct NightlySetUp {
    let folder = TestFolder()

    /// - Parameter reasons: lines of `RECONCILE_REASONS`, which the program writes beside its messages.
    init(code: Int32, saying message: String = "said", reasons: [String] = []) throws {
        try script(
            "reconcile",
            "if [ $1 = settings ]; then cat settings; exit; fi\n"
                + "echo \"$*\" >arguments; nice >niceness; cat <<'END' >&2\n\(message)\nEND\n"
                + "cat <<'END' >>\"${RECONCILE_REASONS:-/dev/null}\"\n\(reasons.joined(separator: "\n"))\nEND\nexit \(code)"
        )
        try script("sendmail", "cat >mail")
        try script("chat", "env | grep ^RECONCILE_ | sort >chat.environment; cat >chat.text")
        try folder.write("time_zone=Asia/Shanghai\noutput=\(folder.path)/out\n", to: "settings")
        let latest = folder.path + "/out/latest"
        try FileManager.default.createDirectory(atPath: latest, withIntermediateDirectories: true)
        try folder.write("3 new exceptions, 掉单\n", to: "out/latest/summary.txt")
        // The last night's date, in each time zone of the tests.
        for days in [1.0, 2] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/out/" + night(daysAgo: days), withDestinationPath: "latest")
        }
    }

    func script(_ name: String, _ body: String) throws {
        try folder.write("#!/bin/sh\ncd '\(folder.path)'\n\(body)\n", to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path + "/" + name)
    }

    func run(_ arguments: String = "", before: String = "", with variables: [String: String] = [:]) throws -> Ended {
        let own = [
            "RECONCILE_CONFIG": folder.path + "/reconcile.json", "RECONCILE": folder.path + "/reconcile",
            "SENDMAIL": folder.path + "/sendmail", "RECONCILE_APP": "game",
        ]
        let wrapper = "'\(Program.repository)/cron/reconcile-nightly' \(arguments)"
        return try Program.shell(before + wrapper, in: folder.path, own.merging(variables) { $1 })
    }

    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path + "/" + name) }
}

@Test func aCleanNightIsSilentLoggedAndMarked() throws {
    let setUp = try NightlySetUp(code: 0)
    let ended = try setUp.run("--exit-code --verbose")
    #expect(ended == Ended(code: 0, output: "", errors: ""))
    #expect(try setUp.folder.read("arguments") == "nightly --exit-code --verbose\n")
    let log = try setUp.folder.read("nightly.log").split(separator: "\n")
    #expect(log.count == 3 && log[0].hasSuffix("start: nightly --exit-code --verbose") && log[1] == "said")
    #expect(log[2].hasSuffix("end: exit code 0"))
    #expect(setUp.has("last-success") && !setUp.has("mail"))
    let attributes = try FileManager.default.attributesOfItem(atPath: setUp.folder.path + "/nightly.log")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
}

/// The desk's look-ups have priority.
@Test func theNightGivesWay() throws {
    let setUp = try NightlySetUp(code: 0)
    _ = try setUp.run()
    let own = try #require(Int32(try Program.shell("nice", in: setUp.folder.path).output.dropLast()))
    #expect(try setUp.folder.read("niceness") == "\(min(19, own + 10))\n")
}

@Test(arguments: [1, 3, 64, 65, 66, 70, 73, 74, 75, 77, 78, 127, 130, 132, 143] as [Int32])
func anyOtherEndTellsTheOperatorWhatToDo(_ code: Int32) throws {
    let setUp = try NightlySetUp(code: code)
    let ended = try setUp.run()
    #expect(ended.code == code && ended.output.isEmpty)
    #expect(ended.errors.hasPrefix("reconcile-nightly: exit code \(code). "))
    #expect(ended.errors.hasSuffix(" Log: \(setUp.folder.path)/nightly.log\n"))
    #expect(setUp.has("last-success") == (code < 64))
}

@Test(arguments: [0, 65] as [Int32])
func theCollectorGetsTheLastNightAndTheLastAttempt(_ code: Int32) throws {
    let setUp = try NightlySetUp(code: code)
    try setUp.folder.write(
        "reconcile_exit_code 0\nreconcile_rows{feed=\"orders\"} 7\n", to: "out/latest/metrics.prom")
    try FileManager.default.createDirectory(
        atPath: setUp.folder.path + "/collector", withIntermediateDirectories: false)
    #expect(try setUp.run(with: ["RECONCILE_METRICS": setUp.folder.path + "/collector"]).code == code)
    let figures = try setUp.folder.read("collector/reconcile_game.prom")
    #expect(figures.contains("reconcile_exit_code{app=\"game\"} 0\nreconcile_rows{app=\"game\",feed=\"orders\"} 7\n"))
    #expect(figures.contains("\nreconcile_cron_exit_code{app=\"game\"} \(code)\n"))
    #expect(figures.contains("\nreconcile_cron_good_timestamp_seconds{app=\"game\"} 0\n") == (code != 0))
    let path = setUp.folder.path + "/collector"
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
        #expect(name.hasPrefix("reconcile") && attributes[.posixPermissions] as? Int == 0o644)
    }
    // A night does not fail because its metrics cannot be written.
    let ended = try setUp.run(with: ["RECONCILE_METRICS": "/nowhere"])
    #expect(ended.code == code && setUp.has("nightly.log"))
    #expect(try setUp.folder.read("nightly.log").contains("no metrics: cannot write /nowhere/reconcile_game.prom"))
}

/// An option that was left in the crontab: an old night is published once more, or none.
@Test(arguments: [(1.0, 0), (2, 0), (3, 3)] as [(Double, Int32)])
func onlyTheLastNightIsASuccess(daysAgo: Double, _ code: Int32) throws {
    let date = night(daysAgo: daysAgo)
    let metrics = ["RECONCILE_MAIL": "a@b", "RECONCILE_METRICS": ""]
    for option in ["--date \(date)", "--as-of \(night(daysAgo: daysAgo - 1))T03:37:00+08:00"] {
        let setUp = try NightlySetUp(code: 0)
        try FileManager.default.createDirectory(
            atPath: setUp.folder.path + "/collector", withIntermediateDirectories: false)
        let own = metrics.merging(["RECONCILE_METRICS": setUp.folder.path + "/collector"]) { $1 }
        let ended = try setUp.run(option, with: own)
        #expect(ended.code == code && setUp.has("last-success") == (code == 0), "\(ended)")
        let figures = try setUp.folder.read("collector/reconcile_game.prom")
        #expect(figures.contains("\nreconcile_cron_good_timestamp_seconds{app=\"game\"} 0\n") == (code == 3))
        let told = try setUp.folder.read("mail")
        // The summary is that of the date that ran, or none.
        #expect(told.contains("This is the night of \(date), not the last one") == (code == 3), "\(told)")
        #expect(told.contains("掉单") == (code == 0), "\(told)")
        #expect(ended.errors.contains("remove --date and --as-of") == (code == 3), "\(ended)")
    }
}

@Test func aDryRunIsNoNight() throws {
    let setUp = try NightlySetUp(code: 0)
    let ended = try setUp.run("--exit-code --dry-run", with: ["RECONCILE_MAIL": "a@b"])
    #expect(ended.code == 64 && ended.errors.contains("nothing would be published"), "\(ended)")
    #expect(!setUp.has("arguments") && !setUp.has("last-success"))
    #expect(try setUp.folder.read("mail").contains("FAILED 64"))
}

/// logrotate renames the log while the night writes into it.
@Test func theReasonsAreFoundInALogThatWasRotated() throws {
    let setUp = try NightlySetUp(code: 3)
    try setUp.script(
        "reconcile",
        "if [ $1 = settings ]; then cat settings; exit; fi\nmv nightly.log nightly.log.1\n"
            + "echo 'reconcile: warning: credits is a coverage gap (missing: a)' >&2\nexit 3")
    let ended = try setUp.run(with: ["RECONCILE_MAIL": "a@b"])
    #expect(ended.code == 3 && ended.errors.contains("is a coverage gap (missing: a)"), "\(ended)")
    #expect(try setUp.folder.read("mail").contains("\n\ncredits is a coverage gap (missing: a)\n"))
}

@Test func mailThatFailsDoesNotFailTheNight() throws {
    let setUp = try NightlySetUp(code: 0)
    let ended = try setUp.run(with: ["RECONCILE_MAIL": "a@b", "SENDMAIL": "/nowhere/sendmail"])
    #expect(ended == Ended(code: 0, output: "", errors: ""))
    #expect(try setUp.folder.read("nightly.log").contains("mail failed"))
}

/// On a full disk, every write fails, whichever program does it.
@Test func aNightRunsAlsoWhereItCannotBeLogged() throws {
    for (log, code) in [("/dev/full", 74), ("/nowhere/nightly.log", 73)] as [(String, Int32)] {
        let setUp = try NightlySetUp(code: 3, reasons: ["look the file of credits was cut"])
        let ended = try setUp.run(with: ["RECONCILE_LOG": log, "RECONCILE_MAIL": "a@b"])
        #expect(ended.code == code && setUp.has("arguments") && setUp.has("last-success"), "\(ended)")
        #expect(ended.errors.contains("said\n") && ended.errors.contains("The log \(log) cannot be "), "\(ended)")
        #expect(ended.errors.contains("The night ended with 3. Published, but something needs attention"), "\(ended)")
        // "The reasons follow": before the last lines, and on standard error. The subject has the summary's first line, too.
        let mail = try setUp.folder.read("mail")
        #expect(mail.contains("cannot be") && mail.contains("new exceptions"), "\(mail)")
        #expect(mail.contains("\n\nthe file of credits was cut\n\nThe last lines of"), "\(mail)")
        #expect(ended.errors.hasSuffix("\nthe file of credits was cut\n"), "\(ended)")
        // A failed night reports that by itself.
        let failed = try NightlySetUp(code: 65)
        #expect(try failed.run(with: ["RECONCILE_LOG": log]).code == 65)
    }
}

@Test func aMarkThatCannotBeMadeIsNoQuestionAnsweredWithNo() throws {
    let setUp = try NightlySetUp(code: 0)
    let ended = try setUp.run(with: ["RECONCILE_PING": "/nowhere/last-success"])
    #expect(ended.code == 74 && ended.errors.contains("/nowhere/last-success cannot be written"), "\(ended)")
    #expect(try setUp.folder.read("nightly.log").contains("end: exit code 0"))
}

@Test func theUnitCallsNothingSuccessButWhatWasPublished() throws {
    let unit = try String(contentsOfFile: Program.repository + "/cron/reconcile.service", encoding: .utf8)
    #expect(unit.contains("\nSuccessExitStatus=3\n"))
}

@Test func aLinkInTheCollectorsFolderLeadsNowhere() throws {
    let setUp = try NightlySetUp(code: 0)
    try setUp.folder.write("reconcile_exit_code 0\n", to: "out/latest/metrics.prom")
    try setUp.folder.write("mine", to: "victim")
    chmod(setUp.folder.path + "/victim", 0o600)
    let collector = setUp.folder.path + "/collector"
    try FileManager.default.createDirectory(atPath: collector, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
        atPath: collector + "/.reconcile_game.prom.new", withDestinationPath: setUp.folder.path + "/victim")
    #expect(try setUp.run(with: ["RECONCILE_METRICS": collector]).code == 0)
    #expect(try setUp.folder.read("victim") == "mine")
    let mode = try FileManager.default.attributesOfItem(atPath: setUp.folder.path + "/victim")[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try setUp.folder.read("collector/reconcile_game.prom").hasPrefix("reconcile_exit_code{app=\"game\"} 0\n"))
}

@Test func aSignalToTheWrapperIsTheProgramsToo() throws {
    let setUp = try NightlySetUp(code: 0)
    try setUp.folder.write(
        "#!/bin/bash\n[ $1 != settings ] || exit 0\ntrap 'touch told; kill $!; exit 143' TERM\nsleep 60 >/dev/null 2>&1 &\ntouch started\nwait\n",
        to: "reconcile")
    // The threads of tests block all signals, and processes they start would inherit that.
    var (none, own) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &own)
    defer { pthread_sigmask(SIG_SETMASK, &own, nil) }
    let ended = try Program.shell(
        "'\(Program.repository)/cron/reconcile-nightly' & wrapper=$!; until [ -e started ]; do sleep 0.05; done; "
            + "kill -TERM $wrapper; wait $wrapper", in: setUp.folder.path,
        ["RECONCILE_CONFIG": setUp.folder.path + "/reconcile.json", "RECONCILE": setUp.folder.path + "/reconcile"])
    #expect(ended.code == 143 && setUp.has("told"), "\(ended)")
}

@Test func aSecondNightDoesNotStartWhileOneIsGoingOn() throws {
    let setUp = try NightlySetUp(code: 0)
    let ended = try setUp.run(before: "exec 8>>reconcile.json.lock; flock 8; ")
    #expect(ended.code == 75 && ended.errors.contains("The run before is still going on"))
    #expect(!setUp.has("arguments") && !setUp.has("last-success"))
    #expect(try setUp.run().code == 0)
}

/// A mailer without its relay tries again for days.
@Test func whatMailChatAndHeartbeatLeaveBehindHoldsNoLock() throws {
    let setUp = try NightlySetUp(code: 0)
    // It closes all but the lock: who started the wrapper waits for none of it.
    let left = "for fd in /proc/$$/fd/*; do [ ${fd##*/} = 9 ] || eval \"exec ${fd##*/}>&-\"; done; exec sleep 60"
    for name in ["sendmail", "chat", "beat"] { try setUp.script(name, "bash -c '\(left)' &\necho $! >>left") }
    defer { _ = try? Program.shell("kill $(cat left)", in: setUp.folder.path) }
    let hooks = [
        "RECONCILE_MAIL": "a@b", "RECONCILE_NOTIFY": setUp.folder.path + "/chat", "RECONCILE_NOTIFY_ON": "always",
        "RECONCILE_BEAT": setUp.folder.path + "/beat",
    ]
    for _ in 1...2 { #expect(try setUp.run(with: hooks).code == 0) }
    #expect(try setUp.folder.read("left").split(separator: "\n").count == 8)
}

@Test func whatDoesNotEndInItsTimeIsKilled() throws {
    let wrapper = try String(contentsOfFile: Program.repository + "/cron/reconcile-nightly", encoding: .utf8)
    let limits = wrapper.matches(of: /\btimeout (-k|[0-9]+)/).map { String($0.output.1) }
    #expect(limits.count == 5 && Set(limits) == ["-k"], "\(limits)")
}

/// Clocks go forward at midnight there.
@Test func aDayWithoutMidnightIsTheDayAfterAnother() throws {
    let setUp = try NightlySetUp(code: 0)
    try setUp.folder.write("time_zone=Africa/Cairo\noutput=\(setUp.folder.path)/out\n", to: "settings")
    let ended = try setUp.run("--as-of 2026-04-24T03:37:00+03:00", with: ["RECONCILE_MAIL": "a@b"])
    #expect(ended.code == 3, "\(ended)")
    #expect(try setUp.folder.read("mail").contains("This is the night of 2026-04-23, not the last one"))
}

/// While one app's night runs, another app's night with the same log begins and ends.
@Test func appsThatShareALogDoNotWaitForEachOther() throws {
    let (first, second) = (try NightlySetUp(code: 0), try NightlySetUp(code: 0))
    let (log, wrapper) = (first.folder.path + "/shared.log", Program.repository + "/cron/reconcile-nightly")
    let configuration = second.folder.path + "/reconcile.json"
    try first.script(
        "reconcile",
        "[ $1 != settings ] || { cat settings; exit; }\n"
            + "RECONCILE_CONFIG='\(configuration)' RECONCILE='\(second.folder.path)/reconcile' '\(wrapper)'")
    #expect(try first.run(with: ["RECONCILE_LOG": log]).code == 0)
    #expect(second.has("arguments"))
    #expect(try first.folder.read("shared.log").split(separator: "\n").count { $0.hasSuffix("end: exit code 0") } == 2)
}

/// With what the crontab sets for all its lines, an app that fails does not look as if it had succeeded.
@Test func theCrontabServesSeveralApps() throws {
    let crontab = try String(contentsOfFile: Program.repository + "/cron/crontab", encoding: .utf8)
    var variables = Dictionary(
        uniqueKeysWithValues: crontab.matches(of: /\n(RECONCILE_[A-Z_]+)="?(.*?)"?(?=\n)/).map {
            (String($0.output.1), String($0.output.2))
        })
    #expect(variables.removeValue(forKey: "RECONCILE_CONFIG") != nil && variables["RECONCILE_WAIT"] == "")
    let (good, bad) = (try NightlySetUp(code: 0), try NightlySetUp(code: 65))
    for setUp in [good, bad] { _ = try setUp.run(with: variables) }
    #expect(good.has("last-success") && good.has("nightly.log"))
    #expect(!bad.has("last-success") && bad.has("nightly.log"))
}

@Test func withoutConfigurationOrProgramTheWrapperSaysSo() throws {
    let setUp = try NightlySetUp(code: 0)
    #expect(try setUp.run(with: ["RECONCILE_CONFIG": ""]).code == 78)
    let missing = try setUp.run(with: ["RECONCILE": "/nowhere/reconcile"])
    #expect(missing.code == 127 && missing.errors.contains("not found"))
}

/// Only Debian's crontab can check a file without installing it. On other systems, the test is skipped.
@Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/crontab")))
func theCrontabIsOneThatCronTakes() throws {
    let ended = try Program.shell("crontab -n '\(Program.repository)/cron/crontab'")
    #expect(ended.code == 0, "\(ended.errors)")
}

/// A set-up whose configuration has `apple`: `reconcile fetch` ends with `fetchCode`, the night with `code`.
private func appleSetUp(fetchCode: Int32, code: Int32) throws -> NightlySetUp {
    let setUp = try NightlySetUp(code: code)
    let folder = setUp.folder.path
    try setUp.folder.write("apple=\(folder)/inbox\ntime_zone=Asia/Shanghai\noutput=\(folder)/out\n", to: "settings")
    try setUp.script(
        "reconcile",
        "if [ $1 = settings ]; then cat settings; exit; fi\necho \"$*\" >>order\n"
            + "if [ $1 = fetch ]; then echo 'reconcile: error: Apple could not be asked: no route' >&2; exit \(fetchCode); fi\nexit \(code)"
    )
    return setUp
}

/// Whatever becomes of asking Apple, the night runs, with its own exit code.
@Test(arguments: [0, 69, 77, 78] as [Int32])
func appleIsAskedBeforeTheNight(fetchCode: Int32) throws {
    let setUp = try appleSetUp(fetchCode: fetchCode, code: 0)
    let ended = try setUp.run("--verbose", with: ["RECONCILE_MAIL": "ops@example.com"])
    #expect(try setUp.folder.read("order") == "fetch\nnightly --verbose\n")
    #expect(ended.code == 0)
    let mail = try setUp.folder.read("mail")
    guard fetchCode != 0 else {
        #expect(ended.errors.isEmpty && !mail.contains("Fetching"))
        return
    }
    let said = "Fetching from Apple ended with \(fetchCode): error: Apple could not be asked: no route"
    #expect(ended.errors.contains(said) || ended.errors.contains(said.replacing("error: ", with: "")), "\(ended)")
    #expect(mail.contains("Fetching from Apple ended with \(fetchCode)") && mail.contains("3 new exceptions"))
}

@Test func fetchingCanBeLeftToAnotherUnit() throws {
    let setUp = try appleSetUp(fetchCode: 0, code: 0)
    _ = try setUp.run(with: ["RECONCILE_FETCH": "no"])
    #expect(try setUp.folder.read("order") == "nightly\n")
    // That unit mails only what failed.
    let other = try appleSetUp(fetchCode: 69, code: 0)
    let ended = try other.run("--fetch", with: ["RECONCILE_MAIL": "ops@example.com"])
    #expect(ended.code == 69)
    #expect(try other.folder.read("order") == "fetch\n")
    #expect(try other.folder.read("mail").contains("FAILED 69") && ended.errors.contains("The next run gets"))
    let good = try appleSetUp(fetchCode: 0, code: 0)
    #expect(try good.run("--fetch") == Ended(code: 0, output: "", errors: ""))
    let none = try NightlySetUp(code: 0)
    #expect(try none.run("--fetch") == Ended(code: 0, output: "", errors: "") && !none.has("arguments"))
}

/// A set-up whose feeds have commands: `reconcile collect` ends with `code`, the night with 0.
private func collectSetUp(_ code: Int32) throws -> NightlySetUp {
    let setUp = try NightlySetUp(code: 0)
    try setUp.folder.write(
        "commands=2\napple=\(setUp.folder.path)/inbox\ntime_zone=UTC\noutput=\(setUp.folder.path)/out\n", to: "settings"
    )
    try setUp.script(
        "reconcile",
        "if [ $1 = settings ]; then cat settings; exit; fi\necho \"$*\" >>order\n"
            + "if [ $1 = collect ]; then echo 'reconcile: error: 1 of 2 commands failed: orders (psql ended with 2)' >&2; exit \(code); fi"
    )
    return setUp
}

/// Whatever becomes of the feeds' commands, the night runs.
@Test func commandsRunBeforeTheNight() throws {
    let setUp = try collectSetUp(69)
    let ended = try setUp.run(with: ["RECONCILE_MAIL": "ops@example.com"])
    #expect(try ended.code == 0 && setUp.folder.read("order") == "collect\nfetch\nnightly\n")
    #expect(ended.errors.contains("Collecting the feeds' files ended with 69: 1 of 2 commands failed"), "\(ended)")
    #expect(try setUp.folder.read("mail").contains("psql ended with 2"))
    let good = try collectSetUp(0)
    #expect(try good.run().errors.isEmpty)
    let without = try collectSetUp(69)
    let quiet = try without.run(with: ["RECONCILE_COLLECT": "no", "RECONCILE_FETCH": "no"])
    #expect(try quiet.errors.isEmpty && without.folder.read("order") == "nightly\n")
}

@Test func collectingCanBeLeftToAnotherUnit() throws {
    let setUp = try collectSetUp(69)
    let ended = try setUp.run("--collect", with: ["RECONCILE_MAIL": "ops@example.com"])
    #expect(try ended.code == 69 && setUp.folder.read("order") == "collect\n")
    #expect(try setUp.folder.read("mail").contains("FAILED 69") && ended.errors.contains("a feed's command failed"))
    let none = try NightlySetUp(code: 0)
    #expect(try none.run("--collect") == Ended(code: 0, output: "", errors: "") && !none.has("arguments"))
}

/// The wrapper cannot know whether such a configuration wants anything from Apple, so the program has to say what is wrong.
@Test func aFetchWithAConfigurationThatCannotBeReadFails() throws {
    let setUp = try NightlySetUp(code: 78)
    try setUp.folder.write("", to: "settings")
    let ended = try setUp.run("--fetch", with: ["RECONCILE_MAIL": "ops@example.com"])
    #expect(try ended.code == 78 && setUp.folder.read("arguments") == "fetch\n")
    #expect(try setUp.folder.read("mail").contains("FAILED 78"))
}

@Test func theFetchsMetricsStandBesideTheNights() throws {
    let setUp = try appleSetUp(fetchCode: 0, code: 0)
    for name in ["inbox", "metrics"] {
        try FileManager.default.createDirectory(
            atPath: setUp.folder.path + "/" + name, withIntermediateDirectories: true)
    }
    try setUp.folder.write("reconcile_fetch_undelivered{reason=\"NO_RESPONSE\"} 3\n", to: "inbox/.fetch.prom")
    _ = try setUp.run(with: ["RECONCILE_METRICS": setUp.folder.path + "/metrics"])
    let metrics = try setUp.folder.read("metrics/reconcile_game.prom")
    #expect(metrics.contains("reconcile_fetch_undelivered{app=\"game\",reason=\"NO_RESPONSE\"} 3\n"), "\(metrics)")
}
