extension Ledger {
    public func rejectedRows(since date: BusinessDate) throws -> [RejectedRow] {
        var delivery = try connection.prepare(
            """
            SELECT run, kind, file_date, name, rejected FROM delivery d
            WHERE kind IN ('orders', 'credits', 'transactions', 'receipts') AND rejected > 0 AND file_date >= ?1
            AND NOT EXISTS (SELECT 1 FROM delivery WHERE kind = d.kind AND name = d.name AND file_date = d.file_date
                AND id > d.id AND rejected = 0 AND rows >= d.rows AND accepted >= d.rejected)
            ORDER BY EXISTS (SELECT 1 FROM delivery WHERE kind = d.kind AND name = d.name AND file_date = d.file_date
                AND id > d.id AND rejected > 0), id
            """, Int64(date.day))
        let (accepted, settled) = (try acceptedFiles(), try settledRows())
        var rows: [RejectedRow] = []
        while try delivery.step() {
            let (run, source) = (RunID(delivery.integer(0)), delivery.text(3))
            guard let kind = FeedKind(rawValue: delivery.text(1)) else { continue }
            let fileDate = try delivery.date(2)
            func isAccepted(_ name: String) -> Bool {
                accepted[name]?[fileDate].map { $0 >= run } == true
            }
            if isAccepted(source) { continue }
            let own = try listedRows(of: run, source) {
                RejectedRow(kind: kind, date: fileDate, source: source, line: $0, row: $1)
            }
            rows += own.filter { !isAccepted("\($0.source):\($0.line)") && !settled.contains($0.row) }
            // The list of rejected rows is cut if it is very long. An empty row stands for those that are missing.
            if own.count < delivery.integer(4), !isAccepted("\(source):0") {
                rows.append(RejectedRow(kind: kind, date: fileDate, source: source, line: 0, row: []))
            }
        }
        return rows
    }

    private func listedRows<Row>(of run: RunID, _ source: String, _ row: (Int, [UInt8]) -> Row) throws -> [Row] {
        try all("SELECT line, row FROM rejected_row WHERE run = ?1 AND source = ?2 ORDER BY rowid", run, source) {
            row(Int($0.integer(0)), $0.blob(1))
        }
    }

    /// What people accepted and nobody reopened: feeds, files and rows, by name and date, each with the last run before.
    private func acceptedFiles() throws -> [String: [BusinessDate: RunID]] {
        let decisions = try all("SELECT feed, file_date, is_accepted, run FROM gap_decision ORDER BY rowid") {
            ($0.text(0), try $0.date(1), $0.integer(2) != 0 ? RunID($0.integer(3)) : nil)
        }
        return decisions.reduce(into: [:]) { $0[$1.0, default: [:]][$1.1] = $1.2 }
    }

    public func settledRows() throws -> Set<[UInt8]> {
        var settled = Set<[UInt8]>()
        for (name, dates) in try acceptedFiles() {
            for (date, run) in dates {
                let found = try rejectedRows(named: name, of: date, through: run)
                // What has no number says nothing of which row it was.
                settled.formUnion(found?.rows.map(\.row).filter { $0.count { 0x30...0x39 ~= $0 } >= 6 } ?? [])
            }
        }
        return settled
    }

    /// The rejected rows that a text names as a file or as `file:line`.
    ///
    /// - Parameters:
    ///   - date: the file's date; nil for the newest one.
    ///   - last: later runs do not count.
    /// - Returns: nil if a file of this name has no rejected rows.
    public func rejectedRows(
        named text: String, of date: BusinessDate?, through last: RunID = RunID(.max)
    ) throws -> (date: BusinessDate, rows: [(line: Int, row: [UInt8])])? {
        let end = text.lastIndex(of: ":")
        let line = end.flatMap { Int(text[$0...].dropFirst()) }
        for (name, line) in [(text, nil), (end.map { String(text[..<$0]) } ?? "", line)] as [(String, Int?)] {
            let file = """
                SELECT run, file_date FROM delivery WHERE name = ?1 AND rejected > 0 AND (?2 < 0 OR file_date = ?2)
                AND run <= ?3 ORDER BY id DESC LIMIT 1
                """
            let found = try all(file, name, date.map { Int64($0.day) } ?? -1, last) {
                (RunID($0.integer(0)), try $0.date(1))
            }
            guard let (run, date) = found.first else { continue }
            let rows = try listedRows(of: run, name) { (line: $0, row: $1) }.filter {
                line ?? 0 == 0 || $0.line == line
            }
            if !rows.isEmpty { return (date, rows) }
        }
        return nil
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
