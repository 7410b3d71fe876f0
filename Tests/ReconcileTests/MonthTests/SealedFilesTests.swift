import Engine
import Foundation
import Testing

@testable import Domain
@testable import Ledger
@testable import Reconcile

/// The files of a closed month stay as they were signed.
@Suite struct SealedFilesTests {
    typealias Sale = MonthFolder.Sale
    let folder: MonthFolder

    init() throws {
        folder = try MonthFolder()
        let sale = Sale(id: 1, minor: 600, at: "2026-01-10 12:00:00")
        try folder.deliver(
            "2026-01-31", orders: [folder.order(sale)], credits: [folder.credit(sale, at: sale.at)],
            transactions: [folder.record(sale)])
        try folder.night("2026-01-31")
    }

    private let names = ["month.xlsx", "month.csv", "month.json", "SHA256SUMS"]

    private func bytes(_ label: String = "2026-01") throws -> [Data] {
        try names.map { try folder.bytes(label, $0) }
    }

    private func run(_ words: String...) throws -> NightFolder.Outcome { try folder.nights.run(words) }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.nights.folder.path + "/out/" + name)
    }

    private func speakChinese() throws {
        let text = try folder.nights.folder.read("reconcile.json")
        try folder.nights.folder.write(
            text.replacing("feeds: [", with: "language: \"zh-Hans\", feeds: ["), to: "reconcile.json")
    }

    private func writeReport(units: Int) throws {
        let text =
            "Start Date\tEnd Date\tVendor Identifier\tQuantity\tExtended Partner Share\tPartner Share Currency\t"
            + "Sales or Return\tCountry Of Sale\tCustomer Price\tCustomer Currency\n"
            + "12/28/2025\t01/31/2026\tcoins\t\(units)\t4.20\tCNY\tS\tCN\t6.00\tCNY\n"
            + "Total_Rows\t1\nTotal_Amount\t4.20\n"
        try folder.nights.folder.write(text, to: "january.txt")
    }

    @Test func laterReportsAndLanguagesHaveFoldersOfTheirOwn() throws {
        #expect(try run("monthly", "2026-01", "--close", "--by", "li").code == .done)
        let signed = try bytes()
        try writeReport(units: 1)
        let bridged = try run("monthly", "2026-01", "--apple-report", "january.txt")
        #expect(bridged.output.contains("out/2026-01-apple/month.xlsx"))
        #expect(try bytes() == signed && bytes("2026-01-apple") != signed)
        try speakChinese()
        #expect(try run("monthly", "2026-01").output.contains("out/2026-01-zh-Hans/month.xlsx"))
        #expect(
            try run("monthly", "2026-01", "--apple-report", "january.txt").output.contains(
                "out/2026-01-apple-zh-Hans/month.xlsx"))
        #expect(try bytes() == signed)
        // The next night's sweep leaves all of them alone.
        try folder.deliver("2026-02-01")
        try folder.night("2026-02-01")
        #expect(try bytes() == signed && exists("2026-01-apple-zh-Hans/month.xlsx"))
    }

    @Test func aReportThatWasThereAtTheClosingIsSealedWithIt() throws {
        try writeReport(units: 1)
        #expect(try run("monthly", "2026-01", "--apple-report=january.txt", "--close", "--by", "li").code == .done)
        let signed = try bytes()
        #expect(try folder.read("2026-01").apple.count == 1)
        // The report is changed, then gone.
        try writeReport(units: 2)
        _ = try run("monthly", "2026-01", "--apple-report=january.txt")
        #expect(try run("monthly", "2026-01").code == .done)
        #expect(try bytes() == signed)
        // The link is gone, or the files: they are made again, byte by byte.
        try FileManager.default.removeItem(atPath: folder.nights.folder.path + "/out")
        #expect(try run("monthly", "2026-01").code == .done)
        #expect(try bytes() == signed)
    }

    @Test func aMissingLinkIsSetToTheSameFiles() throws {
        #expect(try run("monthly", "2026-01", "--close", "--by", "li").code == .done)
        let (signed, out) = (try bytes(), folder.nights.folder.path + "/out")
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: out + "/2026-01")
        try FileManager.default.removeItem(atPath: out + "/2026-01")
        // A night's sweep leaves the files alone although no link points to them.
        try folder.deliver("2026-02-01")
        try folder.night("2026-02-01")
        #expect(try run("monthly", "2026-01").code == .done)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: out + "/2026-01") == target)
        #expect(try bytes() == signed)
    }

    @Test func changedFilesAreFoundByCheck() throws {
        #expect(try run("monthly", "2026-01", "--close", "--by", "li").code == .done)
        try folder.nights.folder.write("{}", to: "out/2026-01/month.json")
        let check = try run("check")
        #expect(check.code == .no && check.output.contains("month.json was changed or is missing"))
        try FileManager.default.removeItem(atPath: folder.nights.folder.path + "/out/2026-01")
        #expect(try run("check").output.contains("LOOK   files of the closed month 2026-01"))
    }

    /// They are evidence of who changed them, so nothing replaces them unsaid.
    @Test(arguments: ["SHA256SUMS", "month.csv"]) func changedFilesStayUntilTheirLinkIsRemoved(name: String) throws {
        #expect(try run("monthly", "2026-01", "--close", "--by", "li").code == .done)
        let signed = try bytes()
        try folder.nights.folder.write("", to: "out/2026-01/" + name)
        let look = try run("monthly", "2026-01")
        #expect(look.code == .look && look.errors.contains("is not as it was signed: \(name) was changed"), "\(look)")
        #expect(try bytes() != signed)
        try FileManager.default.removeItem(atPath: folder.nights.folder.path + "/out/2026-01")
        #expect(try run("monthly", "2026-01").code == .done)
        #expect(try bytes() == signed && run("check").code == .done)
    }

    /// The ledger is lost: only the published month says that it was closed after the backup.
    @Test func aRestoreWithoutTheLedgerKnowsThePublishedMonths() throws {
        #expect(try run("backup", "before.sqlite").code == .done)
        #expect(try run("monthly", "2026-01", "--close", "--by", "li").code == .done)
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.nights.folder.path + "/ledger.sqlite" + suffix)
        }
        let restored = try run("restore", "before.sqlite", "--by", "wang")
        #expect(restored.code == .done && restored.output.contains("2026-01 was closed after this backup was made"))
    }

    @Test func aRestoreFromBeforeAClosingIsTold() throws {
        #expect(try run("backup", "before.sqlite").code == .done)
        #expect(try run("monthly", "2026-01", "--close", "--by", "li").code == .done)
        let signed = try bytes()
        let restored = try run("restore", "before.sqlite", "--by", "wang")
        #expect(restored.code == .done && restored.output.contains("2026-01 was closed after this backup was made"))
        let check = try run("check")
        #expect(check.code == .no && check.output.contains("their seal is not in this ledger"))
        try folder.deliver("2026-02-01")
        let moment = RunTime(
            businessDate: BusinessDate("2026-02-01")!, asOf: folder.instant("2026-02-02 03:00:00"))
        let night = try folder.nights.night(moment)
        #expect([.done, .look].contains(night.code), "\(night)")
        #expect(night.errors.contains("holds the month as 'li' closed it"))
        // Neither a look nor a closing replaces what was signed.
        for options in [[], ["--close", "--by", "li"]] {
            let look = try folder.nights.run(["monthly", "2026-01"] + options)
            #expect(look.code == .cannotCreate && look.errors.contains("2026-01-signed"))
        }
        #expect(try bytes() == signed)
        let path = folder.nights.folder.path + "/out/2026-01"
        try FileManager.default.moveItem(atPath: path, toPath: path + "-signed")
        #expect(try run("monthly", "2026-01", "--close", "--by", "li").code == .done)
        #expect(try run("check").code == .done)
        #expect(try bytes("2026-01-signed") == signed)
    }

    @Test func aRestoreOfABackupWithTheSealSaysNothing() throws {
        #expect(try run("monthly", "2026-01", "--close", "--by", "li").code == .done)
        #expect(try run("backup", "after.sqlite").code == .done)
        #expect(try !run("restore", "after.sqlite", "--by", "wang").output.contains("closed after"))
        #expect(try run("check").code == .done)
    }
}
