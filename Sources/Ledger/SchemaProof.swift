internal import SQLite

extension Ledger {
    /// How `schemaProblems` ends for what somebody added.
    public static let foreignObject = "is not of this program's making"

    /// Tables, indexes and views that are missing, were changed, or are not the program's.
    public func schemaProblems() throws -> [String] {
        let expected = try Ledger.inMemory().objects()
        let found = try objects()
        let changed = expected.filter { found[$0.key] != $0.value }.keys.map { "the \($0) is missing or was changed" }
        let foreign = found.keys.filter { expected[$0] == nil }.map { "the \($0) " + Self.foreignObject }
        return changed.sorted() + foreign.sorted()
    }

    /// What is looked at whenever a night opens the ledger: its schema, and that the last run is linked to the one before.
    /// - Throws: `LedgerError.damaged`. What somebody added besides (an index of his own) harms nobody.
    public func checkHead() throws {
        let expected = try Ledger.inMemory().objects()
        let found = try objects()
        if let object = expected.keys.sorted().first(where: { found[$0] != expected[$0] }) {
            throw LedgerError.damaged("the \(object) is missing or was changed")
        }
        guard let last = try lastRun() else { return }
        if let problem = try problem(of: last, after: run(id: last.id - 1)) { throw LedgerError.damaged(problem) }
    }

    /// Statements that made them, by kind and name.
    private func objects() throws -> [String: String] {
        var objects: [String: String] = [:]
        var row = try connection.prepare(
            "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite^_%' ESCAPE '^'")
        while try row.step() { objects[row.text(0)] = row.text(1) }
        return objects
    }
}
