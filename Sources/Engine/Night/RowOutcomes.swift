internal import Matching

/// What became of the rows of orders, credits, transactions and receipts that tonight's files delivered.
///
/// - A row is *accepted* if some of its evidence was new, and a *duplicate* if all of it was known.
/// - A row of orders, credits or receipts is one piece of evidence.
/// - A row of transactions may hold several transactions, which may belong to several cases.
/// - Transactions listed in a receipt's data belong to the receipt's row and are not counted.
public struct RowOutcomes: Codable, Hashable, Sendable {
    /// By delivery number: rows with some new evidence.
    public var accepted: [DeliveryID: Int] = [:]
    /// By delivery number: rows without anything new.
    public var duplicates: [DeliveryID: Int] = [:]
    /// Rows whose transactions may belong to cases of several parts: whether any of them is new. They are in neither
    /// count.
    public var shared: [Provenance: Bool] = [:]

    public mutating func append(_ other: RowOutcomes) {
        accepted.merge(other.accepted, uniquingKeysWith: +)
        duplicates.merge(other.duplicates, uniquingKeysWith: +)
        shared.merge(other.shared) { $0 || $1 }
    }

    /// Counts the shared rows, once all parts are known.
    ///
    /// - Parameter news: rows that say something new about an e-mailed order even if their transactions are known.
    mutating func settle(news: Set<Provenance>) {
        for (row, hasNews) in shared { add(row.delivery, isNew: hasNews || news.contains(row)) }
        shared = [:]
    }

    mutating func add(_ delivery: DeliveryID, isNew: Bool) {
        if isNew { accepted[delivery, default: 0] += 1 } else { duplicates[delivery, default: 0] += 1 }
    }
}

extension RowOutcomes {
    /// Counts the rows by the deliveries that evidence names as its source.
    ///
    /// - Parameters:
    ///   - stored: the evidence that comes before tonight's, which is not counted.
    ///   - first: evidence of earlier deliveries is not counted, either.
    ///   - shared: rows whose transactions may belong to cases of other parts.
    ///   - news: rows that say something new about an e-mailed order even if their transactions are known.
    init(
        _ cases: CaseSet, from stored: StoredEvidence, since first: DeliveryID = .none, shared: Set<Provenance> = [],
        news: Set<Provenance> = []
    ) {
        count(cases.orders, outcomes: cases.groups.orders.outcomes, from: stored.orders.cases.count, since: first)
        count(cases.credits, outcomes: cases.groups.credits.outcomes, from: stored.credits.cases.count, since: first)
        countTransactions(cases, from: stored.transactions.cases.count, since: first, shared: shared, news: news)
        count(cases.receipts, outcomes: cases.groups.receipts.outcomes, from: stored.receipts.cases.count, since: first)
    }

    private mutating func count(
        _ elements: [some DescribedEvidence], outcomes: [VersionOutcome], from start: Int, since first: DeliveryID
    ) {
        var run = OutcomeRun()
        for position in start..<elements.count {
            let delivery = elements[position].source.delivery
            if delivery >= first { run.count(delivery, isNew: outcomes[position] != .duplicate, in: &self) }
        }
        run.close(&self)
    }

    /// Counts the rows of transactions; a row is a duplicate if all its transactions are.
    private mutating func countTransactions(
        _ cases: CaseSet, from start: Int, since first: DeliveryID, shared: Set<Provenance>, news: Set<Provenance>
    ) {
        var run = OutcomeRun()
        var row: Provenance?
        var hasNews = false
        func close(_ rows: inout RowOutcomes) {
            guard let row else { return }
            if !shared.isEmpty, shared.contains(row) {
                rows.shared[row] = rows.shared[row, default: false] || hasNews
            } else {
                run.count(row.delivery, isNew: hasNews, in: &rows)
            }
        }
        for position in start..<cases.transactions.count {
            // Transactions in a receipt's data belong to the receipt's row.
            if cases.transactions[position].isFromReceipt { continue }
            let source = cases.transactions[position].source
            if source.delivery < first { continue }
            if source != row {
                close(&self)
                row = source
                hasNews = news.contains(source)
            }
            if cases.groups.transactions.outcomes[position] != .duplicate { hasNews = true }
        }
        close(&self)
        run.close(&self)
    }
}

/// Rows of one file. They come together, so the dictionaries are updated once for each run of rows.
private struct OutcomeRun {
    private var delivery = DeliveryID(0)
    private var accepted = 0
    private var duplicates = 0

    mutating func count(_ delivery: DeliveryID, isNew: Bool, in rows: inout RowOutcomes) {
        if delivery != self.delivery {
            close(&rows)
            self = OutcomeRun(delivery: delivery)
        }
        if isNew { accepted += 1 } else { duplicates += 1 }
    }

    init(delivery: DeliveryID = 0) { self.delivery = delivery }

    func close(_ rows: inout RowOutcomes) {
        if accepted > 0 { rows.accepted[delivery, default: 0] += accepted }
        if duplicates > 0 { rows.duplicates[delivery, default: 0] += duplicates }
    }
}
