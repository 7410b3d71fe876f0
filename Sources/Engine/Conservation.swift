internal import Domain
internal import Exceptions
internal import Matching

/// Proves that every row is accounted for. See docs/spec/rules.md#conservation.
///
/// For each file: rows = accepted + duplicates + rejected. Intake counts the rows and the rejected ones. The accepted
/// rows and the duplicates are counted here from the other end: from the evidence that came out of matching, by the
/// delivery that each piece names as its source. A row that was lost on the way, or used twice, upsets the equation.
///
/// - A row is *accepted* if some of its evidence was new, and a *duplicate* if all of it was known.
/// - A row of orders, credits or receipts is one piece of evidence.
/// - A row of transactions may hold several transactions, or none: records that are not purchases yield no evidence. Rows
///   missing from a transactions or look-up file are therefore accepted rows that yield nothing; in any other file they
///   are an error. A surplus is always an error.
/// - Transactions listed in a receipt's data belong to the receipt's row and are not counted.
struct Conservation {
    /// By delivery number: rows with some new evidence.
    private var accepted: [DeliveryID: Int] = [:]
    /// By delivery number: rows without anything new.
    private var duplicates: [DeliveryID: Int] = [:]

    /// - Parameter stored: the evidence that comes before tonight's in `caseSet`, which is not counted.
    init(_ caseSet: CaseSet, _ delivered: Delivered, _ stored: StoredEvidence, _ answers: Answers) {
        count(caseSet.orders, caseSet.orderOutcomes, from: stored.orderCases.count, source: \.source)
        count(caseSet.credits, caseSet.creditOutcomes, from: stored.creditCases.count, source: \.source)
        let news = Set(delivered.evidence.orderLookups.map(\.source))
        countTransactions(caseSet, from: stored.transactionCases.count, news: news)
        count(caseSet.receipts, caseSet.receiptOutcomes, from: stored.receiptCases.count, source: \.source)
        for product in delivered.evidence.products { accepted[product.source.delivery, default: 0] += 1 }
        for answer in answers.fresh { accepted[answer.source.delivery, default: 0] += 1 }
        for answer in answers.repeated { duplicates[answer.source.delivery, default: 0] += 1 }
    }

    private mutating func count<Element>(
        _ elements: [Element], _ fates: [VersionOutcome], from start: Int, source: (Element) -> Provenance
    ) {
        // Rows of one file come together, so the dictionaries are updated once for each run of rows.
        var run = (delivery: DeliveryID(0), rows: 0, duplicates: 0)
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

    /// Counts the rows of transactions; one row may have several transactions. A row is a duplicate if all of them are.
    ///
    /// - Parameter news: rows that say something new about an e-mailed order even if their transactions are known.
    private mutating func countTransactions(_ caseSet: CaseSet, from start: Int, news: Set<Provenance>) {
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
        for position in start..<caseSet.transactions.count {
            // Transactions in a receipt's data belong to the receipt's row.
            if caseSet.transactions[position].isFromReceipt { continue }
            let source = caseSet.transactions[position].source
            if source != row {
                close(&self)
                row = source
                hasNews = news.contains(source)
            }
            if caseSet.transactionOutcomes[position] != .duplicate { hasNews = true }
        }
        close(&self)
    }

    /// The delivery with its accepted and duplicate rows filled in.
    /// - Throws: `EngineError.unproven` where rows were lost or counted twice.
    func counted(_ delivery: Delivery) throws(EngineError) -> Delivery {
        var counted = delivery
        counted.duplicates = duplicates[delivery.number] ?? 0
        counted.accepted = accepted[delivery.number] ?? 0
        let missing = delivery.totals.rows - delivery.totals.rejected - counted.accepted - counted.duplicates
        // A genuine record that is not a purchase (renewal information, a response with another status) is used, yields
        // nothing.
        let mayBeBarren = delivery.kind == .transactions || delivery.kind == .orderLookups
        if missing > 0, mayBeBarren {
            counted.accepted += missing
        } else if missing != 0 {
            throw .unproven(
                "\(delivery.name) has \(Domain.counted(delivery.totals.rows, "row", "rows")), but \(counted.accepted) accepted, "
                    + "\(counted.duplicates) duplicates, \(delivery.totals.rejected) rejected")
        }
        return counted
    }
}
