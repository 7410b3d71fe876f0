internal import Domain
internal import Engine
internal import SQLite

/// One sum for each case: the hashes of all rows of its evidence, added modulo 2^64.
///
/// They prove the rows of the cases that a night loads, without reading the others: load a case, add up the hashes of
/// the rows found, and compare. The sums are stored in blocks: a row of `case_sum` holds those of 500 consecutive case
/// numbers, eight bytes each, little-endian, so that two rows fill a page. `case_sum` itself is proven by its table's sum (`Checksums`).
///
/// Changed blocks are kept in memory until the transaction commits, or until there are too many of them.
struct CaseSums {
    fileprivate static let casesPerBlock: Int64 = 500
    /// At most this many blocks are kept in memory: 4 MB.
    fileprivate static let blocksMax = 1024

    fileprivate struct Block {
        var sums = [UInt64](repeating: 0, count: Int(CaseSums.casesPerBlock))
        var isChanged = false
    }
    fileprivate var blocks: [Int64: Block] = [:]

    fileprivate static func place(of caseID: CaseID) -> (block: Int64, index: Int) {
        (caseID.rawValue / casesPerBlock, Int(caseID.rawValue % casesPerBlock))
    }
}

extension Ledger {
    /// Updates the sum of a case by a row that was written, or removed. For a removed row, `hash` is negated.
    func changeSum(ofCase caseID: CaseID, by hash: UInt64) throws {
        try setSum(ofCase: caseID) { $0 &+= hash }
    }

    /// Adds to the sums of cases whose rows have just been written.
    func addSums(_ sums: [(caseID: CaseID, sum: UInt64)]) throws {
        for (caseID, sum) in sums { try changeSum(ofCase: caseID, by: sum) }
    }

    private func setSum(ofCase caseID: CaseID, _ change: (inout UInt64) -> Void) throws {
        guard CaseID.possible.contains(caseID) else { throw LedgerError.damaged("a row belongs to no case") }
        let place = CaseSums.place(of: caseID)
        if caseSums.blocks[place.block] == nil {
            if caseSums.blocks.count >= CaseSums.blocksMax { try writeCaseSums() }
            caseSums.blocks[place.block] = try block(place.block)
        }
        change(&caseSums.blocks[place.block]!.sums[place.index])
        caseSums.blocks[place.block]!.isChanged = true
    }

    /// Writes the changed blocks, and releases all.
    func writeCaseSums() throws {
        let changed = caseSums.blocks.filter(\.value.isChanged).sorted { $0.key < $1.key }
        caseSums = CaseSums()
        if changed.isEmpty { return }
        var old = try connection.prepare(SummedTable.caseSums.select + "WHERE block = ?1")
        var row = try TableWriter<CaseSumColumn>(self, .replaces)
        for (number, block) in changed {
            old.bind(1, number)
            try remove(&old, from: .caseSums)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(block.sums.count * 8)
            for sum in block.sums { withUnsafeBytes(of: sum.littleEndian) { bytes += $0 } }
            row.set(.block, number)
            row.set(.sums, blob: bytes)
            try row.write()
        }
    }

    private func block(_ number: Int64) throws -> CaseSums.Block {
        var row = try TableReader<CaseSumColumn>(self, only: [.sums], "WHERE block = ?1")
        row.statement.bind(1, number)
        var block = CaseSums.Block()
        guard try row.step() else { return block }
        block.read(row.blob(.sums))
        return block
    }

    /// Proves that the evidence of these cases is what was written.
    /// - Parameters:
    ///   - found: the sum of the rows found for each case, in ascending order of case number.
    ///   - prior: the evidence loaded, to name a case in the error.
    /// - Throws: `LedgerError.damaged` for the first case whose rows differ from what was written.
    func prove(_ found: [(caseID: CaseID, sum: UInt64)], _ prior: StoredEvidence) throws {
        var row = try TableReader<CaseSumColumn>(self, only: [.sums], "WHERE block = ?1")
        var last: (number: Int64, block: CaseSums.Block)?
        for (caseID, sum) in found {
            let place = CaseSums.place(of: caseID)
            if last?.number != place.block {
                // Blocks that this transaction has changed, but not written yet, take precedence.
                var block = caseSums.blocks[place.block] ?? CaseSums.Block()
                if !block.isChanged {
                    row.statement.bind(1, place.block)
                    if try row.step() { block.read(row.blob(.sums)) }
                    row.reset()
                }
                last = (place.block, block)
            }
            guard last?.block.sums[place.index] == sum else {
                throw LedgerError.damaged(
                    "the evidence of case \(caseID)\(prior.name(of: caseID)) was changed")
            }
        }
    }
}

extension CaseSums.Block {
    /// Reads a stored block. Sums that are cut off count as 0, which does not match any row.
    mutating func read(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            for index in 0..<min(sums.count, bytes.count / 8) {
                sums[index] = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
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
