/// A *book* is a ledger without evidence: it keeps runs, deliveries, exceptions, retry entries and totals. The evidence
/// lies elsewhere, and each run says where.
extension Ledger {
    /// Whether the evidence lies elsewhere. An empty ledger is not a book yet.
    public var isBook: Bool {
        get throws {
            if try hasNoSchema { return false }
            return try connection.integer("SELECT evidence IS NOT NULL FROM run ORDER BY id DESC LIMIT 1") == 1
        }
    }

    /// The check before a ledger is called a book.
    ///
    /// - Throws: `LedgerError.damaged` where the last run's record of its evidence was changed.
    public func checkEvidenceRecord() throws {
        guard let last = try lastRun(), let problem = last.evidenceProblem(after: try run(id: last.id.previous))
        else { return }
        throw LedgerError.damaged(problem)
    }

    /// What the runs put on record about their evidence, oldest first.
    public func evidenceRecords() throws -> [String] { try hasNoSchema ? [] : runs().compactMap(\.evidence) }

    /// The known exceptions, resolved ones included, with the keys of their cases' evidence.
    public func followedExceptions() throws -> [FollowedException] {
        if try hasNoSchema { return [] }
        var found: [FollowedException] = []
        var row = try connection.prepare(
            "SELECT kind, key, exception FROM exception_key ORDER BY exception, kind, key")
        while try row.step() {
            let id = try row.exceptionID(2)
            if found.last?.id != id { found.append(FollowedException(id: id, keys: [])) }
            found[found.count - 1].keys.append(try row.subjectKey)
        }
        return found
    }

    /// Replaces the keys of these exceptions' cases.
    func replaceKeys(_ keys: [ExceptionID: [SubjectKey]]) throws {
        var known = try connection.prepare("SELECT kind, key FROM exception_key WHERE exception = ?1")
        var old = try connection.prepare(
            "DELETE FROM exception_key WHERE exception = ?1" + SummedTable.exceptionKeys.returning)
        var row = try TableWriter(self, .exceptionKeys)
        for (id, keys) in keys.sorted(by: { $0.key < $1.key }) {
            var stored = Set<SubjectKey>()
            known.start(id.text)
            while try known.step() { stored.insert(try known.subjectKey) }
            if stored == Set(keys) { continue }
            if !stored.isEmpty {
                old.start(id.text)
                try remove(&old, from: .exceptionKeys)
            }
            for key in Set(keys).sorted() { try row.write(id.text, Int64(key.kind.rawValue), key.id.text) }
        }
    }
}

extension Statement {
    /// The key whose kind and text are the first two columns.
    fileprivate var subjectKey: SubjectKey {
        get throws { SubjectKey(try whole(SubjectKey.Kind(rawValue: UInt8(clamping: integer(0)))), identifier(1)) }
    }
}
