internal import Domain
internal import Intake
internal import Ledger
internal import Matching

extension Night {
    /// Writes what the night changes into the ledger, within its open transaction.
    mutating func keep(in ledger: Ledger, feeds: [Feed], work: WorkCount) throws {
        work.expect(rows: numbering.dirty.count + verdicts.all.count)
        for delivery in try countedDeliveries() { try ledger.write(delivery, run: run.id) }
        for arrival in delivered.arrivals {
            try ledger.writeArrival(feed: arrival.feed, date: arrival.date, run: run.id)
        }
        if !delivered.evidence.products.isEmpty { try ledger.replaceProducts(products) }
        try ledger.clear(numbering.cleared)
        try keepEvidence(in: ledger, work)
        // By far the most of a night's memory.
        book = CaseSet()
        try keepVerdicts(in: ledger, work)
        let isRebuilt = priorCases.isEverything
        try ledger.replaceOwners(isRebuilt ? tokens.owners : tokens.changes, isRebuilt: isRebuilt)
        try ledger.replaceFacts(facts)
        try ledger.writeSuggestionKeys(verdicts.suggestionKeys(numbering, ledger))
        try ledger.replaceTally(tally)
        try ledger.writeSignatures(delivered.verified)
        try ledger.write(delivered.evidence.orderLookups)
        try ledger.write(run, report: report, threads: threads)
        try ledger.write(moves, run: run.id, threads: threads)
        try ledger.write(answers.fresh)
        try ledger.write(retries.changes, threads: threads)
    }

    /// Cases of which the rows are spelled out at once.
    private static let casesAtOnce = 1024

    private func keepEvidence(in ledger: Ledger, _ work: WorkCount) throws {
        var writer = try EvidenceWriter(ledger, cases: numbering.dirty.count, threads: threads)
        let (book, numbering) = (book, numbering)
        try pipelined(threads: threads, numbering.dirty.pieces(of: Self.casesAtOnce)) { piece in
            let cases = numbering.dirty.piece(piece, of: Self.casesAtOnce)
            var rows = EvidenceRows(cases: cases.count)
            for number in cases { rows.add(Int(number), of: book, as: numbering.numbers[Int(number)]) }
            rows.endCase()
            return rows
        } use: { rows in
            try Interruption.process.check()
            try writer.write(rows)
            work.add(rows: rows.cases)
        }
        try writer.finish()
    }

    /// Verdicts that stand on record as they are stay there: each night looks again at everything open.
    private func keepVerdicts(in ledger: Ledger, _ work: WorkCount) throws {
        let (changed, outdated) = changedVerdicts
        if priorCases.isEverything { try ledger.clearAllVerdicts() }
        try ledger.clearVerdicts(of: outdated)
        var writer = try VerdictWriter(ledger)
        let (verdicts, numbering) = (verdicts.all, numbering)
        try pipelined(threads: threads, changed.pieces(of: Self.casesAtOnce)) { piece in
            let cases = changed.piece(piece, of: Self.casesAtOnce)
            var rows = VerdictRows(cases: cases.count)
            for start in cases {
                let caseID = numbering.numbers[Int(verdicts[Int(start)].caseIndex)]
                for (number, ruling) in verdicts.ofCase(at: Int(start)).enumerated() {
                    rows.add(
                        ruling.subject, ruling.verdict, ruling.cause, ruling.flags, ruling.amount, in: caseID,
                        number: number)
                }
            }
            return rows
        } use: { rows in
            try writer.write(rows)
            work.add(rows: rows.count)
        }
        try ledger.setOpen(
            self.verdicts.openCases(numbering), among: priorCases.isEverything ? nil : priorCases.cases)
    }

    /// Where in the rulings each case begins whose verdicts are not those on record, in ascending order of the ledger's
    /// numbers; and the cases whose record no longer holds.
    private var changedVerdicts: (starts: [Int32], outdated: Set<Int64>) {
        var outdated = Set(recorded.keys)
        var starts: [Int32] = []
        starts.reserveCapacity(verdicts.all.count)
        var start = 0
        while start < verdicts.all.count {
            let own = verdicts.all.ofCase(at: start)
            let caseID = numbering.numbers[Int(own[start].caseIndex)]
            if let known = recorded[caseID], known == own.map(\.record) {
                outdated.remove(caseID)
            } else {
                starts.append(Int32(start))
            }
            start = own.endIndex
        }
        // On a first night they are in order.
        if !recorded.isEmpty || priorCases.isEverything {
            let caseID = { (start: Int32) in numbering.numbers[Int(verdicts.all[Int(start)].caseIndex)] }
            starts.sort { caseID($0) < caseID($1) }
        }
        return (starts, outdated)
    }
}

extension [SubjectVerdict] {
    /// The rulings of the case whose first stands there.
    fileprivate func ofCase(at start: Int) -> ArraySlice<SubjectVerdict> {
        var end = start + 1
        while end < count, self[end].caseIndex == self[start].caseIndex { end += 1 }
        return self[start..<end]
    }
}

extension EvidenceRows {
    /// Adds the evidence of tonight's case `number` under the ledger's number for it.
    fileprivate mutating func add(_ number: Int, of book: CaseSet, as caseID: Int64) {
        book.orderGroups.forEachKept(number) { add(book.orders[$0], in: caseID, number: $1, isCurrent: $2) }
        book.creditGroups.forEachKept(number) { add(book.credits[$0], in: caseID, number: $1, isCurrent: $2) }
        book.transactionGroups.forEachKept(number) {
            add(book.transactions[$0], in: caseID, number: $1, isCurrent: $2)
        }
        book.receiptGroups.forEachKept(number) { add(book.receipts[$0], in: caseID, number: $1, isCurrent: $2) }
    }
}

extension CaseGroups {
    /// The copies that count, then those that stay on record.
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
