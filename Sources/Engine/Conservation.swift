internal import Domain
internal import Exceptions
internal import Matching

/// Every row is accounted for: rows = accepted + duplicates + rejected, file by file, counted from what came out
/// at the end and not from what went in. RULES §6.1.
struct Conservation {
    /// By delivery: rows of which some evidence was new, and rows that said only what was known.
    private var accepted: [Int32: Int] = [:]
    private var duplicates: [Int32: Int] = [:]

    /// - Parameter recalled: what stands before tonight's evidence in the book.
    init(_ book: CaseSet, _ delivered: Delivered, _ stored: StoredEvidence, _ answers: Answers) {
        count(book.orders, book.orderOutcomes, from: stored.orderCases.count, source: \.source)
        count(book.credits, book.creditOutcomes, from: stored.creditCases.count, source: \.source)
        let news = Set(delivered.evidence.orderLookups.map(\.source))
        countTransactions(book, from: stored.transactionCases.count, news: news)
        count(book.receipts, book.receiptOutcomes, from: stored.receiptCases.count, source: \.source)
        for product in delivered.evidence.products { accepted[product.source.delivery, default: 0] += 1 }
        for answer in answers.fresh { accepted[answer.source.delivery, default: 0] += 1 }
        for answer in answers.repeated { duplicates[answer.source.delivery, default: 0] += 1 }
    }

    private mutating func count<Element>(
        _ elements: [Element], _ fates: [VersionOutcome], from start: Int, source: (Element) -> Provenance
    ) {
        // Of one file come many in a row.
        var run = (delivery: Int32(0), rows: 0, duplicates: 0)
        func close(_ conservation: inout Conservation) {
            if run.rows > run.duplicates {
                conservation.accepted[run.delivery, default: 0] += run.rows - run.duplicates
            }
            if run.duplicates > 0 { conservation.duplicates[run.delivery, default: 0] += run.duplicates }
        }
        for position in start..<elements.count {
            let delivery = source(elements[position]).delivery
            if delivery != run.delivery {
                close(&self)
                run = (delivery, 0, 0)
            }
            run.rows += 1
            if fates[position] == .duplicate { run.duplicates += 1 }
        }
        close(&self)
    }

    /// A row of a transactions feed may hold many transactions: it is a duplicate where all of them are.
    /// `news`: rows that tell of an e-mailed order what nobody knew, though its transactions be known.
    private mutating func countTransactions(_ book: CaseSet, from start: Int, news: Set<Provenance>) {
        var row: Provenance?
        var hasNews = false
        func close(_ conservation: inout Conservation) {
            guard let row else { return }
            if hasNews {
                conservation.accepted[row.delivery, default: 0] += 1
            } else {
                conservation.duplicates[row.delivery, default: 0] += 1
            }
        }
        for position in start..<book.transactions.count {
            // What a receipt's data lists belongs to the receipt's row.
            if book.transactions[position].isFromReceipt { continue }
            let source = book.transactions[position].source
            if source != row {
                close(&self)
                row = source
                hasNews = news.contains(source)
            }
            if book.transactionOutcomes[position] != .duplicate { hasNews = true }
        }
        close(&self)
    }

    /// The delivery with its rows counted.
    /// - Throws: `EngineError.unproven` where a row got lost or was invented on the way.
    func counted(_ delivery: Delivery) throws(EngineError) -> Delivery {
        var counted = delivery
        counted.duplicates = duplicates[delivery.number] ?? 0
        counted.accepted = accepted[delivery.number] ?? 0
        let missing = delivery.totals.rows - delivery.totals.rejected - counted.accepted - counted.duplicates
        // Genuine records that are no purchase (renewal info, a response with another status) are used and yield nothing.
        let mayBeBarren = delivery.kind == .transactions || delivery.kind == .orderLookups
        if missing > 0, mayBeBarren {
            counted.accepted += missing
        } else if missing != 0 {
            throw .unproven(
                "\(delivery.name) has \(delivery.totals.rows) rows, but \(counted.accepted) accepted, "
                    + "\(counted.duplicates) duplicates, \(delivery.totals.rejected) rejected")
        }
        return counted
    }
}
