import Foundation
import Testing

/// The wrapper's weekly check and nightly backup.
private let mail = ["RECONCILE_MAIL": "finance@example.com"]

/// The weekly check and the nightly backup are silent unless something is wrong. Old backups go, and one a month stays.
@Test func upkeepIsSilentUnlessSomethingIsWrong() throws {
    let setUp = try NightlySetUp(code: 0)
    try setUp.script(
        "reconcile", "[ $1 != backup ] || echo new >\"$2\"; [ $1 != check ] || cat check; exit $(cat code)")
    try setUp.folder.write("0", to: "code")
    try setUp.folder.write("ok    ledger\n", to: "check")
    #expect(try setUp.run("--check", with: mail).code == 3)
    #expect(try setUp.folder.read("mail").contains(": check: LOOK last backup: none was made for three days"))
    try FileManager.default.removeItem(atPath: setUp.folder.path + "/mail")
    #expect(try setUp.run("--backup backups", with: mail).code == 0)
    #expect(try setUp.run("--check", with: mail) == Ended(code: 0, output: "", errors: ""))
    for number in 0..<60 {
        let day = try Program.shell("date -d '-\(number) days' +%F").output.dropLast()
        _ = try Program.shell("mkdir -p backups; touch backups/ledger-\(day).sqlite", in: setUp.folder.path)
    }
    _ = try Program.shell("rm backups/ledger-$(date +%F).sqlite; touch backups/other.sqlite", in: setUp.folder.path)
    #expect(try setUp.run("--backup backups", with: mail) == Ended(code: 0, output: "", errors: ""))
    #expect(!setUp.has("mail"))
    let left = try FileManager.default.contentsOfDirectory(atPath: setUp.folder.path + "/backups").filter {
        !$0.hasPrefix(".")
    }.sorted()
    #expect((15...18).contains(left.count) && left.last == "other.sqlite", "\(left)")
    // The ledger of the same day, once it is healed.
    let today = try Program.shell("date +%F").output.dropLast()
    try setUp.folder.write("held", to: "backups/ledger-\(today).sqlite")
    #expect(try setUp.run("--backup backups", with: mail).code == 0)
    #expect(try setUp.folder.read("backups/ledger-\(today).sqlite") == "new\n")
    #expect(!setUp.has("backups/ledger-\(today).sqlite.again"))
    // What fails is mailed, and removes no backup.
    try setUp.folder.write("1", to: "code")
    try setUp.folder.write("ok    ledger\nWRONG reports: a file is missing\n", to: "check")
    #expect(try setUp.run("--check", with: mail).code == 1)
    #expect(try setUp.folder.read("mail").contains(": check: WRONG reports: a file is missing\n"))
    try setUp.folder.write("0", to: "code")
    try setUp.folder.write("LOOK   last night: it was 4 days ago\nok    orders: O1 of acct-7\n", to: "check")
    #expect(try setUp.run("--check", with: mail).code == 3)
    let late = try setUp.folder.read("mail")
    #expect(
        late.contains("] LOOK 3 ") && late.contains(": check: LOOK last night: it was 4 days ago\n")
            && late.contains("lines that begin with LOOK") && !late.contains("acct-7"),
        "\(late)")
    // What the nights have told for a week, the weekly check goes on to tell. What only it knows, it does not mail.
    for (look, code) in [
        ("columns", 3), ("product list", 3), ("goods on record", 3), ("renewals", 3), ("feed o.csv", 0),
    ] {
        try setUp.folder.write("LOOK   \(look): x\n", to: "check")
        #expect(try setUp.run("--check", with: mail).code == code, "\(look)")
    }
    try setUp.folder.write("ok    ledger\n", to: "check")
    _ = try Program.shell("touch -d '4 days ago' last-success.backup", in: setUp.folder.path)
    #expect(try setUp.run("--check", with: mail).code == 3)
    _ = try Program.shell(
        "rm backups/ledger-$(date +%F).sqlite; touch backups/ledger-2001-01-01.sqlite", in: setUp.folder.path)
    try setUp.folder.write("74", to: "code")
    #expect(try setUp.run("--backup backups", with: mail).code == 74)
    #expect(setUp.has("backups/ledger-2001-01-01.sqlite"))
    #expect(try setUp.folder.read("mail").contains("FAILED 74"))
}

/// The second app's backup would replace the first's, and each would say that all is well.
@Test func oneFolderHoldsTheBackupsOfOneApp() throws {
    let (first, second) = (try NightlySetUp(code: 0), try NightlySetUp(code: 0))
    for app in [first, second] { try app.script("reconcile", "[ $1 != backup ] || pwd >\"$2\"") }
    let today = try Program.shell("date +%F").output.dropLast()
    let shared = "--backup '\(first.folder.path)/backups'"
    for _ in 1...2 { #expect(try first.run(shared, with: mail) == Ended(code: 0, output: "", errors: "")) }
    let kept = try first.folder.read("backups/ledger-\(today).sqlite")
    let ended = try second.run(shared, with: mail)
    #expect(ended.code == 73 && ended.errors.contains("a folder of its own"), "\(ended)")
    let text = try second.folder.read("mail")
    #expect(text.contains("FAILED 73") && text.contains("/backups holds the backups of /"), "\(text)")
    #expect(try first.folder.read("backups/ledger-\(today).sqlite") == kept)
    // Without a folder, each has its own.
    for app in [first, second] {
        #expect(try app.run("--backup", with: mail).code == 0 && app.has("backup/ledger-\(today).sqlite"))
    }
}

/// Hand-outs that no night has read are nowhere else.
@Test func theDesksRecordsAreCopiedWithTheLedger() throws {
    let setUp = try NightlySetUp(code: 0)
    try setUp.script("reconcile", "[ $1 != settings ] || cat settings; [ $1 != backup ] || echo new >\"$2\"")
    try setUp.folder.write("output=\(setUp.folder.path)/out\ndesk=\(setUp.folder.path)/desk\n", to: "settings")
    _ = try Program.shell(
        "mkdir desk backup; touch desk/given-2026-11.jsonl desk/audit-2026-11.jsonl; for day in $(seq 1 60); do touch "
            + "backup/ledger-$(date -d \"-$day days\" +%F).sqlite backup/ledger-$(date -d \"-$day days\" +%F).desk.tar.gz; done",
        in: setUp.folder.path)
    #expect(try setUp.run("--backup", with: mail) == Ended(code: 0, output: "", errors: ""))
    let listed = try Program.shell("tar -tzf backup/ledger-$(date +%F).desk.tar.gz", in: setUp.folder.path).output
    #expect(listed.contains("given-2026-11.jsonl") && !listed.contains("audit"), "\(listed)")
    let left = try FileManager.default.contentsOfDirectory(atPath: setUp.folder.path + "/backup")
    let copies = left.filter { $0.hasSuffix(".sqlite") }
    #expect(copies.count < 20 && left.count { $0.hasSuffix(".desk.tar.gz") } == copies.count, "\(left)")
    // If they cannot be copied, that is mailed, and no older copy goes.
    try setUp.folder.write("output=\(setUp.folder.path)/out\ndesk=/nowhere\n", to: "settings")
    #expect(try setUp.run("--backup", with: mail).code == 74)
    #expect(try setUp.folder.read("mail").contains("the desk's folder /nowhere cannot be copied"))
}
