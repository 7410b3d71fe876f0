internal import Matching

extension Ledger {
    /// Writes everything that a night changes, within the open transaction.
    ///
    /// - Parameters:
    ///   - night: sealed before. Its cases are released from memory as soon as they are written.
    ///   - threads: the number of cores to use. The bytes written do not depend on it.
    /// - Throws: `Interrupted`; `SQLiteError`; `LedgerError.damaged`.
    public func apply(_ night: inout Night, threads: Int, work: WorkCount) throws {
        let (run, delivered) = (night.run, night.delivered)
        work.expect(rows: night.records.numbering.dirty.count + night.records.verdicts.all.count)
        try write(night.deliveries, run: run.id)
        try write(delivered.arrivals, run: run.id)
        if !delivered.evidence.products.isEmpty { try replaceProducts(night.products) }
        try clear(night.records.numbering.cleared)
        try writeEvidence(night, threads: threads, work: work)
        night.records.cases = CaseSet()
        try writeVerdicts(night, threads: threads, work: work)
        try replaceOwners(
            night.records.isRebuilt ? night.records.owners.accounts : night.records.owners.changes,
            isRebuilt: night.records.isRebuilt)
        try replaceFacts(night.records.facts)
        try write(night.records.suggestionEntries)
        try replaceTally(night.tally)
        try add(night.purchases, isRebuilt: night.records.isRebuilt)
        try write(night.records.tables, isRebuilt: night.records.isRebuilt)
        try writeSignatures(delivered.verified)
        try write(delivered.evidence.orderLookups)
        try write(run, report: night.report, threads: threads)
        try writeHandOuts(delivered.handOuts, run: run.id)
        try write(night.transitions, run: run.id, threads: threads)
        try replaceKeys(night.caseKeys)
        try write(night.answers)
        try write(night.retries, threads: threads)
    }

    /// How many cases' rows are prepared at a time.
    private static let casesAtOnce = 1024

    private func writeEvidence(_ night: Night, threads: Int, work: WorkCount) throws {
        var writer = try EvidenceWriter(self, cases: night.records.numbering.dirty.count, threads: threads)
        let (cases, numbering, spellings) = (night.records.cases, night.records.numbering, try spellings())
        try pipelined(threads: threads, numbering.dirty.pieces(of: Self.casesAtOnce)) { piece in
            let dirty = numbering.dirty.piece(piece, of: Self.casesAtOnce)
            var rows = EvidenceRows(cases: dirty.count, spellings)
            for number in dirty { rows.add(Int(number), of: cases, as: numbering.numbers[Int(number)]) }
            rows.end()
            return rows
        } use: { rows in
            try Interruption.process.check()
            try writer.write(rows)
            work.add(rows: rows.cases)
        }
        try writer.finish()
    }

    /// Writes only the verdicts that differ from those on record, because each night judges every open case again.
    private func writeVerdicts(_ night: Night, threads: Int, work: WorkCount) throws {
        let (changed, outdated) = night.records.changedVerdicts
        if night.records.isRebuilt { try clearAllVerdicts() }
        try clearVerdicts(of: outdated)
        var writer = try RowInserter(self, Schema.packed[StoredVerdict.place])
        let (verdicts, numbers, spellings) = (
            night.records.verdicts.all, night.records.numbering.numbers, try spellings()
        )
        try pipelined(threads: threads, changed.pieces(of: Self.casesAtOnce)) { piece in
            let starts = changed.piece(piece, of: Self.casesAtOnce)
            let place = StoredVerdict.place
            var rows = FieldWriter(rows: starts.count, of: place..<place + 1, spellings)
            for start in starts {
                let caseID = numbers[Int(verdicts[Int(start)].caseIndex)]
                for (number, verdict) in verdicts.ofCase(at: Int(start)).enumerated() {
                    rows.add(verdict.stored, id: caseID.row(number))
                }
            }
            rows.end()
            return rows.batches[place]
        } use: { rows in
            try writer.write(rows)
            work.add(rows: rows.rows)
        }
        try setOpen(night.records.openCases, among: night.records.isRebuilt ? nil : night.records.judgedAgain)
    }
}

extension NightRecords {
    /// The cases whose verdicts must be written and those whose recorded verdicts must be deleted. `starts` are the
    /// positions in `verdicts.all` where the cases to write begin, in ascending order of case number.
    fileprivate var changedVerdicts: (starts: [Int32], outdated: Set<CaseID>) {
        let verdicts = self.verdicts.all
        let caseID = { [numbering] (start: Int) in numbering.numbers[Int(verdicts[start].caseIndex)] }
        var outdated = Set(recorded.keys)
        var starts: [Int32] = []
        starts.reserveCapacity(verdicts.count)
        var start = 0
        while start < verdicts.count {
            let own = verdicts.ofCase(at: start)
            if let known = recorded[caseID(start)], known == own.map(\.stored) {
                outdated.remove(caseID(start))
            } else {
                starts.append(Int32(start))
            }
            start = own.endIndex
        }
        // In a first night, the cases are in order already.
        if !recorded.isEmpty || isRebuilt { starts.sort { caseID(Int($0)) < caseID(Int($1)) } }
        return (starts, outdated)
    }
}

extension EvidenceRows {
    /// Adds the evidence of the case with index `number`, under the ledger's number of the case.
    fileprivate mutating func add(_ number: Int, of cases: CaseSet, as caseID: CaseID) {
        cases.groups.transactions.forEachKept(number) {
            add(cases.transactionAsRead($0), in: caseID, number: $1, isCurrent: $2)
        }
        cases.groups.orders.forEachKept(number) { add(cases.orderAsRead($0), in: caseID, number: $1, isCurrent: $2) }
        cases.groups.credits.forEachKept(number) { add(cases.credits[$0], in: caseID, number: $1, isCurrent: $2) }
        cases.groups.receipts.forEachKept(number) {
            add(cases.receiptAsRead($0), in: caseID, number: $1, isCurrent: $2)
        }
    }
}

extension CaseGroups {
    /// Calls `body` with the current versions of a case, then with the superseded ones, which stay on record. Rows are
    /// numbered from 0 within the case.
    fileprivate func forEachKept(_ number: Int, _ body: (_ position: Int, _ row: Int, _ isCurrent: Bool) -> Void) {
        var row = 0
        for position in self[number] {
            body(Int(position), row, true)
            row += 1
        }
        for position in superseded(in: number) {
            body(Int(position), row, false)
            row += 1
        }
    }
}
