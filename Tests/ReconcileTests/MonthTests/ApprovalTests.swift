import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Reconcile

/// Two persons, two acts; and what a closed month tells when somebody touches it. The tests run as the ledger's owner, so the
/// person is the one that sudo names.
@Suite struct ApprovalTests {
    let folder: MonthFolder

    init() throws {
        folder = try MonthFolder()
        let sale = MonthFolder.Sale(id: 1, minor: 600, at: "2026-01-10 12:00:00")
        try folder.deliver(
            "2026-01-31", orders: [folder.order(sale)], credits: [folder.credit(sale, at: sale.at)],
            transactions: [folder.record(sale)])
        try folder.night("2026-01-31")
    }

    private func run(_ user: String, _ words: String...) throws -> NightFolder.Outcome {
        try folder.nights.run(["monthly", "2026-01"] + words, variables: ["SUDO_USER": user])
    }

    @Test func anotherUserApprovesWhatWasSealed() throws {
        #expect(try run("wang", "--approve", "--by", "wang").code == .usage)
        #expect(try run("li", "--close").errors.contains("--close needs --by NAME"))
        #expect(try run("li", "--by", "li").errors.contains("--by needs --close or --approve"))
        let closed = try run("li", "--close", "--by", "Li Wei")
        #expect(closed.code == .done && closed.output.contains("not approved yet"))
        #expect(try folder.read("2026-01").closing?.user == "li")
        #expect(try folder.strings("2026-01").contains("Li Wei (user li)"))
        // The same user under another name, and the same name as another user.
        let alone = try run("li", "--approve", "--by", "Wang")
        #expect(alone.code == .usage && alone.errors.contains("Another person approves it"))
        #expect(try run("wang", "--approve", "--by", "li wei").code == .usage)
        let bytes = try folder.bytes("2026-01", "SHA256SUMS")
        let approved = try run("wang", "--approve", "--by", "Wang", "--note", "seen")
        #expect(approved.code == .done && approved.output.contains("approved by Wang (user wang)"))
        #expect(
            try run("zhao", "--approve", "--by", "Zhao").output.contains("approved by Wang (user wang) on 1970-01-01"))
        #expect(try run("li").output.contains("approved by Wang (user wang) on 1970-01-01"))
        #expect(try folder.bytes("2026-01", "SHA256SUMS") == bytes)
        #expect(try folder.nights.run(["check"]).code == .done)
    }

    /// A job closes in a person's name. That person's login is not another person, nor is the job's login as a name.
    @Test func loginAndNameAreComparedCrosswise() throws {
        #expect(try run("job", "--close", "--by", "li").code == .done)
        #expect(try run("li", "--approve", "--by", "wang").code == .usage)
        #expect(try run("wang", "--approve", "--by", "Job").code == .usage)
        #expect(try run("wang", "--approve", "--by", "wang").code == .done)
    }

    /// The files are sealed before anybody can approve them. They claim neither that somebody did nor that nobody did.
    @Test(arguments: [[], ["--approver", "wang"]]) func theFirstPageClaimsNoApproval(words: [String]) throws {
        let closed = try folder.nights.run(
            ["monthly", "2026-01", "--close", "--by", "li"] + words, variables: ["SUDO_USER": "li"])
        #expect(closed.code == .done && closed.output.contains("not approved yet"))
        let text = try folder.strings("2026-01")
        #expect(!text.contains("Approved by") && !text.contains("no approver"))
        #expect(text.contains("Recorded after closing. Ask IT to run: reconcile monthly 2026-01"))
        #expect(text.contains("Approver named at closing") == !words.isEmpty)
        let approved = try run("zhao", "--approve", "--by", "zhao")
        #expect(approved.output.contains("; the closing named wang") == !words.isEmpty, "\(approved)")
    }

    @Test func aMonthIsClosedOverAnUnapprovedOneWithAWarning() throws {
        _ = try run("li", "--close", "--by", "li")
        try folder.deliver("2026-02-28")
        try folder.night("2026-02-28")
        let closed = try folder.nights.run(["monthly", "2026-02", "--close", "--by", "li"])
        #expect(
            [.done, .look].contains(closed.code)
                && closed.errors.contains("warning: 2026-01: not approved yet: another user"))
    }

    @Test func anApprovalCannotBeForged() throws {
        _ = try run("li", "--close", "--by", "li")
        _ = try run("wang", "--approve", "--by", "wang")
        let path = folder.nights.folder.path
        #expect(try Program.shell("sqlite3 ledger.sqlite \"UPDATE upkeep SET by_whom = 'zhao'\"", in: path).code == 0)
        let outcome = try folder.nights.run(["check"])
        #expect(outcome.output.contains("upkeep") && outcome.code != .done)
    }

    @Test func aSecondClosingSaysWhoClosedBefore() throws {
        _ = try run("li", "--close", "--by", "li")
        let again = try run("mallory", "--close", "--by", "mallory")
        #expect(again.errors.contains("2026-01 was closed by li on 1970-01-01T00:00:00Z already; nothing was changed"))
        #expect(try folder.read("2026-01").closing?.by == "li")
    }

    /// Nobody changed the signed files in a folder that never had them.
    @Test func aFreshOutputFolderIsNoAlarm() throws {
        _ = try run("li", "--close", "--by", "li")
        let text = try folder.nights.folder.read("reconcile.json")
        try folder.nights.folder.write("{language: 'zh-Hans'," + text.dropFirst(), to: "reconcile.json")
        let fresh = try run("li", "--output", "fresh")
        #expect(fresh.code == .done && !fresh.errors.contains("signed"), "\(fresh)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.nights.folder.path + "/fresh")
        #expect(names.contains("2026-01-zh-Hans") && !names.contains("2026-01"), "\(names)")
        // Nobody approves what is not there.
        #expect(try run("wang", "--output", "fresh", "--approve", "--by", "wang").code == .inputOutput)
    }

    @Test func anEditedFileOfAClosedMonthIsTold() throws {
        _ = try run("li", "--close", "--by", "li")
        #expect(try run("li").code == .done)
        let path = folder.nights.folder.path + "/out/2026-01/month.csv"
        chmod(path, 0o600)
        try "edited".write(toFile: path, atomically: false, encoding: .utf8)
        let outcome = try run("li")
        #expect(outcome.code == .look && outcome.errors.contains("is not as it was signed: month.csv was changed"))
        // Nobody approves what was not signed.
        let approval = try run("wang", "--approve", "--by", "wang")
        #expect(approval.code == .inputOutput && approval.errors.contains("is not as it was signed: month.csv"))
        #expect(try folder.nights.ledger().monthApprovals().isEmpty)
    }

    /// The digest that is kept outside depends on every seal and on their order.
    @Test func closedMonthsAreOneChain() throws {
        let outcome = try run("li", "--close", "--by", "li")
        let seals = try folder.nights.ledger().monthSeals()
        #expect(outcome.output.contains("closed months: 1, chained digest \(seals.chained)"))
        var other = seals[0]
        other.period = "2026-02"
        other.digest = String(seals[0].digest.reversed())
        let both = [[seals[0], other], [other, seals[0]], [seals[0]], []].map(\.chained)
        #expect(Set(both).count == 4 && both[3].isEmpty)
    }

    /// The page that is signed has the month's figures, and the figures lead to their rows.
    @Test func theFirstPageHasTheMonth() throws {
        _ = try run("li")
        let text = try folder.strings("2026-01")
        #expect(text.contains("The month at a glance"))
        #expect(text.contains("&apos;By product&apos;!A2:") || text.contains("By product'!A2:"))
    }
}
