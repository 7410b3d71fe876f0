import Domain
import Foundation
import Glibc
import Testing

@testable import Console
@testable import Reconcile
@testable import Signing

/// Real nights of a feed with `trust: "signature"`: only what Apple's signature proves counts as paid.
@Suite("A night of signed transactions")
struct SignedNightTests {
    private let chain = TestChain()
    private let receiptRoot = ReceiptChain.good.root

    /// A folder whose night of 2026-01-01 has these lines.
    private func folder(_ transactions: [String], credits: [String] = [], receipts: [String] = []) throws -> String {
        var template = Array((NSTemporaryDirectory() + "/signed-night-XXXXXX").utf8CString)
        let folder = String(cString: try #require(mkdtemp(&template)))
        try FileManager.default.createDirectory(atPath: folder + "/inbox", withIntermediateDirectories: false)
        try Data(chain.root.der).write(to: URL(fileURLWithPath: folder + "/root.der"))
        try Data(receiptRoot.der).write(to: URL(fileURLWithPath: folder + "/receipts.der"))
        try write(Self.configuration, to: folder + "/reconcile.json")
        // A file with an empty line has no rows.
        try write(
            transactions.map { $0 + "\n" }.joined() + (transactions.isEmpty ? "\n" : ""),
            to: folder + "/inbox/transactions-2026-01-01.jsonl")
        let creditHeader = "credit_id,transaction_id,account_id,credited_at\n"
        try write(creditHeader + credits.joined(separator: "\n"), to: folder + "/inbox/credits-2026-01-01.csv")
        let receiptHeader = "receipt_id,transaction_id,account_id,received_at,verify_status,receipt_data\n"
        try write(receiptHeader + receipts.joined(separator: "\n"), to: folder + "/inbox/receipts-2026-01-01.csv")
        return folder
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private static let configuration = """
        { app: { bundleIDs: ["com.example.game"], environment: "Production" }, maxRejectedShare: 0.9,
          trustedRoots: ["root.der", "receipts.der"],
          feeds: [
            { kind: "transactions", path: "inbox/transactions-{date}.jsonl", trust: "signature", required: true },
            { kind: "credits", path: "inbox/credits-{date}.csv" },
            { kind: "receipts", path: "inbox/receipts-{date}.csv" } ] }
        """

    /// Runs the night and returns its exceptions: `transaction verdict/cause flags action`.
    private func night(
        _ folder: String, _ date: String = "2026-01-01", endingWith expected: ExitCode = .done
    ) throws -> [String] {
        let null = open("/dev/null", O_WRONLY)
        defer { close(null) }
        let clock: @Sendable () -> Instant = { Instant(milliseconds: january + 10 * 86_400_000) }
        var log = Log(clock: clock)
        log.descriptor = null
        var context = CommandContext(
            variables: [:], folder: folder, clock: clock, output: Output(descriptor: null, name: "nowhere"), log: log)
        let code = Main.run(
            [
                "nightly", "--config", folder + "/reconcile.json", "--date", date, "--as-of", "2026-01-10T00:00:00Z",
            ], in: &context)
        #expect(code == expected)
        if code != .done { return [] }
        let csv = try String(contentsOfFile: folder + "/out/latest/exceptions.csv", encoding: .utf8)
        let rows = csv.split(separator: "\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        return rows.map { "\($0[11]) \($0[2])/\($0[3]) \($0[22]) \($0[24])" }.sorted()
    }

    private func signed(_ id: String, _ fields: [String: String] = [:], by signer: TestChain? = nil) -> String {
        let all = fields.merging(["transactionId": "\"\(id)\"", "type": "\"Consumable\""]) { mine, _ in mine }
        return TestJWS(payload(all), signer ?? chain).text
    }

    @Test func onlyWhatVerifiesIsPaid() throws {
        let foreign = signed("1004", ["bundleId": "\"com.example.other\""])
        let spoilt = signed("1003").split(separator: ".").map(String.init)
        let other = signed("1009").split(separator: ".").map(String.init)
        let folder = try folder(
            [
                signed("1001"), signed("1002", by: TestChain()),
                [spoilt[0], spoilt[1], other[2]].joined(separator: "."),
                foreign, payload(["transactionId": "\"1005\""]),
            ],
            credits: ["CR1,1001,a,2026-01-01T00:00:00Z", "CR2,1002,b,2026-01-01T00:00:00Z"])
        #expect(
            try night(folder) == [
                "1001 order_missing/  investigate", "1002 invalid_transaction/untrusted_chain  escalate",
                "1003 invalid_transaction/bad_signature  escalate", "1004 invalid_transaction/wrong_bundle  escalate",
            ])
        let rejected = try String(contentsOfFile: folder + "/out/latest/rejected.jsonl", encoding: .utf8)
        #expect(rejected.split(separator: "\n").count == 1 && rejected.contains("1005"))
        try FileManager.default.removeItem(atPath: folder)
    }

    /// A root that is not trusted must not make every customer a suspect.
    @Test(arguments: [(0, 20, ExitCode.inputRefused), (1, 20, .done), (0, 19, .done)])
    func aFileInWhichAppleSignedNothingIsRefused(own: Int, foreign: Int, code: ExitCode) throws {
        let stranger = TestChain()
        let records = (0..<own + foreign).map { signed(String(1001 + $0), by: $0 < own ? chain : stranger) }
        let folder = try folder(records)
        _ = try night(folder, endingWith: code)
        #expect(FileManager.default.fileExists(atPath: folder + "/out/latest") == (code == .done))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func theNewestSignedDateCountsAndAReversedRefundTakesTheGoodsBack() throws {
        let hour: Int64 = 3_600_000
        let refund = ["revocationDate": "\(january + hour)", "revocationType": "\"REFUND_FULL\""]
        let versions = [
            signed("1001", ["signedDate": "\(january + 3 * hour)"]),
            signed("1001", refund.merging(["signedDate": "\(january + 2 * hour)"]) { $1 }), signed("1001"),
        ]
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            let folder = try folder(order.map { versions[$0] }, credits: ["CR1,1001,a,2026-01-01T00:00:00Z"])
            #expect(try night(folder) == ["1001 order_missing/  investigate"])
            try FileManager.default.removeItem(atPath: folder)
        }
    }

    /// The app uploads what Apple signed, and the shop's own feed from Apple lacks the refund.
    @Test(arguments: [(january + 86_400_000, true), (january - 86_400_000, false)])
    func aRefundThatOnlyAReceiptShowsKeepsAMachineFromGivingGoods(signedAt: Int64, isTold: Bool) throws {
        let refunded = signed("1001", ["signedDate": "\(signedAt)", "revocationDate": "\(signedAt)"])
        let folder = try folder([signed("1001")], receipts: ["R1,1001,a,2026-01-01T00:00:00Z,0,\(refunded)"])
        #expect(
            try night(folder) == [
                "1001 paid_not_credited/no_order \(isTold ? "refund_reported investigate" : " credit")"
            ])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func aForgedCopyNeverDisplacesAProvenOne() throws {
        let late = signed(
            "1001", ["signedDate": "\(january + 86_400_000)", "price": "10", "currency": "\"CNY\""], by: TestChain())
        let folder = try folder([signed("1001"), late], credits: ["CR1,1001,a,2026-01-01T00:00:00Z"])
        #expect(try night(folder) == ["1001 order_missing/ forged_copy investigate"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func aGenuineReceiptIsAProofAndAForgedOneIsNone() throws {
        let genuine = base64(TestContainer(TestReceipt().content).der)
        let stranger = base64(TestContainer(TestReceipt(bundle: "com.example.other").content).der)
        let folder = try folder(
            [],
            receipts: [
                "R1,1001,a,2026-01-01T00:00:00Z,21005,\(genuine)", "R2,1003,b,2026-01-01T00:00:00Z,0,\(genuine)",
                "R3,1002,c,2026-01-01T00:00:00Z,0,\(stranger)",
            ])
        let found = try night(folder)
        #expect(found.contains("1001 paid_not_credited/receipt_unverified receipt_proof fetch_transaction"), "\(found)")
        #expect(!found.contains { $0.hasPrefix("1002 paid") || $0.hasPrefix("1003 paid") }, "\(found)")
        #expect(found.count == 3)
        try FileManager.default.removeItem(atPath: folder)
    }

    /// The client may leave the column empty, name another transaction, or spoil the row.
    @Test func genuineDataClaimsItsTransactionWhateverTheRowSays() throws {
        for named in ["", "7"] {
            let folder = try folder(
                [signed("1001")], receipts: ["R1,\(named),a,2026-01-01T00:00:00Z,21005,\(signed("1001"))"])
            let found = try night(folder)
            #expect(found == ["1001 paid_not_credited/receipt_unverified  attribute"], "\(named): \(found)")
            try FileManager.default.removeItem(atPath: folder)
        }
        let period = signed("1001", ["originalTransactionId": "\"1000\"", "type": "\"Auto-Renewable Subscription\""])
        let folder = try folder([period], receipts: ["R1,,a,never,0,\(period)"])
        _ = try night(folder)
        let rejected = try String(contentsOfFile: folder + "/out/latest/rejected.jsonl", encoding: .utf8)
        #expect(rejected.contains("R1,,a,never,0,(withheld),a,1001,1000"), "\(rejected)")
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Account b has goods without a payment. Its row names account a's transaction 1001, but the data is of its own 1002.
    @Test(arguments: [("1001", "investigate"), ("7", "credit")])
    func aRowThatNamesAnotherTransactionThanItsDataClaimsBoth(named: String, action: String) throws {
        let folder = try folder(
            [signed("1001"), signed("1002")],
            credits: ["CR2,1002,b,2026-01-01T00:00:00Z", "CR9,9999,b,2026-01-01T00:00:00Z"],
            receipts: [
                "R1,1001,a,2026-01-01T00:00:00Z,0,", "R2,\(named),b,2026-01-01T00:00:00Z,0,\(signed("1002"))",
            ])
        let found = try night(folder)
        #expect(found.contains { $0.hasPrefix("1001 paid_not_credited") && $0.hasSuffix(" " + action) }, "\(found)")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func aSignatureIsCheckedOnce() throws {
        let line = signed("1001")
        let folder = try folder([line])
        #expect(try night(folder) == ["1001 paid_not_credited/no_order  attribute"])
        // Its root is no longer trusted. What was verified stays verified, because only bundle and content are checked
        // again.
        try write(Self.configuration.replacing("\"root.der\", ", with: ""), to: folder + "/reconcile.json")
        try write(line + "\n\n", to: folder + "/inbox/transactions-2026-01-02.jsonl")
        #expect(try night(folder, "2026-01-02") == ["1001 paid_not_credited/no_order  attribute"])
        try FileManager.default.removeItem(atPath: folder)
    }
}
