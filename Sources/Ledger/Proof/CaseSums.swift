/// One sum for each case: the hashes of all rows of its evidence, added modulo 2^64.
///
/// They prove the rows of the cases that a night loads, without reading the others: load a case, add up the hashes of
/// the rows found, and compare. The sums are stored in blocks: a row of `case_sum` holds those of 500 consecutive case
/// numbers, eight bytes each, little-endian, so that two rows fill a page. `case_sum` itself is proven by its table's sum (`Checksums`).
///
/// Changed blocks are kept in memory until the transaction commits, or until there are too many of them.
struct CaseSums {
    fileprivate static let query = "SELECT sums FROM case_sum WHERE block = ?1"
    fileprivate static let casesPerBlock: Int64 = 500
    /// At most this many blocks are kept in memory: 4 MB.
    fileprivate static let blocksMax = 1024

    /// The sums of a block, by the case's place in it.
    fileprivate typealias Block = [UInt64]
    /// Blocks that have changed and are not written yet.
    fileprivate var blocks: [Int64: Block] = [:]

    fileprivate static func place(of caseID: CaseID) -> (block: Int64, index: Int) {
        (caseID.rawValue / casesPerBlock, Int(caseID.rawValue % casesPerBlock))
    }
}

extension Ledger {
    /// Updates the sum of a case by a row that was written, or removed. For a removed row, `hash` is negated.
    func changeSum(ofCase caseID: CaseID, by hash: UInt64) throws {
        guard CaseID.possible.contains(caseID) else { throw LedgerError.damaged("a row belongs to no case") }
        let place = CaseSums.place(of: caseID)
        if caseSums.blocks[place.block] == nil {
            if caseSums.blocks.count >= CaseSums.blocksMax { try writeCaseSums() }
            var row = try connection.prepare(CaseSums.query)
            caseSums.blocks[place.block] = try block(place.block, &row)
        }
        caseSums.blocks[place.block]![place.index] &+= hash
    }

    /// Writes the changed blocks, and releases them.
    func writeCaseSums() throws {
        let changed = caseSums.blocks.sorted { $0.key < $1.key }
        caseSums = CaseSums()
        if changed.isEmpty { return }
        var old = try connection.prepare(
            "DELETE FROM case_sum WHERE block = ?1" + SummedTable.caseSums.returning)
        var row = try TableWriter(self, .caseSums)
        for (number, block) in changed {
            old.start(number)
            try remove(&old, from: .caseSums)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(block.count * 8)
            for sum in block { withUnsafeBytes(of: sum.littleEndian) { bytes += $0 } }
            try row.write(number, bytes)
        }
    }

    /// A stored block. Sums that are absent or cut off count as 0, which does not match any row.
    private func block(_ number: Int64, _ row: inout Statement) throws -> CaseSums.Block {
        var block = CaseSums.Block(repeating: 0, count: Int(CaseSums.casesPerBlock))
        row.start(number)
        guard try row.step() else { return block }
        row.withBytes(0) { bytes in
            for index in 0..<min(block.count, bytes.count / 8) {
                block[index] = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            }
        }
        return block
    }

    /// Proves that the evidence of these cases is what was written.
    /// - Parameters:
    ///   - found: the sum of the rows found for each case, in ascending order of case number.
    ///   - prior: the evidence loaded, to name a case in the error.
    /// - Throws: `LedgerError.damaged` for the first case whose rows differ from what was written.
    func prove(_ found: [(caseID: CaseID, sum: UInt64)], _ prior: StoredEvidence) throws {
        var row = try connection.prepare(CaseSums.query)
        var last: (number: Int64, block: CaseSums.Block)?
        for (caseID, sum) in found {
            let place = CaseSums.place(of: caseID)
            if last?.number != place.block {
                // Blocks that this transaction has changed, but not written yet, take precedence.
                last = (place.block, try caseSums.blocks[place.block] ?? block(place.block, &row))
            }
            guard last?.block[place.index] == sum else {
                throw LedgerError.damaged(
                    "the evidence of case \(caseID)\(prior.name(of: caseID)) was changed")
            }
        }
    }
}

extension StoredEvidence {
    /// An identifier by which a person may know the case.
    fileprivate func name(of caseID: CaseID) -> String {
        if let index = orders.cases.firstIndex(of: caseID) { return " (order \(orders.values[index].id.text))" }
        if let index = transactions.cases.firstIndex(of: caseID) {
            return " (transaction \(evidence.transactions[index].id.text))"
        }
        return ""
    }
}
