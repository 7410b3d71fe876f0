import Base
import Domain
import Foundation
import Testing

@testable import Ledger
@testable import Reconcile
@testable import Reports

@Suite struct LookupScreenTests {
    @Test func aSharedScreenShowsNoAccount() throws {
        let desk = try DeskFolder.lostOrder()
        for options in [["--mask"], ["--mask", "--json"], ["--mask", "--html", "page.html"]] {
            for identifier in ["ORD1000000042", "acct-lost-7", "1d625e20-8e90-4318-1cf0-bfcf6828c345", "acct-lost"] {
                let output = try desk.run(["lookup", identifier] + options).output
                #expect(!output.contains("acct-lost-7") && !output.contains("8e90-4318"), "\(options)")
            }
        }
        #expect(!(try desk.folder.read("page.html").contains("acct-lost-7")))
        #expect(try desk.run(["lookup", "ORD1000000042", "--mask"]).output.contains("ac***-7"))
    }

    @Test func noAnswerShowsADevice() throws {
        let desk = try DeskFolder.lostOrder()
        for options in [[], ["--json"], ["--html", "page.html"]] {
            #expect(!(try desk.run(["lookup", "ORD1000000042"] + options).output.contains("device-of-7")))
        }
        #expect(!(try desk.folder.read("page.html").contains("device-of-7")))
    }

    @Test(arguments: ["en", "zh-Hans"], ["40", "57", "80", "140"])
    func nothingIsWiderThanTheScreen(language: String, columns: String) throws {
        let desk = try DeskFolder.lostOrder()
        for identifier in ["ORD1000000042", "ORD1000000043", String(repeating: "很长", count: 60)] {
            let output = try desk.run(["lookup", identifier, "--lang", language], variables: ["COLUMNS": columns])
                .output
            for line in output.split(separator: "\n") {
                #expect(displayWidth(String(line)) <= Int(columns)!, "\(line)")
            }
        }
    }

    @Test func coloursAreForTerminals() throws {
        let desk = try DeskFolder.lostOrder()
        #expect(!(try desk.run(["lookup", "ORD1000000042"]).output.contains("\u{1B}")))
        #expect(try desk.run(["lookup", "ORD1000000042", "--color", "always"]).output.contains("\u{1B}[1;32m"))
    }

    @Test func whatStrangersWroteIsShownEscaped() throws {
        let desk = try DeskFolder()
        try desk.deliver("credits", night: 0)
        let account = "red\u{202E}<script>alert(1)</script>"
        try desk.deliver(
            "orders", ["ORD5000000001,\(account),coins,1,6.00,CNY,,2000000123456789,paid,\(desk.noon(0)),"], night: 0)
        try desk.deliverTransactions([("2000000123456789", "")], night: 0)
        try desk.night(0)
        let ended = try desk.run(["lookup", "ORD5000000001", "\u{1B}[31mnobody", "--html", "page.html"])
        #expect(ended.output.contains("red\\u{202e}<script>") && ended.output.contains("\\u{1b}[31mnobody"))
        #expect(!ended.output.contains("\u{1B}") && !ended.output.contains("\u{202E}"))
        let page = try desk.folder.read("page.html")
        #expect(page.contains("red\\u{202e}&lt;script&gt;") && !page.contains("<script"))
        let night = try desk.folder.read("out/latest/report.html")
        #expect(night.contains("red\\u{202e}&lt;script&gt;"))
        #expect(!night.contains("<script>alert") && !night.contains("\u{202E}"))
    }

    @Test func aPageIsItsOwnersAndReplacedAsAWhole() throws {
        let desk = try DeskFolder.lostOrder()
        #expect(try desk.run(["lookup", "ORD1000000042", "--html", "page.html"]).code == 0)
        let first = try desk.folder.read("page.html")
        #expect(try desk.run(["lookup", "ORD1000000042", "--html", "page.html"]).code == 0)
        #expect(try desk.folder.read("page.html") == first && first.contains("Content-Security-Policy"))
        let attributes = try FileManager.default.attributesOfItem(atPath: desk.folder.path + "/page.html")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try desk.run(["lookup", "ORD1000000042", "--html", "nowhere/page.html"]).code == 73)
    }

    @Test func aLookLeavesTheLedgerAsItIs() throws {
        let desk = try DeskFolder.lostOrder()
        let ledger = URL(fileURLWithPath: desk.folder.path + "/ledger.sqlite")
        let before = try Data(contentsOf: ledger)
        _ = try desk.run(["lookup", "ORD1000000042"])
        _ = try desk.run(["lookup", "nobody"])
        #expect(try Data(contentsOf: ledger) == before)
    }

    @Test func aRunThatIsWritingKeepsNobodyWaiting() throws {
        let desk = try DeskFolder.lostOrder()
        let writer = try Ledger(path: desk.folder.path + "/ledger.sqlite")
        try writer.begin()
        try writer.connection.execute("DELETE FROM packed_order; DELETE FROM packed_subject")
        #expect(try desk.rulings("ORD1000000042") == ["paid_not_credited/receipt_unverified"])
        try writer.rollback()
    }

    @Test func aCopyOnMediaThatNobodyCanWriteIsRead() throws {
        let desk = try DeskFolder.lostOrder()
        let line = """
            mkdir copy && cp reconcile.json copy/ && cp ledger.sqlite copy/ && chmod 644 copy/* && chmod 555 copy && \
            chmod 755 . && { [ $(id -u) != 0 ] && $R lookup ORD1000000042 --config copy/reconcile.json || \
            setpriv --reuid=65534 --clear-groups $R lookup ORD1000000042 --config copy/reconcile.json; }
            """
        let ended = try Program.shell(line, in: desk.folder.path)
        #expect(ended.code == 0 && ended.output.contains("2000000123456789"), "\(ended.errors)")
        _ = try Program.shell("chmod 755 copy", in: desk.folder.path)
    }
}
