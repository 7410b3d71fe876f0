package import Domain

extension [WorldFile] {
    /// All rows as readers hand them on: ids that are none are nil, and each row knows its delivery and line.
    package func evidence(delivery: DeliveryID) -> Evidence {
        func real(_ id: Identifier?) -> Identifier? { ["", "0", "null"].contains(id?.text) ? nil : id }
        var rows = evidence
        for index in rows.orders.indices {
            rows.orders[index].source.delivery = delivery
            rows.orders[index].transaction = real(rows.orders[index].transaction)
        }
        for index in rows.credits.indices {
            rows.credits[index].source.delivery = delivery
            rows.credits[index].order = real(rows.credits[index].order)
            rows.credits[index].transaction = real(rows.credits[index].transaction)
        }
        for index in rows.transactions.indices {
            rows.transactions[index].source.delivery = delivery
            rows.transactions[index].original = real(rows.transactions[index].original)
            rows.transactions[index].line = real(rows.transactions[index].line)
        }
        for index in rows.receipts.indices {
            rows.receipts[index].source.delivery = delivery
            rows.receipts[index].order = real(rows.receipts[index].order)
            rows.receipts[index].transaction = real(rows.receipts[index].transaction)
        }
        return rows
    }
}
