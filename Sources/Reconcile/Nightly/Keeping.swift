internal import Domain
internal import Intake
internal import Ledger
internal import Matching

extension Night {
    /// Writes what the night changes into the ledger, within its open transaction.
    func keep(in ledger: Ledger, feeds: [Feed], work: WorkCount) throws {
        work.expect(rows: numbering.dirty.count + rulings.all.count)
        for delivery in try countedDeliveries() { try ledger.write(delivery, run: run.id) }
        for arrival in gathered.arrivals {
            try ledger.writeArrival(feed: arrival.feed, date: arrival.date, run: run.id)
        }
        if !gathered.evidence.products.isEmpty { try ledger.replaceProducts(products) }
        try ledger.clear(numbering.cleared)
        try keepEvidence(in: ledger, work)
        try keepVerdicts(in: ledger, work)
        let isRebuilt = recollection.isEverything
        try ledger.replaceOwners(isRebuilt ? tokens.owners : tokens.changes, isRebuilt: isRebuilt)
        try ledger.writeLooseEnds(rulings.looseEnds(numbering, ledger))
        try ledger.replaceTally(tally)
        try ledger.writeSignatures(gathered.verified)
        try ledger.write(gathered.evidence.orderLookups)
        try ledger.write(run, report: report)
        try ledger.write(moves, run: run.id)
        try ledger.write(answers.fresh)
        try ledger.write(retries.changes)
    }

    /// Cases of which the rows are spelled out at once.
    private static let casesAtOnce = 1024

    private func keepEvidence(in ledger: Ledger, _ work: WorkCount) throws {
        var writer = try EvidenceWriter(ledger)
        let (book, numbering) = (book, numbering)
        try pipelined(threads: threads, numbering.dirty.pieces(of: Self.casesAtOnce)) { piece in
            let cases = numbering.dirty.piece(piece, of: Self.casesAtOnce)
            var rows = EvidenceRows(cases: cases.count)
            for number in cases { rows.add(number, of: book, as: numbering.numbers[number]) }
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
            var rows = VerdictRows(count: cases.reduce(0) { $0 + $1.count })
            for indices in cases {
                let caseFile = numbering.numbers[Int(rulings[indices.lowerBound].caseNumber)]
                for (number, index) in indices.enumerated() {
                    let ruling = rulings[index]
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

    /// Where in the rulings each case stands whose verdicts are not those on record, in ascending order of the ledger's
    /// numbers; and the cases whose record no longer holds.
    private var changedVerdicts: (cases: [Range<Int>], outdated: Set<Int64>) {
        var outdated = Set(recorded.keys)
        var cases: [Range<Int>] = []
        cases.reserveCapacity(rulings.all.count)
        var start = 0
        while start < rulings.all.count {
            let number = rulings.all[start].caseNumber
            let end = rulings.all[start...].firstIndex { $0.caseNumber != number } ?? rulings.all.count
            let caseFile = numbering.numbers[Int(number)]
            if let known = recorded[caseFile], known == rulings.all[start..<end].map(\.record) {
                outdated.remove(caseFile)
            } else {
                cases.append(start..<end)
            }
            start = end
        }
        let caseFiles = { (indices: Range<Int>) in
            numbering.numbers[Int(rulings.all[indices.lowerBound].caseNumber)]
        }
        // On a first night they are in order.
        if !recorded.isEmpty || recollection.isEverything { cases.sort { caseFiles($0) < caseFiles($1) } }
        return (cases, outdated)
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

extension Array {
    fileprivate func pieces(of size: Int) -> Int { (count + size - 1) / size }

    fileprivate func piece(_ number: Int, of size: Int) -> ArraySlice<Element> {
        self[number * size..<Swift.min(count, (number + 1) * size)]
    }
}
