import Foundation
import Testing

@testable import Ledger
@testable internal import Reconcile

/// The shop's own columns from its files to every output. See docs/spec/why.md#labels.
@Suite struct LabelNightTests {
    /// `server` comes from orders and from transactions, `version` from orders.
    private func shop(_ labels: Bool = true) throws -> ShopFolder {
        let shop = try ShopFolder()
        try shop.sell(1..<6, night: 0)
        try shop.credit([2], night: 0)
        if !labels { return shop }
        try configure(shop)
        try relabel(shop, versions: ["3.2.1", "3.2.1", "=1+1", "</script>", ""], night: 0)
        return shop
    }

    private func configure(_ shop: ShopFolder) throws {
        let text = try shop.folder.read("reconcile.json")
        try shop.folder.write(
            text.replacing(
                "orders-{date}.csv\"", with: "orders-{date}.csv\", labels: { version: \"ver\", server: \"zone\" }"
            )
            .replacing("trust: \"backend\"", with: "trust: \"backend\", labels: { server: \"ext.zone\" }"),
            to: "reconcile.json")
    }

    /// Adds the columns to the night's files.
    private func relabel(_ shop: ShopFolder, versions: [String], night: Int, to other: Int? = nil) throws {
        let orders = try shop.folder.read("inbox/orders-\(shop.date(night)).csv").split(separator: "\n")
        let own = orders.map {
            $0.split(separator: ",", omittingEmptySubsequences: false).prefix(9).joined(separator: ",")
        }
        let rows = zip(own.dropFirst(), versions).map { "\($0),\($1),\n" }.joined()
        try shop.folder.write(
            own[0] + ",ver,zone\n" + rows, to: "inbox/orders-\(shop.date(other ?? night)).csv")
        if other != nil { return }
        let path = "inbox/transactions-\(shop.date(night)).jsonl"
        let transactions = try shop.folder.read(path)
        try shop.folder.write(
            transactions.replacing("{\"transactionId", with: #"{"ext":{"zone":7},"transactionId"#), to: path)
    }

    private func value(_ sql: String, _ shop: ShopFolder) throws -> String? {
        var row = try Ledger.reading(path: shop.folder.path + "/ledger.sqlite").connection.prepare(sql)
        return try row.step() ? row.text(0) : nil
    }

    @Test func aLabelGoesFromTheFeedsToEveryOutput() throws {
        let shop = try shop()
        let ended = try shop.night(0)
        #expect(ended.code == 0, "\(ended.errors)")
        let rows = shop.exceptions(0)
        #expect(rows.map { $0["label_version"] }.sorted { $0! < $1! } == ["", "'=1+1", "3.2.1", "</script>"])
        #expect(rows.allSatisfy { $0["label_server"] == "7" })
        #expect(
            try value("SELECT count(*) FROM v_order WHERE json_extract(labels, '$.version') = '3.2.1'", shop) == "2")
        #expect(
            try value("SELECT group_concat(DISTINCT labels) FROM v_transaction", shop) == #"{"server":"7"}"#)
        #expect(
            try value("SELECT labels FROM v_exception_open WHERE subject = '\(shop.transaction(1))'", shop)
                == #"{"server":"7","version":"3.2.1"}"#)
        let json = try shop.run(["lookup", "--json", "ORD4"]).output
        #expect(json.filter { !$0.isWhitespace }.contains(#""labels":{"server":"7","version":"</script>"}"#), "\(json)")
        let text = try shop.run(["lookup", "ORD2"]).output
        #expect(text.contains("Label version") && text.contains("3.2.1"))
        let month = try shop.run(["monthly", "2025-11", "--as-of", "2025-12-02T00:00:00Z"])
        #expect(month.code == 3 || month.code == 0, "\(month.errors)")
        let purchases = try Program.shell(
            "zcat out/2025-11/month-purchases.csv.gz | cut -d, -f14,19- | sort -u", in: shop.folder.path)
        #expect(
            purchases.output.split(separator: "\n").sorted()
                == [
                    "ORD1,7,3.2.1", "ORD2,7,3.2.1", "ORD3,7,'=1+1", "ORD4,7,</script>", "ORD5,7,",
                    "order_id,label_server,label_version",
                ].sorted(), "\(purchases.output)")
        #expect(try shop.run(["check"]).output.contains("WRONG") == false)
    }

    /// The rest of all files is the same without labels.
    @Test func labelsChangeNothingElse() throws {
        let (one, other) = (try shop(false), try shop())
        try one.night(0)
        try other.night(0)
        let strip = { (text: String) in
            text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).prefix(28) }
        }
        #expect(
            strip(try #require(one.report("exceptions.csv", 0)))
                == strip(try #require(other.report("exceptions.csv", 0))))
        for name in ["retry-manifest.jsonl", "held.jsonl", "dead-letter.jsonl", "rejected.jsonl"] {
            let lines = { (shop: ShopFolder) in
                // The digests of the files that were read differ.
                (shop.report(name, 0) ?? "").replacing(/"(digest|sha256)":"[0-9a-f]*"/, with: "")
            }
            #expect(lines(one) == lines(other), "\(name)")
        }
    }

    @Test func theLaterLabelCountsAndTheRowIsADuplicate() throws {
        let shop = try shop()
        try shop.night(0)
        try relabel(shop, versions: ["4.0", "", "4.0", "4.0", "4.0"], night: 0, to: 1)
        try shop.sell(6..<7, night: 2)
        let ended = try shop.night(1)
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(
            try value(
                "SELECT accepted || ' ' || duplicates FROM delivery WHERE name LIKE '%orders-\(shop.date(1))%'", shop)
                == "0 5")
        #expect(Set(shop.exceptions(1).map { $0["label_version"] }) == ["4.0"])
        #expect(shop.exceptions(1).allSatisfy { $0["state"] == "open" && $0["label_server"] == "7" })
        #expect(
            try value("SELECT group_concat(json_extract(labels, '$.version'), ' ') FROM v_order", shop)
                == "4.0 3.2.1 4.0 4.0 4.0")
        // The same night again is rendered from the ledger, to the same bytes.
        let files = try shop.files(1)
        try shop.night(1)
        #expect(try shop.files(1) == files)
        #expect(try shop.run(["check"]).output.contains("WRONG") == false)
    }

    @Test func longAndMissingValuesAreTold() throws {
        let shop = try shop()
        try relabel(shop, versions: [String(repeating: "x", count: 1 << 20), "b", "c", "d", "e"], night: 0)
        let text = try shop.folder.read("reconcile.json").replacing("server: \"zone\"", with: "server: \"zonne\"")
        try shop.folder.write(text, to: "reconcile.json")
        let ended = try shop.run(["nightly", "--date", shop.date(0), "--as-of", shop.date(1) + "T04:00:00Z"])
        let file = "inbox/orders-\(shop.date(0)).csv"
        #expect(
            ended.errors.contains("\(file): 1 value of a label is too long and was cut after 64 bytes\n"),
            "\(ended.errors)")
        #expect(ended.errors.contains("\(file): no row has a value of the label server\n"))
    }

    @Test func aWaiverStandsWhenALabelChanges() throws {
        let shop = try shop()
        try shop.night(0)
        let id = try #require(shop.exceptions(0).first { $0["order_id"] == "ORD1" }?["exception_id"])
        let ended = try shop.run(["waive", id, "--by", "Li", "--note", "ok", "--as-of", shop.date(1) + "T09:00:00Z"])
        #expect(ended.code == 0)
        try relabel(shop, versions: ["4.0", "4.0", "4.0", "4.0", "4.0"], night: 0, to: 1)
        try shop.night(1)
        #expect(shop.exceptions(1).first { $0["exception_id"] == id }?["state"] == "waived")
        try shop.night(2)
        #expect(shop.exceptions(2).allSatisfy { $0["exception_id"] != id })
    }

    @Test func pruneForgetsLabelsEverywhere() throws {
        let shop = try shop()
        try shop.night(0)
        try shop.sell(6..<8, night: 1)
        try relabel(shop, versions: ["9.9.9", "9.9.9"], night: 1)
        try shop.night(1)
        let places = { (secret: String) in
            try Program.shell(
                "grep -rlaF -e '\(secret)' --exclude-dir=inbox . | sort; for d in out/2*; do unzip -p $d/reconciliation.xlsx | grep -aqF '\(secret)' && echo $d; done; true",
                in: shop.folder.path
            ).output.split(separator: "\n").filter { !$0.hasSuffix("/said") && !$0.hasSuffix("/complained") }
        }
        #expect(try places("3.2.1").count > 4)
        let before = try Ledger.reading(path: shop.folder.path + "/ledger.sqlite").storedVerdicts(
            ofCases: 0..<0x40_0000_0000)
        let clock: @Sendable () -> Instant = { Instant(strict: "2025-11-03T05:00:00Z")! }
        let dry = try shop.run(["prune", "--older-than", "1", "--dry-run"], clock: clock)
        #expect(dry.output.contains("0 device ids, the labels of 9 rows.\n"), "\(dry.output)\(dry.errors)")
        #expect(dry.output.contains("rewritten: 2025-11-01, 2025-11-02."))
        let done = try shop.run(["prune", "--older-than", "1"], clock: clock)
        #expect(done.output.contains("the labels of 9 rows. The reports of 2 nights were rewritten."), "\(done.output)")
        #expect(try places("3.2.1") == [])
        #expect(try places("9.9.9").count > 2)
        #expect(
            try Ledger.reading(path: shop.folder.path + "/ledger.sqlite").storedVerdicts(ofCases: 0..<0x40_0000_0000)
                == before)
        let check = try shop.run(["check"], clock: clock)
        #expect(!check.output.contains("WRONG"), "\(check.output)")
        try shop.night(2)
        #expect(Set(shop.exceptions(2).map { $0["label_version"] }) == ["", "9.9.9"])
        #expect(try !shop.run(["check"], clock: clock).output.contains("WRONG"))
    }
}
