/// One way in which the objects of a ledger's schema are not those that this program creates. Objects are named by kind
/// and name, such as `table run`.
public enum SchemaProblem: Hashable, Sendable {
    /// A table, index, trigger or view of this program is missing or was changed.
    case damaged(String)
    /// Something else added an object. An index that is not unique is harmless: it can neither change nor refuse rows.
    case foreign(String, isHarmless: Bool)
}

extension SchemaProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .damaged(let object): "the \(object) is missing or was changed"
        case .foreign(let object, _): "the \(object) was not created by reconcile"
        }
    }
}

extension Ledger {
    /// Tables, indexes, triggers and views that are missing or were changed, then those that were added.
    ///
    /// The expected schema is not written down a second time: a ledger is created in memory, and the statements in its
    /// `sqlite_schema` are compared with those of this file.
    public func schemaProblems() throws -> [SchemaProblem] {
        let expected = try Ledger.inMemory().objects()
        let found = try objects()
        let damaged = expected.keys.sorted().filter { found[$0] != expected[$0] }
        let foreign = found.filter { expected[$0.key] == nil }.sorted { $0.key < $1.key }
        return damaged.map(SchemaProblem.damaged)
            + foreign.map { object, statement in
                let isIndex = object.hasPrefix("index ")
                let isUnique = statement.uppercased().hasPrefix("CREATE UNIQUE")
                return .foreign(object, isHarmless: isIndex && !isUnique)
            }
    }

    /// The checks before a run changes anything, or before anything is given out: that the schema is this program's,
    /// that the last run is linked to the one before, and that the tables which are read as a whole are what was
    /// written. It is quick, because it reads no evidence: cases are proven when they are loaded.
    ///
    /// - Parameter registerLater: leaves out exceptions and retry entries. A night reads all of them, and proves them
    ///   then.
    /// - Throws: `LedgerError.damaged`. An added index is accepted, unless it is unique and could refuse rows.
    public func checkHead(registerLater: Bool = false) throws {
        for problem in try schemaProblems() {
            if case .foreign(_, isHarmless: true) = problem { continue }
            throw LedgerError.damaged("\(problem)")
        }
        guard let last = try lastRun() else {
            // Every commit includes a run, so there must be no sums either.
            if try Checksums(self).tables.isEmpty { return }
            throw LedgerError.damaged("all its runs are missing")
        }
        let previous = try run(id: last.id.previous)
        if let problem = try problem(of: last, after: previous) { throw LedgerError.damaged(problem) }
        if let problem = last.evidenceProblem(after: previous) { throw LedgerError.damaged(problem) }
        try prove(SummedTable.readWhole)
        if !registerLater { try checkRegister() }
        // An index tells whether a file was imported before, and row hashes do not cover indexes.
        var index = try connection.prepare("PRAGMA integrity_check(delivery)")
        guard try index.step(), index.text(0) == "ok" else {
            throw LedgerError.damaged("the index of delivered files does not match its rows")
        }
    }

    /// The check before single cases are looked up. Blocks and filters of keys are proven when they are read, but a
    /// missing segment would not be noticed.
    /// - Throws: `LedgerError.damaged`.
    public func checkSegments() throws { try prove([.segments]) }

    /// The part of `checkHead` that it may leave out.
    /// - Throws: `LedgerError.damaged`.
    public func checkRegister() throws { try prove(SummedTable.register) }

    /// The checks before reports of earlier nights are rendered again.
    /// - Throws: `LedgerError.damaged`.
    public func checkRecord(of runs: [RunRecord]) throws {
        if runs.isEmpty { return }
        for run in runs {
            if let problem = try problem(of: run, after: self.run(id: run.id.previous)) {
                throw LedgerError.damaged(problem)
            }
        }
        try checkRecord()
    }

    /// Proves the rows from which reports of earlier nights are rendered and months are added up.
    /// - Throws: `LedgerError.damaged`.
    public func checkRecord() throws { try prove(SummedTable.rendered) }

    private func prove(_ tables: [SummedTable]) throws {
        if let problem = try checksumProblems(of: tables).first { throw LedgerError.damaged(problem) }
    }

    /// The statements that created all objects, by kind and name. Indexes that SQLite creates for constraints have
    /// none.
    func objects() throws -> [String: String] {
        let objects = try all(
            """
            SELECT type || ' ' || name, sql FROM sqlite_schema
            WHERE sql IS NOT NULL AND NOT (type = 'table' AND name LIKE 'sqlite^_stat_' ESCAPE '^')
            """
        ) { ($0.text(0), $0.text(1)) }
        return Dictionary(objects) { first, _ in first }
    }
}
