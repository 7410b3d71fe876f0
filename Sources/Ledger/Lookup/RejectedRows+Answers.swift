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
        let accepted = try acceptedRows()
        let settled = settled(accepted)
        let places = Set(accepted.map(\.place))
        var rows: [RejectedRow] = []
        while try delivery.step() {
            let (run, source) = (RunID(delivery.integer(0)), delivery.text(3))
            guard let kind = FeedKind(rawValue: delivery.text(1)) else { continue }
            let fileDate = try delivery.date(2)
            for row in try listedRows(of: run, source, count: Int(delivery.integer(4)))
            where !places.contains(row.place) && !settled.contains(row.row) {
                rows.append(RejectedRow(kind: kind, date: fileDate, source: source, line: row.line, row: row.row))
            }
        }
        return rows
    }

    /// A rejected row of a delivered file.
    public struct ListedRow {
        /// The file, the line and the run that read it.
        fileprivate var place: String
        public var line: Int
        public var row: [UInt8]
    }

    /// The rejected rows of a file. If their list is cut, because it is very long, an empty row stands for those that are missing.
    private func listedRows(of run: RunID, _ source: String, count: Int) throws -> [ListedRow] {
        let listed = "SELECT line, row FROM rejected_row WHERE run = ?1 AND source = ?2 ORDER BY rowid"
        var rows = try all(listed, run, source) {
            ListedRow(place: "\(run) \($0.integer(0)) \(source)", line: Int($0.integer(0)), row: $0.blob(1))
        }
        if rows.count < count { rows.append(ListedRow(place: "\(run) 0 \(source)", line: 0, row: [])) }
        return rows
    }

    /// The rejected rows that people accepted and did not reopen.
    private func acceptedRows() throws -> [ListedRow] {
        let decisions = try all("SELECT feed, file_date, is_accepted, run FROM gap_decision ORDER BY rowid") {
            ($0.text(0), try $0.date(1), $0.integer(2) != 0 ? RunID($0.integer(3)) : nil)
        }
        let standing = decisions.reduce(into: [String: [BusinessDate: RunID]]()) { $0[$1.0, default: [:]][$1.1] = $1.2 }
        return try standing.flatMap { name, dates in
            try dates.flatMap { try rejectedRows(named: name, of: $0, through: $1)?.rows ?? [] }
        }
    }

    public func settledRows() throws -> Set<[UInt8]> { settled(try acceptedRows()) }

    /// What stands for nothing in other files, too. Rows without numbers cannot be told apart.
    private func settled(_ accepted: [ListedRow]) -> Set<[UInt8]> {
        Set(accepted.map(\.row).filter { $0.count { 0x30...0x39 ~= $0 } >= 6 })
    }

    /// The rejected rows that a text names: as a file, all that were rejected under its name; as `file:line`, the newest one on
    /// that line.
    ///
    /// - Parameters:
    ///   - date: the file's date; nil for the newest one.
    ///   - last: later runs do not count.
    /// - Returns: nil if the text names none.
    public func rejectedRows(
        named text: String, of date: BusinessDate?, through last: RunID = RunID(.max)
    ) throws -> (date: BusinessDate, rows: [ListedRow])? {
        func deliveries(_ name: String) throws -> [(run: RunID, date: BusinessDate, count: Int)] {
            let found = try all(
                """
                SELECT run, file_date, rejected FROM delivery WHERE name = ?1 AND rejected > 0 AND (?2 < 0 OR file_date = ?2)
                AND run <= ?3 ORDER BY file_date DESC, id DESC
                """, name, date.map { Int64($0.day) } ?? -1, last
            ) { (run: RunID($0.integer(0)), date: try $0.date(1), count: Int($0.integer(2))) }
            return found.filter { $0.date == found[0].date }
        }
        let whole = try deliveries(text)
        if let newest = whole.first {
            return (newest.date, try whole.flatMap { try listedRows(of: $0.run, text, count: $0.count) })
        }
        guard let end = text.lastIndex(of: ":"), let line = Int(text[end...].dropFirst()), text.hasSuffix(":\(line)")
        else {
            return nil
        }
        let name = String(text[..<end])
        for delivery in try deliveries(name) {
            let rows = try listedRows(of: delivery.run, name, count: delivery.count).filter { $0.line == line }
            if !rows.isEmpty { return (delivery.date, rows) }
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
