public import Engine
internal import SQLite

extension Ledger {
    /// How `schemaProblems` ends for what somebody added.
    public static let foreignObject = "was not created by reconcile"

    /// Tables, indexes and views that are missing, were changed, or are not the program's.
    public func schemaProblems() throws -> [String] {
        let expected = try Ledger.inMemory().objects()
        let found = try objects()
        let changed = expected.filter { found[$0.key] != $0.value }.keys.map { "the \($0) is missing or was changed" }
        let foreign = found.keys.filter { expected[$0] == nil }.map { "the \($0) " + Self.foreignObject }
        return changed.sorted() + foreign.sorted()
    }

    /// What is looked at before anything is changed, or given out: that the schema is this program's, that the last run is
    /// linked to the one before, and the tables that are read as a whole.
    /// - Throws: `LedgerError.damaged`. An added index does no harm, unless it is unique and refuses rows.
    public func checkHead() throws {
        let expected = try Ledger.inMemory().objects()
        let found = try objects()
        if let object = expected.keys.sorted().first(where: { found[$0] != expected[$0] }) {
            throw LedgerError.damaged("the \(object) is missing or was changed")
        }
        let isHarmless = { (object: (key: String, value: String)) in
            object.key.hasPrefix("index ") && !object.value.uppercased().hasPrefix("CREATE UNIQUE")
        }
        if let object = found.filter({ expected[$0.key] == nil && !isHarmless($0) }).keys.min() {
            throw LedgerError.damaged("the \(object) " + Self.foreignObject)
        }
        guard let last = try lastRun() else {
            // Nothing is committed without a run.
            if try Checksums(self).tables.isEmpty { return }
            throw LedgerError.damaged("all its runs are missing")
        }
        if let problem = try problem(of: last, after: run(id: last.id - 1)) { throw LedgerError.damaged(problem) }
        if let problem = try checksumProblems(of: SummedTable.readWhole).first { throw LedgerError.damaged(problem) }
        // Whether a file was read before is looked up by an index, which no row's hash proves.
        var index = try connection.prepare("PRAGMA integrity_check(delivery)")
        guard try index.step(), index.text(0) == "ok" else {
            throw LedgerError.damaged("the index of delivered files does not match its rows")
        }
        // A block proves itself when it is read. A missing block would go unnoticed, so blocks are counted.
        let blocks = try connection.integer("SELECT count(*) FROM identifier_block")
        guard try blocks == Checksums(self).tables[.blocks]?.rows ?? 0 else {
            throw LedgerError.damaged("there are too few or too many blocks of keys")
        }
    }

    /// What is looked at before nights that were run before are rendered again; while nothing is changed yet.
    /// - Throws: `LedgerError.damaged`.
    public func checkRecord(of runs: [RunRecord]) throws {
        if runs.isEmpty { return }
        for run in runs {
            if let problem = try problem(of: run, after: self.run(id: run.id - 1)) {
                throw LedgerError.damaged(problem)
            }
        }
        let problems = try checksumProblems(of: SummedTable.rendered)
        if let problem = problems.first { throw LedgerError.damaged(problem) }
    }

    /// Statements that made them, by kind and name. Indexes of a constraint have none.
    private func objects() throws -> [String: String] {
        var objects: [String: String] = [:]
        var row = try connection.prepare(
            """
            SELECT type || ' ' || name, sql FROM sqlite_schema
            WHERE sql IS NOT NULL AND NOT (type = 'table' AND name LIKE 'sqlite^_stat_' ESCAPE '^')
            """)
        while try row.step() { objects[row.text(0)] = row.text(1) }
        return objects
    }
}
