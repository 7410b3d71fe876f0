internal import Foundation
internal import Testing

/// The example consumers in examples/, run on a manifest that the program wrote.
@Suite struct RetryConsumerTests {
    private static let python = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
    private static let sql = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

    /// The consumers are disturbed in many ways, also on PostgreSQL if it is installed: the short form of the soak
    /// test.
    @Test(.enabled(if: python && sql)) func noDisturbedConsumerCreditsTwice() throws {
        let trials = "RECONCILE=$R PYTHONDONTWRITEBYTECODE=1 scripts/soak.d/consumers 12 --as-is"
        let ended = try Program.shell(trials, in: Program.repository)
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
        #expect(ended.output.contains(", 0 credited twice, 0 wrong, "))
        // The log says what was left out.
        if ended.output.contains("was not tried") { print(ended.output.prefix { $0 != "\n" }) }
    }

    /// Tables that would allow goods to be given twice, and a manifest without a valid digest.
    @Test(
        .enabled(if: python && sql),
        arguments: [
            ("credit_id TEXT, order_id TEXT, transaction_id TEXT", "", "credits.credit_id is not unique"),
            ("credit_id TEXT PRIMARY KEY, order_id TEXT, transaction_id INTEGER", "", "must be of type TEXT"),
            (
                "credit_id PRIMARY KEY, order_id TEXT, transaction_id TEXT", "sed -i s/acct2/acct9/ *-manifest.jsonl",
                "does not match its line"
            ),
            ("credit_id PRIMARY KEY, order_id TEXT, transaction_id TEXT", "rm SHA256SUMS", "SHA256SUMS"),
        ])
    func aConsumerRefusesWhatItCannotTrust(_ columns: String, _ harm: String, _ message: String) throws {
        let shop = try ShopFolder()
        try shop.sell(1..<4, night: 0)
        try shop.night(0)
        let path = shop.folder.path
        let ended = try Program.shell(
            """
            cp -r out/2025-11-01/. night; M=night/retry-manifest.jsonl
            (cd night; \(harm))
            sqlite3 backend.sqlite "CREATE TABLE credits (\(columns), account_id, product_id, quantity, kind, origin, \
                credited_at); CREATE TABLE revoked (transaction_id TEXT)"
            python3 \(Program.repository)/examples/consumer.py $M backend.sqlite 2025-11-02T06:00:00Z acks.csv >said 2>&1
            echo $? $(sqlite3 backend.sqlite 'SELECT count(*) FROM credits') $(ls acks.csv 2>/dev/null)
            cat said
            """, in: path)
        #expect(ended.output.hasPrefix("1 0\n"), "\(ended.output)\(ended.errors)")
        #expect(ended.output.contains(message) && ended.output.contains("othing was applied"), "\(ended.output)")
    }

    /// Six lost orders. The desk has handled one, one was refunded since, and one was served since by an order of its own.
    @Test(.enabled(if: python && sql)) func theConsumerDoesWhatTheManifestAsks() throws {
        let shop = try ShopFolder()
        try shop.sell(1..<7, night: 0)
        try shop.night(0)
        let path = shop.folder.path
        try shop.folder.write(
            """
            CREATE TABLE credits (credit_id TEXT PRIMARY KEY, order_id TEXT, transaction_id TEXT, account_id, product_id,
                quantity, kind, origin, credited_at);
            CREATE TABLE revoked (transaction_id TEXT);
            INSERT INTO credits VALUES ('D1', 'ORD1', '\(shop.transaction(1))', 'acct1', 'coins', 1, 'credit', 'desk',
                '2025-11-02T05:00:00Z');
            INSERT INTO revoked VALUES ('\(shop.transaction(2))');
            CREATE TABLE paid_order (order_id TEXT, transaction_id TEXT);
            INSERT INTO paid_order VALUES ('NEW6', '\(shop.transaction(6))');
            INSERT INTO credits VALUES ('D6', 'NEW6', NULL, 'acct6', 'coins', 1, 'credit', 'auto', '2025-11-02T05:00:00Z');
            """, to: "backend.sql")
        #expect(try Program.shell("sqlite3 backend.sqlite <backend.sql", in: path).code == 0)
        func consume(at now: String) throws -> [String: String] {
            let consumer = "\(Program.repository)/examples/consumer.py out/2025-11-01/retry-manifest.jsonl"
            let ended = try Program.shell("/usr/bin/python3 \(consumer) backend.sqlite \(now) acks.csv", in: path)
            #expect(ended.code == 0 && ended.errors.isEmpty, "\(ended.errors)")
            let rows = try Program.shell("tail -n +2 acks.csv", in: path).output.split(separator: "\n")
            return Dictionary(rows.map { ($0.prefix(33).description, $0.split(separator: ",")[1].description) }) { $1 }
        }
        let orders = Dictionary(
            uniqueKeysWithValues: shop.exceptions(0).map { ($0["retry_key"] ?? "", $0["order_id"] ?? "") })
        func outcomes(at now: String) throws -> [String] {
            try consume(at: now).map { (orders[$0.key] ?? $0.key) + " " + $0.value }.sorted()
        }
        let refused = ["ORD1", "ORD2", "ORD6"].map { $0 + " precondition_failed" }
        let given = ["ORD3", "ORD4", "ORD5"]
        #expect(try outcomes(at: "2025-11-02T03:59:59Z") == [])
        #expect(try outcomes(at: "2025-11-02T06:00:00Z") == (refused + given.map { $0 + " applied" }).sorted())
        #expect(try outcomes(at: "2025-11-02T07:00:00Z") == (refused + given.map { $0 + " already_applied" }).sorted())
        // Too late: no new answers are given, and earlier answers are repeated.
        #expect(try outcomes(at: "2025-11-03T04:00:00Z") == (refused + given.map { $0 + " already_applied" }).sorted())
        try feedBack(shop)
    }

    /// What the backend exports for the next night: the goods have arrived, and two cases are left to a person.
    private func feedBack(_ shop: ShopFolder) throws {
        let export = """
            sqlite3 -header -csv backend.sqlite 'SELECT * FROM credits' >inbox/credits-2025-11-02.csv
            sqlite3 -header -csv backend.sqlite 'SELECT * FROM retry_answer' >inbox/acks-2025-11-02.csv
            """
        #expect(try Program.shell("set -e; " + export, in: shop.folder.path).code == 0)
        let ended = try shop.night(1)
        #expect(ended.code == 0, "\(ended.errors)")
        let states = shop.exceptions(1).map { "\($0["order_id"]!) \($0["state"]!) \($0["action"]!)" }.sorted()
        #expect(
            states == [
                "ORD1 resolved credit", "ORD2 open investigate", "ORD3 resolved credit", "ORD4 resolved credit",
                "ORD5 resolved credit", "ORD6 open investigate",
            ])
    }
}
