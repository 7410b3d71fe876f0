internal import Domain
internal import Intake
internal import Ledger
internal import Matching

extension Night {
    /// Writes what the night changes into the ledger, within its open transaction.
    mutating func keep(in ledger: Ledger, feeds: [Feed], work: WorkCount) throws {
        work.expect(rows: numbering.dirty.count + rulings.all.count)
        for delivery in try countedDeliveries() { try ledger.write(delivery, run: run.id) }
        for arrival in gathered.arrivals {
            try ledger.writeArrival(feed: arrival.feed, date: arrival.date, run: run.id)
        }
        if !gathered.evidence.products.isEmpty { try ledger.replaceProducts(products) }
        try ledger.clear(numbering.cleared)
        try keepEvidence(in: ledger, work)
        // By far the most of a night's memory.
        book = CaseBook()
        try keepVerdicts(in: ledger, work)
        let isRebuilt = recollection.isEverything
        try ledger.replaceOwners(isRebuilt ? tokens.owners : tokens.changes, isRebuilt: isRebuilt)
        try ledger.replaceFacts(facts)
        try ledger.writeLooseEnds(rulings.looseEnds(numbering, ledger))
        try ledger.replaceTally(tally)
        try ledger.writeSignatures(gathered.verified)
        try ledger.write(gathered.evidence.orderLookups)
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
        if recollection.isEverything { try ledger.clearAllVerdicts() }
        try ledger.clearVerdicts(of: outdated)
        var writer = try VerdictWriter(ledger)
        let (rulings, numbering) = (rulings.all, numbering)
        try pipelined(threads: threads, changed.pieces(of: Self.casesAtOnce)) { piece in
            let cases = changed.piece(piece, of: Self.casesAtOnce)
            var rows = VerdictRows(cases: cases.count)
            for start in cases {
                let caseFile = numbering.numbers[Int(rulings[Int(start)].caseNumber)]
                for (number, ruling) in rulings.ofCase(at: Int(start)).enumerated() {
                    rows.add(
                        ruling.subject, ruling.verdict, ruling.cause, ruling.flags, ruling.amount, in: caseFile,
                        number: number)
                }
            }
            return rows
        } use: { rows in
            try writer.write(rows)
            work.add(rows: rows.count)
        }
        try ledger.watch(
            self.rulings.watched(numbering), among: recollection.isEverything ? nil : recollection.cases)
    }

    /// Where in the rulings each case begins whose verdicts are not those on record, in ascending order of the ledger's
    /// numbers; and the cases whose record no longer holds.
    private var changedVerdicts: (starts: [Int32], outdated: Set<Int64>) {
        var outdated = Set(recorded.keys)
        var starts: [Int32] = []
        starts.reserveCapacity(rulings.all.count)
        var start = 0
        while start < rulings.all.count {
            let own = rulings.all.ofCase(at: start)
            let caseFile = numbering.numbers[Int(own[start].caseNumber)]
            if let known = recorded[caseFile], known == own.map(\.record) {
                outdated.remove(caseFile)
            } else {
                starts.append(Int32(start))
            }
            start = own.endIndex
        }
        // On a first night they are in order.
        if !recorded.isEmpty || recollection.isEverything {
            let caseFile = { (start: Int32) in numbering.numbers[Int(rulings.all[Int(start)].caseNumber)] }
            starts.sort { caseFile($0) < caseFile($1) }
        }
        return (starts, outdated)
    }
}

extension [Ruling] {
    /// The rulings of the case whose first stands there.
    fileprivate func ofCase(at start: Int) -> ArraySlice<Ruling> {
        var end = start + 1
        while end < count, self[end].caseNumber == self[start].caseNumber { end += 1 }
        return self[start..<end]
    }
}

extension EvidenceRows {
    /// Adds the evidence of tonight's case `number` under the ledger's number for it.
    fileprivate mutating func add(_ number: Int, of book: CaseBook, as caseFile: Int64) {
        book.orderGroups.forEachKept(number) { add(book.orders[$0], in: caseFile, number: $1, isStanding: $2) }
        book.creditGroups.forEachKept(number) { add(book.credits[$0], in: caseFile, number: $1, isStanding: $2) }
        book.transactionGroups.forEachKept(number) {
            add(book.transactions[$0], in: caseFile, number: $1, isStanding: $2)
        }
        book.receiptGroups.forEachKept(number) { add(book.receipts[$0], in: caseFile, number: $1, isStanding: $2) }
    }
}

extension CaseGroups {
    /// The copies that count, then those that stay on record.
    fileprivate func forEachKept(_ number: Int, _ body: (_ position: Int, _ row: Int, _ isStanding: Bool) -> Void) {
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
