internal import Domain
internal import Intake
internal import Ledger
internal import Matching

extension Night {
    /// Writes what the night changes into the ledger, within its open transaction.
    func keep(in ledger: Ledger, feeds: [Feed]) throws {
        for delivery in try countedDeliveries() { try ledger.write(delivery, run: run.id) }
        for arrival in gathered.arrivals {
            try ledger.writeArrival(feed: arrival.feed, date: arrival.date, run: run.id)
        }
        if !gathered.evidence.products.isEmpty { try ledger.replaceProducts(products) }
        try ledger.clear(numbering.cleared)
        try keepEvidence(in: ledger)
        try keepVerdicts(in: ledger)
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

    private func keepEvidence(in ledger: Ledger) throws {
        var writer = try EvidenceWriter(ledger)
        for (count, number) in numbering.dirty.enumerated() {
            if count % 4096 == 0 { try Interruption.process.check() }
            let caseFile = numbering.numbers[number]
            try keep(book.orderGroups, number) {
                try writer.write(book.orders[$0], in: caseFile, number: $1, isStanding: $2)
            }
            try keep(book.creditGroups, number) {
                try writer.write(book.credits[$0], in: caseFile, number: $1, isStanding: $2)
            }
            try keep(book.transactionGroups, number) {
                try writer.write(book.transactions[$0], in: caseFile, number: $1, isStanding: $2)
            }
            try keep(book.receiptGroups, number) {
                try writer.write(book.receipts[$0], in: caseFile, number: $1, isStanding: $2)
            }
        }
        try writer.finish()
    }

    /// The copies that count, then those that stay on record.
    private func keep(
        _ groups: CaseGroups, _ number: Int,
        _ write: (_ position: Int, _ number: Int, _ isStanding: Bool) throws -> Void
    ) throws {
        var row = 0
        for position in groups[number] {
            try write(Int(position), row, true)
            row += 1
        }
        for position in groups.superseded(in: number) {
            try write(Int(position), row, false)
            row += 1
        }
    }

    private func keepVerdicts(in ledger: Ledger) throws {
        try ledger.clearSubjects(of: recollection.cases)
        var writer = try VerdictWriter(ledger)
        var previous: Int32 = -1
        var number = 0
        let byNumber = rulings.all.indices.sorted {
            let (left, right) = (rulings.all[$0].caseNumber, rulings.all[$1].caseNumber)
            return left == right
                ? $0 < $1 : numbering.numbers[Int(left)] < numbering.numbers[Int(right)]
        }
        for index in byNumber {
            let ruling = rulings.all[index]
            let caseFile = numbering.numbers[Int(ruling.caseNumber)]
            number = ruling.caseNumber == previous ? number + 1 : 0
            previous = ruling.caseNumber
            try writer.write(
                ruling.subject, ruling.verdict, ruling.cause, ruling.flags, ruling.amount, in: caseFile, number: number)
        }
        for caseFile in rulings.watched(numbering).sorted() { try writer.watch(caseFile) }
        writer.finish()
    }
}
