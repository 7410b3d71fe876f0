import Domain
import Foundation
import Testing

@testable import Console
@testable import Ledger
@testable internal import Reconcile

/// Secrets of the sample, which no log, report or pruned ledger may contain.
private let device = "DEVICE-5A1F77C0"
private let receiptData = "TUlJU0VDUkVUUkVDRUlQVA=="
private let rawRow = "badrow-SECRETNAME"

/// `prune` deletes raw and personal data, and keeps verdicts.
@Suite struct PruneTests {
    private let folder = TestFolder()

    init() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/inbox", withIntermediateDirectories: false)
        try folder.write(
            """
            { app: { bundleIDs: ["com.example.game"] }, timeZone: "UTC", maxRejectedShare: 0.9, feeds: [
                { kind: "orders", path: "inbox/orders-{date}.csv" },
                { kind: "receipts", path: "inbox/receipts-{date}*.csv" } ] }
            """, to: "reconcile.json")
        for (number, date) in ["2025-11-01", "2025-11-02"].enumerated() {
            try folder.write(
                """
                order_id,account_id,product_id,status,created_at
                ORD\(number),acct,coins,paid,\(date)T10:00:00Z
                \(rawRow),acct,coins,paid,yesterday

                """, to: "inbox/orders-\(date).csv")
            try folder.write(receipts(number, date), to: "inbox/receipts-\(date).csv")
            #expect(try night(date).code == 0)
        }
    }

    private func receipts(_ number: Int, _ date: String) -> String {
        """
        receipt_id,received_at,account_id,transaction_id,receipt_data,device_id
        RC\(number),\(date)T11:00:00Z,acct,200000000000000\(number),\(receiptData),\(device)-\(number)
        bad,never,acct,200000000000000\(number),\(receiptData),\(device)-\(number)

        """
    }

    private func run(_ words: [String], clock: String = "2025-11-03T05:00:00Z") throws -> Ended {
        let descriptors = ["said", "complained"].map {
            open(folder.path + "/" + $0, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        defer { for descriptor in descriptors { close(descriptor) } }
        var context = CommandContext.process()
        let now = Instant(strict: clock)!
        context.clock = { now }
        context.folder = folder.path
        context.output = Output(descriptor: descriptors[0])
        context.log.descriptor = descriptors[1]
        let code = Main.run(words + ["--config", "reconcile.json"], in: &context)
        return Ended(code: code.rawValue, output: try folder.read("said"), errors: try folder.read("complained"))
    }

    private func night(_ date: String) throws -> Ended {
        try run(["nightly", "--verbose", "--date", date, "--as-of", date + "T23:59:59Z"])
    }

    /// The files outside the inbox that contain the text.
    private func places(of secret: String) throws -> [String] {
        let ended = try Program.shell("grep -rlaF -e '\(secret)' --exclude-dir=inbox . | sort", in: folder.path)
        return ended.output.split(separator: "\n").map(String.init)
    }

    @Test func devicesAndReceiptsAreInNoLogAndNoReport() throws {
        #expect(try places(of: device).allSatisfy { $0.hasPrefix("./ledger.sqlite") })
        #expect(try !places(of: device).isEmpty)
        #expect(try places(of: receiptData).isEmpty)
        let ended = try Program.shell(
            "cd out/latest && unzip -p reconciliation.xlsx | grep -ac -e '\(device)' -e '\(receiptData)'",
            in: folder.path)
        #expect(ended.output == "0\n")
    }

    @Test func whatIsOldIsForgottenEverywhereAndVerdictsStay() throws {
        let before = try Ledger.reading(path: folder.path + "/ledger.sqlite").storedVerdicts(
            ofCases: 0..<0x40_0000_0000)
        #expect(try places(of: rawRow).contains("./out/.nights/2025-11-01-1/rejected.jsonl"))
        let ended = try run(["prune", "--older-than", "1"])
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(
            ended.output.contains(
                "before 2025-11-02: the text of 2 rejected rows, 1 device id. The reports of 1 night"))
        #expect(try places(of: device + "-0").isEmpty)
        #expect(try !places(of: device + "-1").isEmpty)
        #expect(try places(of: rawRow).allSatisfy { !$0.contains("2025-11-01") })
        #expect(try folder.read("out/2025-11-01/rejected.jsonl").contains("orders-2025-11-01.csv"))
        #expect(
            try Ledger.reading(path: folder.path + "/ledger.sqlite").storedVerdicts(ofCases: 0..<0x40_0000_0000)
                == before)
        let check = try run(["check"])
        #expect(check.code == 0, "\(check.output)")
        #expect(try Program.shell("cd out/2025-11-01 && sha256sum -c SHA256SUMS", in: folder.path).code == 0)
    }

    @Test func aDryRunSaysWhatWouldGoAndChangesNothing() throws {
        func state() throws -> String {
            try Program.shell(
                "sha256sum ledger.sqlite; find . -printf '%p %T@ %i\n' | grep -v -e '-shm' -e said -e complained | sort",
                in: folder.path
            ).output
        }
        let before = try state()
        let ended = try run(["prune", "--older-than", "1", "--dry-run"])
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(
            ended.output.contains("before 2025-11-02: the text of 2 rejected rows, 1 device id.\n"), "\(ended.output)")
        #expect(ended.output.contains("rewritten: 2025-11-01.\nNothing was changed."))
        #expect(try state() == before)
        let done = try run(["prune", "--older-than", "1"])
        #expect(
            done.output.contains(
                "before 2025-11-02: the text of 2 rejected rows, 1 device id. The reports of 1 night"))
        let again = try run(["prune", "--older-than", "1", "--dry-run"])
        #expect(again.output.contains("0 rejected rows, 0 device ids.\nReports to be rewritten: none."))
    }

    /// If it is killed between its commit and the last link, the rows remain in a folder to which no link points.
    @Test func whatAnInterruptedPruneLeftIsSweptByTheNext() throws {
        let left = folder.path + "/out/.nights/2025-11-01-9"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
        try folder.write(rawRow, to: "out/.nights/2025-11-01-9/rejected.jsonl")
        #expect(try run(["prune", "--older-than", "0"]).code == 0)
        #expect(try places(of: rawRow).isEmpty && !FileManager.default.fileExists(atPath: left))
        #expect(try run(["check"]).code == 0)
    }

    @Test func aPrunedNightKeepsItsMetrics() throws {
        let before = try folder.read("out/2025-11-01/metrics.prom")
        #expect(try run(["prune", "--older-than", "1"]).code == 0)
        #expect(try folder.read("out/2025-11-01/metrics.prom") == before)
    }

    @Test func everythingForgottenLeavesNothingInTheFile() throws {
        // Remains of earlier versions of rows, where SQLite does not overwrite freed space.
        try Connection(path: folder.path + "/ledger.sqlite", mode: .readWrite).execute(
            "PRAGMA secure_delete = OFF; CREATE TABLE x AS SELECT * FROM packed_receipt; DROP TABLE x")
        #expect(try run(["prune", "--older-than", "0"]).code == 0)
        for secret in [device, rawRow, receiptData] { #expect(try places(of: secret).isEmpty, "\(secret)") }
    }

    @Test func pruningAgainFindsNothingMore() throws {
        _ = try run(["prune", "--older-than", "0"])
        let folders = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/out/.nights").sorted()
        let again = try run(["prune", "--older-than", "0"])
        #expect(again.output.contains("0 rejected rows, 0 device ids.\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/out/.nights").sorted() == folders)
    }

    @Test func aRowDeliveredAgainAfterItsDeviceIsForgottenIsStillADuplicate() throws {
        _ = try run(["prune", "--older-than", "0"])
        try folder.write(receipts(0, "2025-11-01") + "\n", to: "inbox/receipts-2025-11-03.csv")
        #expect(try run(["nightly", "--date", "2025-11-03", "--as-of", "2025-11-04T00:00:00Z"]).code == 0)
        let summary = try folder.read("out/2025-11-03/summary.json")
        #expect(summary.contains("\"duplicates\": 1"))
        #expect(try !folder.read("out/2025-11-03/exceptions.csv").contains("conflict"))
    }

    @Test(arguments: [["prune"], ["prune", "--older-than", "-1"], ["prune", "--older-than", "a year"]])
    func withoutANumberOfDaysNothingIsForgotten(_ words: [String]) throws {
        #expect(try run(words).code == 64)
    }

    @Test func whileANightRunsNothingIsForgotten() throws {
        let lock = try RunLock(of: folder.path + "/ledger.sqlite", now: noon(0))
        #expect(try run(["prune", "--older-than", "0"]).code == 75)
        withExtendedLifetime(lock) {}
        #expect(try !places(of: device).isEmpty)
    }

    /// The last night's reports stay; those that were removed can be rendered again.
    @Test func reportsOfOldNightsAreRemovedAndCanBeRenderedAgain() throws {
        func shown() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/out").filter { $0 != ".nights" }
                .sorted()
        }
        let old = try folder.read("out/2025-11-01/SHA256SUMS")
        let dry = try run(["prune", "--reports", "--older-than", "0", "--dry-run"])
        #expect(
            dry.output.contains("the reports of 1 night: 2025-11-01 to 2025-11-01.\nNothing was changed."), "\(dry)")
        #expect(try shown() == ["2025-11-01", "2025-11-02", "latest"])
        #expect(try run(["prune", "--reports", "--older-than", "0"]).code == 0)
        #expect(try shown() == ["2025-11-02", "latest"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/out/.nights").count == 1)
        #expect(try run(["check"]).code == 0)
        _ = try night("2025-11-01")
        #expect(try folder.read("out/2025-11-01/SHA256SUMS") == old)
    }
}
