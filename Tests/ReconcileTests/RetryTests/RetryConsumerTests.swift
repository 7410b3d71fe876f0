internal import Foundation
internal import Testing

/// examples/consumer.py and consumer.sql, on a manifest of the program's own.
@Suite struct RetryConsumerTests {
    private static let python = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
    private static let sql = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

    @Test(.enabled(if: python)) func theConsumerInPythonDoesWhatTheManifestAsks() throws {
        try play(
            "/usr/bin/python3 \(Program.repository)/examples/consumer.py MANIFEST backend.sqlite NOW acks.csv")
    }

    @Test(.enabled(if: sql)) func theConsumerInSQLDoesWhatTheManifestAsks() throws {
        try play(
            """
            sqlite3 backend.sqlite <<"END"
            .param set :now "'NOW'"
            .param set :manifest "'MANIFEST'"
            .read \(Program.repository)/examples/consumer.sql
            END
            sqlite3 -header -csv backend.sqlite "SELECT * FROM retry_answer WHERE substr(at, 1, 10) = substr('NOW', 1, 10)" \
            >acks.csv
            """)
    }

    /// Five lost orders: of one the desk knew better, one was refunded since, and one comes too late.
    private func play(_ command: String) throws {
        let shop = try ShopFolder()
        try shop.sell(1..<6, night: 0)
        try shop.night(0)
        let path = shop.folder.path
        try shop.folder.write(
            """
            CREATE TABLE credits (credit_id PRIMARY KEY, order_id, transaction_id, account_id, product_id, quantity, kind,
                origin, credited_at);
            CREATE TABLE revoked (transaction_id);
            INSERT INTO credits VALUES ('D1', 'ORD1', '\(shop.transaction(1))', 'acct1', 'coins', 1, 'credit', 'desk',
                '2025-11-02T05:00:00Z');
            INSERT INTO revoked VALUES ('\(shop.transaction(2))');
            """, to: "backend.sql")
        #expect(try Program.shell("sqlite3 backend.sqlite <backend.sql", in: path).code == 0)
        func consume(at now: String) throws -> [String: String] {
            let line = command.replacing("MANIFEST", with: path + "/out/2025-11-01/retry-manifest.jsonl")
            let ended = try Program.shell("set -e; " + line.replacing("NOW", with: now), in: path)
            #expect(ended.code == 0 && ended.errors.isEmpty, "\(ended.errors)")
            let rows = try Program.shell("tail -n +2 acks.csv", in: path).output.split(separator: "\n")
            return Dictionary(rows.map { ($0.prefix(33).description, $0.split(separator: ",")[1].description) }) { $1 }
        }
        let orders = Dictionary(
            uniqueKeysWithValues: shop.exceptions(0).map { ($0["retry_key"] ?? "", $0["order_id"] ?? "") })
        func outcomes(at now: String) throws -> [String] {
            try consume(at: now).map { (orders[$0.key] ?? $0.key) + " " + $0.value }.sorted()
        }
        let refused = ["ORD1 precondition_failed", "ORD2 precondition_failed"]
        let given = ["ORD3", "ORD4", "ORD5"]
        #expect(try outcomes(at: "2025-11-02T03:59:59Z") == [])
        #expect(try outcomes(at: "2025-11-02T06:00:00Z") == refused + given.map { $0 + " applied" })
        #expect(try outcomes(at: "2025-11-02T07:00:00Z") == refused + given.map { $0 + " already_applied" })
        #expect(try outcomes(at: "2025-11-03T04:00:00Z") == [])
        try feedBack(shop)
    }

    /// What the backend exports, next night: the goods have arrived, and two are a person's.
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
                "ORD5 resolved credit",
            ])
    }
}
