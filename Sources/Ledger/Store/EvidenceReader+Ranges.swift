public import Domain
public import Engine
internal import SQLite

extension Ledger {
    /// The evidence of a range of cases that deliveries up to number `last` contained, in ascending order of case
    /// number. Reading a ledger range by range keeps memory small, however long the ledger is.
    ///
    /// - Throws: `LedgerError.damaged` if it is not what was written.
    public func load(cases range: Range<CaseID>, through last: DeliveryID) throws -> StoredEvidence {
        try load(cases: range, through: last, isProven: true)
    }

    /// The same without proof, for `check`: it reports every changed table by itself, and judges the evidence all the
    /// same.
    public func loadUnproven(cases range: Range<CaseID>) throws -> StoredEvidence {
        try load(cases: range, through: .max, isProven: false)
    }

    private func load(cases range: Range<CaseID>, through last: DeliveryID, isProven: Bool) throws -> StoredEvidence {
        var prior = StoredEvidence()
        let range = range.clamped(to: CaseID.possible)
        var sums = [UInt64](repeating: 0, count: isProven ? range.count : 0)
        let unpacker = try Unpacker(self)
        try load(PackedTransactionColumn.self, in: range, through: last, unpacker, into: &prior, &sums)
        try load(PackedOrderColumn.self, in: range, through: last, unpacker, into: &prior, &sums)
        try load(PackedCreditColumn.self, in: range, through: last, unpacker, into: &prior, &sums)
        try load(PackedReceiptColumn.self, in: range, through: last, unpacker, into: &prior, &sums)
        if isProven { try prove(Array(zip(range, sums)), prior) }
        return prior
    }

    /// - Parameter sums: the sum of row hashes of each case of the range, to be filled. Empty if no proof is wanted.
    private func load<Column: EvidenceColumn>(
        _: Column.Type, in range: Range<CaseID>, through last: DeliveryID, _ unpacker: Unpacker,
        into prior: inout StoredEvidence, _ sums: inout [UInt64]
    ) throws {
        // A case is proven by all its rows, so rows of later deliveries are hashed as well.
        var row = try TableReader<Column>(self, "WHERE id >= ?1 AND id < ?2 ORDER BY id")
        row.statement.bind(rowsOf: range)
        while try row.step() {
            let number = row.caseID
            // If the file's pages were swapped, SQLite may return rows that were not asked for.
            guard range.contains(number) else { throw LedgerError.damaged("a row of case \(number) is out of place") }
            if !sums.isEmpty { sums[range.lowerBound.distance(to: number)] &+= row.hash.value }
            let isWanted = row.integer(.delivery) <= Int64(last.rawValue)
            try Column.read(row, unpacker, into: &prior, isWanted: isWanted)
        }
    }

    /// The number of the last delivery that `run`, or a run before it, imported. 0 if absent.
    public func lastDelivery(through run: RunID) throws -> DeliveryID {
        var statement = try connection.prepare("SELECT max(id) FROM delivery WHERE run <= ?1")
        statement.bind(1, run)
        return try statement.step() ? DeliveryID(Int32(statement.optionalInteger(0) ?? 0)) : .none
    }

    /// Calls `body` with each token and the accounts of its orders, in ascending order of token.
    /// - Throws: `LedgerError.damaged` if the rows are not those that were written.
    public func forEachTokenOwner(_ body: (Token, Identifier) -> Void) throws {
        var row = try TableReader<TokenOwnerColumn>(self, "ORDER BY token")
        var (last, proof) = ("", OwnerProof())
        while try row.step() {
            let text = row.text(.token)
            if text != last {
                guard proof.isRight else { throw OwnerProof.failure(last) }
                (last, proof) = (text, OwnerProof())
            }
            proof.add(row)
            guard let token = row.token(.token), let account = row.identifier(.accountID) else { continue }
            body(token, account)
        }
        guard proof.isRight else { throw OwnerProof.failure(last) }
    }
}
