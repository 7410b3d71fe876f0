import Domain
import Foundation
import Testing

@testable import Console
@testable import Reconcile
@testable import Signing

/// The order id in Apple's e-mails: from Apple's answer to an order look-up to the desk's question.
@Suite("The order id of Apple's e-mail")
final class SignedLookupTests {
    private let chain = TestChain()
    private let folder: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/signed-lookup-XXXXXX").utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
        try FileManager.default.createDirectory(atPath: folder + "/inbox", withIntermediateDirectories: false)
        try Data(chain.root.der).write(to: URL(fileURLWithPath: folder + "/root.der"))
        try write(
            """
            { app: { bundleIDs: ["com.example.game"], environment: "Production" }, trustedRoots: ["root.der"],
              maxRejectedShare: 0.9, feeds: [
                { kind: "order-lookups", path: "inbox/lookups-{date}.jsonl" },
                { kind: "transactions", path: "inbox/transactions-{date}.jsonl", trust: "signature" } ] }
            """, "reconcile.json")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    private func signed(_ id: String) -> String {
        TestJWS(payload(["transactionId": "\"\(id)\"", "type": "\"Consumable\""]), chain).text
    }

    private func response(_ order: String, _ status: Int, _ transactions: [String]) -> String {
        let list = transactions.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"order_id":"\#(order)","response":{"status":\#(status),"signedTransactions":[\#(list)]}}"# + "\n"
    }

    private func run(_ arguments: [String]) throws -> (code: ExitCode, output: String) {
        let said = open(folder + "/said", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let null = open("/dev/null", O_WRONLY)
        defer { [said, null].forEach { close($0) } }
        let clock: @Sendable () -> Instant = { Instant(milliseconds: january + 10 * 86_400_000) }
        var log = Log(clock: clock)
        log.descriptor = null
        var context = CommandContext(
            variables: [:], folder: folder, clock: clock, output: Output(descriptor: said), log: log)
        let code = Main.run(arguments + ["--config", folder + "/reconcile.json"], in: &context)
        return (code, try String(contentsOfFile: folder + "/said", encoding: .utf8))
    }

    @Test func findsItsTransactionsForGood() throws {
        try write(signed("2000000000001001") + "\n", "inbox/transactions-2026-01-01.jsonl")
        #expect(try run(["nightly", "--date", "2026-01-01", "--as-of", "2026-01-02T00:00:00Z"]).code == .done)
        try write(
            response("MK5TTTVWJH", 0, [signed("2000000000001001"), signed("2000000000001002")])
                + response("MKUNKNOWN1", 1, []), "inbox/lookups-2026-01-02.jsonl")
        #expect(try run(["nightly", "--date", "2026-01-02", "--as-of", "2026-01-03T00:00:00Z"]).code == .done)
        let found = try run(["lookup", "MK5TTTVWJH"])
        #expect(found.code == .done)
        #expect(found.output.contains("2000000000001001") && found.output.contains("2000000000001002"))
        for typed in ["mk5tttvwjh", "MK5 TTT VWJH", signed("2000000000001001")] {
            let found = try run(["lookup", typed])
            #expect(found.code == .done && found.output.contains("2000000000001001"), "\(typed)")
        }
        #expect(try run(["lookup", signed("2000000000001001")]).output.contains("a record signed by Apple"))
        let near = try run(["lookup", "mk5tttvwjj"])
        #expect(near.code == .no && near.output.contains("MK5TTTVWJH"))
        let denied = try run(["lookup", "MKUNKNOWN1"])
        #expect(denied.code == .no && denied.output.contains("not of this app"))
    }

    /// Mail programs break long lines, quote them, and set blanks into them.
    @Test func aSignedRecordBrokenWithinAMessageIsRead() throws {
        let jws = signed("2000000000001001")
        try write(jws + "\n" + signed("2000000000001002") + "\n", "inbox/transactions-2026-01-01.jsonl")
        #expect(try run(["nightly", "--date", "2026-01-01", "--as-of", "2026-01-02T00:00:00Z"]).code == .done)
        func broken(_ text: String, by sign: String, each length: Int = 60) -> String {
            let signs = Array(text)
            return stride(from: 0, to: signs.count, by: length).map {
                String(signs[$0..<min($0 + length, signs.count)])
            }.joined(separator: sign)
        }
        for sign in ["\n", "\r\n", " ", "\n> ", "\n  "] {
            for length in [60, 300] {
                let text = "log:" + broken(jws, by: sign, each: length) + "\nplease help, nothing arrived"
                let found = try run(["lookup", text])
                #expect(found.code == .done && found.output.contains("a record signed by Apple"), "\(found.output)")
                #expect(found.output.contains("2000000000001001"))
            }
        }
        let first = try run(["lookup", broken(jws, by: "\n") + "\n充了没到，账号 u2001"])
        #expect(first.output.contains("a record signed by Apple") && first.output.contains("u2001"), "\(first.output)")
        let both = broken(jws, by: "\n") + "\n" + broken(signed("2000000000001002"), by: "\n") + "\nboth are missing"
        let two = try run(["lookup", both]).output
        #expect(two.contains("2000000000001001") && two.contains("2000000000001002"), "\(two)")
        // What is not sound as joined is a message.
        let cut = String(jws.prefix(400) + jws.dropFirst(410))
        let altered = try run(["lookup", "log: " + broken(cut, by: "\n") + "\nplease help"])
        #expect(altered.code == .no && !altered.output.contains("signed by Apple"), "\(altered.output)")
    }

    @Test func aNewIdOfAKnownTransactionIsNoDuplicateAndTheSameAgainIs() throws {
        try write(signed("2000000000001001") + "\n", "inbox/transactions-2026-01-01.jsonl")
        let copy = signed("2000000000001001")
        try write(response("MK5TTTVWJH", 0, [copy]), "inbox/lookups-2026-01-01.jsonl")
        #expect(try run(["nightly", "--date", "2026-01-01", "--as-of", "2026-01-02T00:00:00Z"]).code == .done)
        try write(
            response("MK5TTTVWJH", 0, [copy]) + response("MKANOTHER1", 0, [copy]) + response("MKANOTHER1", 0, [copy]),
            "inbox/lookups-2026-01-02.jsonl")
        #expect(try run(["nightly", "--date", "2026-01-02", "--as-of", "2026-01-03T00:00:00Z"]).code == .done)
        let summary = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(fileURLWithPath: folder + "/out/latest/summary.json")))
        let counts = ((summary as? [String: Any])?["conservation"] as? [String: [String: Int]])?["order-lookups"]
        #expect(counts == ["rows": 3, "accepted": 1, "duplicates": 2, "rejected": 0])
    }
}
