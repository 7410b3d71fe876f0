extension Ledger {
    /// - Throws: `LedgerError.damaged` if it is not what was written.
    public func load(cases: Set<CaseID>) throws -> StoredEvidence {
        let numbers = cases.sorted()
        if let impossible = numbers.first(where: { !CaseID.possible.contains($0) }) {
            throw LedgerError.damaged("case \(impossible) cannot exist")
        }
        return try load(numbers.map { $0..<$0.advanced(by: 1) }, through: .max, isProven: true)
    }

    /// Reading a ledger range by range keeps memory small, however long the ledger is.
    /// - Throws: `LedgerError.damaged` if it is not what was written.
    public func load(cases range: Range<CaseID>, through last: DeliveryID) throws -> StoredEvidence {
        try load([range.clamped(to: CaseID.possible)], through: last, isProven: true)
    }

    /// For `check`: it reports every changed table by itself, and judges the evidence all the same.
    public func loadUnproven(cases range: Range<CaseID>) throws -> StoredEvidence {
        try load([range.clamped(to: CaseID.possible)], through: .max, isProven: false)
    }

    private func load(
        _ ranges: [Range<CaseID>], through last: DeliveryID, isProven: Bool
    ) throws -> StoredEvidence {
        var prior = StoredEvidence()
        var sums = [UInt64](repeating: 0, count: isProven ? ranges.reduce(0) { $0 + $1.count } : 0)
        let unpacker = try Unpacker(self)
        try load(\.transactions, of: ranges, through: last, with: unpacker, into: &prior, adding: &sums)
        try load(\.orders, of: ranges, through: last, with: unpacker, into: &prior, adding: &sums)
        try load(\.credits, of: ranges, through: last, with: unpacker, into: &prior, adding: &sums)
        try load(\.receipts, of: ranges, through: last, with: unpacker, into: &prior, adding: &sums)
        if isProven { try prove(Array(zip(ranges.joined(), sums)), prior) }
        return prior
    }

    /// - Parameter sums: the sum of row hashes of each case of the ranges, to be filled. Empty if no proof is wanted.
    private func load<Row: PackedEvidence>(
        _ rows: WritableKeyPath<StoredEvidence, Rows<Row>>, of ranges: [Range<CaseID>], through last: DeliveryID,
        with unpacker: Unpacker, into prior: inout StoredEvidence, adding sums: inout [UInt64]
    ) throws {
        // A case is proven by all its rows, so rows of later deliveries are hashed as well.
        var reader = try FieldReader(Row.self, "WHERE id >= ?1 AND id < ?2 ORDER BY id", of: self, with: unpacker)
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
        DeliveryID(Int32(try connection.integer("SELECT max(id) FROM delivery WHERE run <= ?1", run) ?? 0))
    }

    public func forEachTokenOwner(_ body: (Token, Identifier) -> Void) throws {
        try forEachOwner { row in
            guard let token = Token(row.text(0)) else { return }
            body(token, row.withText(1) { identifier($0, of: 1) })
        } failing: {
            throw OwnerProof.failure($0)
        }
    }
}
