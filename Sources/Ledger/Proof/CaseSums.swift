internal import Domain
internal import Engine
internal import SQLite

/// What the evidence rows of each case add up to, as `TableSum` adds them: proves the rows of the cases that a night
/// recalls, without reading the others. 512 cases share a row of the ledger, so that a case costs eight bytes.
struct CaseSums {
    fileprivate static let casesPerBlock: Int64 = 512
    /// More blocks than that are not kept in memory: 4 MiB.
    fileprivate static let blocksMax = 1024

    fileprivate struct Block {
        var sums = [UInt64](repeating: 0, count: Int(CaseSums.casesPerBlock))
        var isChanged = false
    }
    fileprivate var blocks: [Int64: Block] = [:]

    /// Numbers that a case can have: those that leave room for its rows' numbers.
    static let numbers: Range<Int64> = 1..<1 << 38

    fileprivate static func place(of caseID: Int64) -> (block: Int64, index: Int) {
        (caseID / casesPerBlock, Int(caseID % casesPerBlock))
    }
}

extension Ledger {
    /// Brings the sum of a case up to date with a row written, or (the hash negated) removed.
    func changeSum(ofCase caseID: Int64, by hash: UInt64) throws {
        try setSum(ofCase: caseID) { $0 &+= hash }
    }

    /// Sums of cases whose rows have just been written.
    func addSums(_ sums: [(caseID: Int64, sum: UInt64)]) throws {
        for (caseID, sum) in sums { try changeSum(ofCase: caseID, by: sum) }
    }

    private func setSum(ofCase caseID: Int64, _ change: (inout UInt64) -> Void) throws {
        guard CaseSums.numbers.contains(caseID) else { throw LedgerError.damaged("a row belongs to no case") }
        let place = CaseSums.place(of: caseID)
        if caseSums.blocks[place.block] == nil {
            if caseSums.blocks.count >= CaseSums.blocksMax { try writeCaseSums() }
            caseSums.blocks[place.block] = try block(place.block)
        }
        change(&caseSums.blocks[place.block]!.sums[place.index])
        caseSums.blocks[place.block]!.isChanged = true
    }

    /// Writes what has changed, and lets go of all.
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
        var row = try connection.prepare("SELECT sums FROM case_sum WHERE block = ?1")
        row.bind(1, number)
        var block = CaseSums.Block()
        guard try row.step() else { return block }
        block.read(row.blob(0))
        return block
    }

    /// - Throws: `LedgerError.damaged` where the rows found of these cases, ascending, do not come to what was written.
    func prove(_ found: [(caseID: Int64, sum: UInt64)], _ prior: StoredEvidence) throws {
        var row = try connection.prepare("SELECT sums FROM case_sum WHERE block = ?1")
        var last: (number: Int64, block: CaseSums.Block)?
        for (caseID, sum) in found {
            let place = CaseSums.place(of: caseID)
            if last?.number != place.block {
                // What this transaction has changed and not written yet comes first.
                var block = caseSums.blocks[place.block] ?? CaseSums.Block()
                if !block.isChanged {
                    row.bind(1, place.block)
                    if try row.step() { block.read(row.blob(0)) }
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
    /// What is cut off counts as absent, and proves nothing right.
    mutating func read(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            for index in 0..<min(sums.count, bytes.count / 8) {
                sums[index] = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            }
        }
    }
}

extension StoredEvidence {
    /// What a person may know a case by.
    fileprivate func name(of caseID: Int64) -> String {
        if let index = orderCases.firstIndex(of: caseID) { return " (order \(evidence.orders[index].id.text))" }
        if let index = transactionCases.firstIndex(of: caseID) {
            return " (transaction \(evidence.transactions[index].id.text))"
        }
        return ""
    }
}
