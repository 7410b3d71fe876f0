extension Ledger {
    public func rejectedRows(since date: BusinessDate) throws -> [RejectedRow] {
        var delivery = try connection.prepare(
            """
            SELECT run, kind, file_date, name, rejected FROM delivery d
            WHERE kind IN ('orders', 'credits', 'transactions', 'receipts') AND rejected > 0 AND file_date >= ?1
            AND NOT EXISTS (SELECT 1 FROM delivery WHERE kind = d.kind AND name = d.name AND file_date = d.file_date
                AND id > d.id AND rejected = 0 AND rows >= d.rows AND accepted >= d.rejected)
            AND coalesce((SELECT is_accepted AND run >= d.run FROM gap_decision
                WHERE feed = d.name AND file_date = d.file_date ORDER BY rowid DESC LIMIT 1), 0) = 0
            ORDER BY EXISTS (SELECT 1 FROM delivery WHERE kind = d.kind AND name = d.name AND file_date = d.file_date
                AND id > d.id AND rejected > 0), id
            """, Int64(date.day))
        let listed = "SELECT line, row FROM rejected_row WHERE run = ?1 AND source = ?2 ORDER BY rowid"
        var rows: [RejectedRow] = []
        while try delivery.step() {
            let (run, source) = (RunID(delivery.integer(0)), delivery.text(3))
            guard let kind = FeedKind(rawValue: delivery.text(1)) else { continue }
            let fileDate = try delivery.date(2)
            let own = try all(listed, run, source) {
                RejectedRow(kind: kind, date: fileDate, source: source, line: Int($0.integer(0)), row: $0.blob(1))
            }
            rows += own
            // The list of rejected rows is cut if it is very long. An empty row stands for those that are missing.
            if own.count < delivery.integer(4) {
                rows.append(RejectedRow(kind: kind, date: fileDate, source: source, line: 0, row: []))
            }
        }
        return rows
    }

    /// Whether rows of a file of this name and date were rejected.
    public func hasRejectedRows(in name: String, of date: BusinessDate) throws -> Bool {
        let found = "SELECT count(*) FROM delivery WHERE name = ?1 AND file_date = ?2 AND rejected > 0"
        return try connection.integer(found, name, Int64(date.day)) != 0
    }

    public func newestRejects(_ countMax: Int) throws -> [RejectLine] {
        try read(RejectLine.self, "ORDER BY rowid DESC LIMIT ?1", with: countMax)
    }

    public func answers(to keys: Set<String>) throws -> Set<AckOutcome> {
        Set(
            try keys.flatMap { key in
                try all("SELECT DISTINCT outcome FROM retry_answer WHERE entry_key = ?1", key) {
                    AckOutcome(rawValue: $0.text(0))
                }
            }.compactMap(\.self))
    }
}
