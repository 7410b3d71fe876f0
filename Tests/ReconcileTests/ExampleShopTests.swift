import Foundation
import Testing

@testable internal import Reconcile

/// The exports in examples/shop, read as they are; and what `check` and a dry run say about exports.
@Suite struct ExampleShopTests {
    private let folder = TestFolder()
    private var exports: String { folder.path + "/shop/exports/2026-11-19/" }

    init() throws {
        try FileManager.default.copyItem(
            atPath: Program.repository + "/examples/shop", toPath: folder.path + "/shop")
    }

    private func run(_ command: String) throws -> Ended {
        try Program.shell("$R \(command) --config shop/reconcile.json", in: folder.path)
    }

    private static let night = "nightly --date 2026-11-19 --as-of 2026-11-19T22:00:00Z"

    /// Replaces text in a file of the shop, which need not be UTF-8.
    private func edit(_ name: String, _ old: String, _ new: String) throws {
        let url = URL(fileURLWithPath: folder.path + "/shop/" + name)
        var bytes = try Data(contentsOf: url)
        let range = try #require(bytes.range(of: Data(old.utf8)), "\(old)")
        bytes.replaceSubrange(range, with: Data(new.utf8))
        try bytes.write(to: url)
    }

    @Test func everyExportBecomesEvidence() throws {
        let ended = try run(Self.night)
        #expect(ended.code == 0, "\(ended.errors)")
        let rows = ended.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        for line in [
            "credits 5 5 0 0", "orders 4 4 0 0", "product list 2 2 0 0", "receipts 3 3 0 0",
            "Apple transactions 3 3 0 0",
        ] {
            #expect(rows.contains(line), "\(line)")
        }
        #expect(ended.output.contains("Nothing new; all required feeds arrived"))
        // The desk gave what the server did not; the refund of the web order was taken back by hand.
        for (id, verdict) in [("90001003", "matched"), ("W90001002", "closed"), ("90001005", "matched")] {
            let found = try run("lookup \(id) --json")
            #expect(
                found.output.contains("\"verdict\":\"\(verdict)\"")
                    || found.output.contains("\"verdict\": \"\(verdict)\""), "\(id)")
        }
    }

    /// Apple signed it in the one receipt whose data the shop kept.
    @Test func theAppsVersionIsKnownFromAReceipt() throws {
        _ = try run(Self.night)
        let ended = try run("why --group-by app_version --since 2025-11-01 --json")
        #expect(ended.output.contains(#""value": "1.0""#), "\(ended.output)")
        #expect(try run("lookup 90001003").output.contains(/App version +1\.0/))
    }

    @Test func rowsThatAreLeftOutCountForTheSendersTotals() throws {
        let totals = URL(fileURLWithPath: exports + "pay_order_20261119.csv.totals")
        for (rows, amounts, code) in [(4, "1.00", Int32(0)), (3, "42.00", 65)] {
            try Data(#"{"rows": \#(rows), "amounts": {"CNY": "\#(amounts)"}}"#.utf8).write(to: totals)
            #expect(try run(Self.night + " --dry-run").code == code)
        }
    }

    /// The web shop's numbers are those of the first table.
    @Test func checkNamesIdsThatTwoFeedsUseForDifferentPurchases() throws {
        try edit("reconcile.json", "from: \"order.no\", prefix: \"W\"", "from: \"order.no\"")
        let output = try run("check").output
        #expect(output.contains("LOOK   feed exports/{date}/weborders-{date}.jsonl: 1 of the ids"), "\(output)")
        #expect(
            output.contains(
                "other purchases in exports/{date}/pay_order_{date:yyyyMMdd}.csv. Give the ids of one feed a prefix"))
    }

    @Test func checkShowsWhatItUnderstood() throws {
        let ended = try run("check")
        #expect(ended.code == 0 && !ended.output.contains("LOOK") && !ended.output.contains("WRONG"), "\(ended.output)")
        let shown = [
            "pay_order_20261119.csv: 3 rows understood, 1 left out; the first: order_id=90001002 account_id=700002",
            "amount=30.00 CNY status=credited", "created_at=2026-11-19T01:03+08:00", "order_id=W90001002",
            "origin=desk",
            "credited_at=2026-11-19T09:55+08:00", "price=30.00 CNY", "proof=verified", "proof=vouched",
            "type=consumable name=60 金币 amount=6.00 CNY", "ignored columns 操作人",
        ]
        for text in shown { #expect(ended.output.contains(text), "\(text)") }
        #expect(!ended.output.contains("5BB73AA4"), "a device id is shown")
        let object = try JSONSerialization.jsonObject(with: Data(try run("check --json").output.utf8)) as? [String: Any]
        let checks = try #require(object?["checks"] as? [[String: Any]])
        #expect(checks.count == ended.output.split(separator: "\n").count)
    }

    /// A change of the exports or the configuration, and what `check` says of it.
    /// As an export in a wrong time zone has it.
    private static let inTwelveHours = Instant(milliseconds: Int64(Date.now.timeIntervalSince1970 + 43_200) * 1000).text

    private static let changes: [(file: String, old: String, new: String, code: Int32, message: String)] = [
        (
            "reconcile.json", "com.example.stargarden", "com.example.other", 0,
            "transactions are of com.example.stargarden, which app.bundleIDs does not list"
        ),
        ("reconcile.json", "trustedRoots: [\"test-roots.pem\"],", "", 0, "do not lead to a trusted root"),
        (
            "reconcile.json", "com.example.stargarden", "com.example.game", 0,
            "LOOK   app.bundleIDs: com.example.game is the example"
        ),
        ("reconcile.json", "encoding: \"gbk\",", "", 1, "would be refused: its header is not UTF-8"),
        ("reconcile.json", "encoding: \"utf-16\",", "", 1, "would be refused: it is UTF-16"),
        (
            "reconcile.json", "order_id: \"id\"", "order_id: \"no\"", 1,
            "its header has no column no; columns maps order_id to it"
        ),
        ("exports/2026-11-19/pay_order_20261119.csv", "currency", "waehrung", 0, "3 amounts have no currency"),
        (
            "exports/2026-11-19/pay_order_20261119.csv", "2000000950000826", "2.00000095E+15", 0,
            "1 of the first rows has faults. line 2: transaction_id:"
        ),
        (
            "exports/2026-11-19/pay_order_20261119.csv", "2026-11-19 10:10:00", "2199-11-19 10:10:00", 0,
            "created_at: 2199-11-19T02:10:00Z is in the future; write when it happened"
        ),
        (
            "exports/2026-11-19/pay_order_20261119.csv", "2026-11-19 10:10:00", inTwelveHours, 0,
            "later than the file was written, created_at by up to"
        ),
        ("exports/2026-11-19/pay_order_20261119.csv", "2026-11-19 01:36:00", "46345", 0, "before the App Store opened"),
    ]

    @Test(arguments: changes.indices)
    func checkNamesWhatIsSuspicious(_ number: Int) throws {
        let change = Self.changes[number]
        try edit(change.file, change.old, change.new)
        let ended = try run("check")
        #expect(ended.code == change.code && ended.output.contains(change.message), "\(ended.output)")
    }

    @Test func aNightNamesEveryRefusal() throws {
        try edit("exports/2026-11-19/pay_order_20261119.csv", "user_id", "player")
        try edit("exports/2026-11-19/weborders-2026-11-19.jsonl", "\"no\"", "\"nr\"")
        try edit("reconcile.json", "encoding: \"gbk\",", "")
        for option in ["", " --dry-run"] {
            let ended = try run(Self.night + option)
            #expect(ended.code == 65)
            for text in [
                "no column user_id", "补单-2026-11-19.csv is refused",
                "error: 2 files of required feeds refused: exports/2026-11-19/pay_order_20261119.csv (",
                "), exports/2026-11-19/weborders-2026-11-19.jsonl (",
                "). Nothing was changed. Deliver the files again and run again.",
            ] {
                #expect(ended.errors.contains(text), "\(text): \(ended.errors)")
            }
        }
    }
}
