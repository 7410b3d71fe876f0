/// The shop's own columns of a purchase. See docs/spec/why.md#labels.
extension Subject {
    /// Under each name, the first value of the subject's orders, then of its receipts, transactions and credits.
    public func labels(in file: Case) -> LabelSet {
        var labels = LabelSet.none
        for position in orders { labels = labels.filled(from: file.orders[position].labels) }
        for position in receipts { labels = labels.filled(from: file.receipts[position].labels) }
        for position in transactions { labels = labels.filled(from: file.transactions[position].labels) }
        for position in credits { labels = labels.filled(from: file.credits[position].labels) }
        return labels
    }
}

extension LabelSet {
    /// The same for a purchase with one row of each kind.
    @inlinable
    public init(_ order: Order, _ receipt: Receipt?, _ transaction: Transaction, _ credit: Credit) {
        self = order.labels.filled(from: receipt?.labels ?? .none).filled(from: transaction.labels)
            .filled(from: credit.labels)
    }
}
