public import Domain
public import Engine
internal import SQLite

extension Ledger {
    /// - Throws: `LedgerError.damaged` if it is not what was written.
    public func load(cases: Set<CaseID>) throws -> StoredEvidence {
        let numbers = cases.sorted()
        if let impossible = numbers.first(where: { !CaseID.possible.contains($0) }) {
            throw LedgerError.damaged("case \(impossible) cannot exist")
        }
        return try load(numbers.map { $0..<$0.advanced(by: 1) }, through: .max, isProven: true)
    }

    /// The evidence of a range of cases that deliveries up to number `last` contained, in ascending order of case
    /// number. Reading a ledger range by range keeps memory small, however long the ledger is.
    ///
    /// - Throws: `LedgerError.damaged` if it is not what was written.
    public func load(cases range: Range<CaseID>, through last: DeliveryID) throws -> StoredEvidence {
        try load([range.clamped(to: CaseID.possible)], through: last, isProven: true)
    }

    /// The same without proof, for `check`: it reports every changed table by itself, and judges the evidence all the
    /// same.
    public func loadUnproven(cases range: Range<CaseID>) throws -> StoredEvidence {
        try load([range.clamped(to: CaseID.possible)], through: .max, isProven: false)
    }

    private func load(
        _ ranges: [Range<CaseID>], through last: DeliveryID, isProven: Bool
    ) throws -> StoredEvidence {
        var prior = StoredEvidence()
        var sums = [UInt64](repeating: 0, count: isProven ? ranges.reduce(0) { $0 + $1.count } : 0)
        let unpacker = try Unpacker(self)
        try load(\.transactions, of: ranges, through: last, unpacker, into: &prior, &sums)
        try load(\.orders, of: ranges, through: last, unpacker, into: &prior, &sums)
        try load(\.credits, of: ranges, through: last, unpacker, into: &prior, &sums)
        try load(\.receipts, of: ranges, through: last, unpacker, into: &prior, &sums)
        if isProven { try prove(Array(zip(ranges.joined(), sums)), prior) }
        return prior
    }

    /// - Parameter sums: the sum of row hashes of each case of the ranges, to be filled. Empty if no proof is wanted.
    private func load<Row: PackedEvidence>(
        _ rows: WritableKeyPath<StoredEvidence, Rows<Row>>, of ranges: [Range<CaseID>], through last: DeliveryID,
        _ unpacker: Unpacker, into prior: inout StoredEvidence, _ sums: inout [UInt64]
    ) throws {
        // A case is proven by all its rows, so rows of later deliveries are hashed as well.
        var reader = try FieldReader(Row.self, "WHERE id >= ?1 AND id < ?2 ORDER BY id", unpacker)
        var found = Rows<Row>()
        var before = 0
        for range in ranges {
            reader.statement.bind(rowsOf: range)
            while try reader.step() {
                let number = reader.caseID
                // If the file's pages were swapped, SQLite may return rows that were not asked for.
                guard range.contains(number) else {
                    throw LedgerError.damaged("a row of case \(number) is out of place")
                }
                if !sums.isEmpty { sums[before + range.lowerBound.distance(to: number)] &+= reader.hash.value }
                guard let row = try reader.evidence(Row.self, through: last) else { continue }
                found.append(row, of: number, isCurrent: reader.isCurrent)
            }
            before += range.count
        }
        prior[keyPath: rows] = found
    }

    /// Deletes the evidence of these cases, which is then written again.
    public func clear(_ cases: Set<CaseID>) throws {
        for table in SummedTable.evidence { try delete(rowsOf: cases, from: table) }
    }

    /// Deletes the rows of these cases.
    func delete(rowsOf cases: some Sequence<CaseID>, from table: SummedTable) throws {
        var old = try connection.prepare(table.select + "WHERE id >= ?1 AND id < ?2")
        var statement = try connection.prepare("DELETE FROM " + table.rawValue + " WHERE id >= ?1 AND id < ?2")
        for number in cases.sorted() {
            old.bind(rowsOf: number)
            try remove(&old, from: table)
            statement.bind(rowsOf: number)
            try statement.run()
        }
    }

    public func lastDelivery(through run: RunID) throws -> DeliveryID {
        var statement = try connection.prepare("SELECT max(id) FROM delivery WHERE run <= ?1")
        statement.bind(1, run)
        return try statement.step() ? DeliveryID(Int32(statement.optionalInteger(0) ?? 0)) : .none
    }

    /// Calls `body` with each token and the accounts of its orders, in ascending order of token.
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
