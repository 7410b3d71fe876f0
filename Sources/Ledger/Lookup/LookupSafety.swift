public import Domain
public import Engine
internal import SQLite

extension Ledger {
    public func rejectedRows(since date: BusinessDate) throws -> [RejectedRow] {
        var delivery = try connection.prepare(
            """
            SELECT run, kind, file_date, name, rejected FROM delivery
            WHERE kind IN ('orders', 'credits', 'transactions') AND rejected > 0 AND file_date >= ?1 ORDER BY id
            """, Int64(date.day))
        var row = try connection.prepare(
            "SELECT line, row FROM rejected_row WHERE run = ?1 AND source = ?2 ORDER BY rowid")
        var rows: [RejectedRow] = []
        while try delivery.step() {
            let (run, source) = (RunID(delivery.integer(0)), delivery.text(3))
            guard let kind = FeedKind(rawValue: delivery.text(1)) else { continue }
            let fileDate = try delivery.date(2)
            row.start(run, source)
            let known = rows.count
            func add(line: Int, _ bytes: [UInt8]) {
                rows.append(RejectedRow(kind: kind, date: fileDate, source: source, line: line, row: bytes))
            }
            while try row.step() { add(line: Int(row.integer(0)), row.blob(1)) }
            // The list of rejected rows is cut if it is very long. An empty row stands for those that are missing.
            if rows.count - known < delivery.integer(4) { add(line: 0, []) }
        }
        return rows
    }

    public func wasApplied(_ keys: Set<String>) throws -> Bool {
        try keys.contains { key in
            try connection.integer(
                "SELECT 1 FROM retry_answer WHERE entry_key = ?1 AND outcome IN ('applied', 'already_applied')", key)
                != nil
        }
    }

    public func wasAnswered(_ keys: Set<String>) throws -> Bool {
        try keys.contains { try connection.integer("SELECT 1 FROM retry_answer WHERE entry_key = ?1", $0) != nil }
    }
}
