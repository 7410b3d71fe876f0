public import Domain
public import Engine
internal import SQLite

extension Ledger {
    public func rejectedRows(since date: BusinessDate) throws -> [RejectedRow] {
        var delivery = try TableReader<DeliveryColumn>(
            self, only: [.run, .kind, .fileDate, .name, .rejected],
            "WHERE kind IN ('orders', 'credits', 'transactions') AND rejected > 0 AND file_date >= ?1 ORDER BY id")
        delivery.statement.bind(1, Int64(date.day))
        var row = try TableReader<RejectedRowColumn>(
            self, only: [.line, .row], "WHERE rowid >= ?1 AND rowid < ?2 AND source = ?3 ORDER BY rowid")
        var rows: [RejectedRow] = []
        while try delivery.step() {
            let (run, source) = (RunID(delivery.integer(.run)), delivery.text(.name))
            guard let kind = FeedKind(rawValue: delivery.text(.kind)) else { continue }
            let fileDate = try delivery.requiredDate(.fileDate)
            row.statement.bind(1, try firstRejectedRow(of: run))
            row.statement.bind(2, try firstRejectedRow(of: run.next))
            row.statement.bind(3, source)
            let known = rows.count
            func add(line: Int, _ bytes: [UInt8]) {
                rows.append(RejectedRow(kind: kind, date: fileDate, source: source, line: line, row: bytes))
            }
            while try row.step() { add(line: Int(row.integer(.line)), row.blob(.row)) }
            row.reset()
            // The list of rejected rows is cut if it is very long. An empty row stands for those that are missing.
            if rows.count - known < delivery.integer(.rejected) { add(line: 0, []) }
        }
        return rows
    }

    /// The row id at which the rejected rows of `run` begin. They are stored run after run, so it is found by binary
    /// search.
    private func firstRejectedRow(of run: RunID) throws -> Int64 {
        var row = try TableReader<RejectedRowColumn>(self, only: [.run], "WHERE rowid >= ?1 ORDER BY rowid LIMIT 1")
        var low: Int64 = 1
        var high = 1 + (try connection.integer("SELECT max(rowid) FROM rejected_row") ?? 0)
        while low < high {
            let middle = low + (high - low) / 2
            row.statement.bind(1, middle)
            let isBehind = try row.step() && RunID(row.integer(.run)) < run
            row.reset()
            if isBehind { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether the consumer ever acknowledged, under one of these keys, that the goods were given. Later emissions and
    /// acknowledgements do not undo that.
    public func wasApplied(_ keys: Set<String>) throws -> Bool {
        try hasAnswer(
            keys, "SELECT 1 FROM retry_answer WHERE entry_key = ?1 AND outcome IN ('applied', 'already_applied')")
    }

    public func wasAnswered(_ keys: Set<String>) throws -> Bool {
        try hasAnswer(keys, "SELECT 1 FROM retry_answer WHERE entry_key = ?1")
    }

    private func hasAnswer(_ keys: Set<String>, _ query: String) throws -> Bool {
        var statement = try connection.prepare(query)
        for key in keys.sorted() {
            statement.bind(1, key)
            let isThere = try statement.step()
            statement.reset()
            if isThere { return true }
        }
        return false
    }
}
