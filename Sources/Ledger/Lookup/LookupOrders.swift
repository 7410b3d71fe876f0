public import Domain
internal import SQLite

// Which transactions Apple names for the order id in its e-mails. The answers are kept for good, so that Apple is asked
// only once.
extension Ledger {
    /// The look-ups that the ledger does not contain yet, each once, in the order given.
    public func unknown(_ lookups: [OrderLookup]) throws -> [OrderLookup] {
        if lookups.isEmpty { return [] }
        var seen = Set<OrderLookup.Relation>()
        var statement = try connection.prepare(
            "SELECT 1 FROM order_lookup WHERE emailed_order_id = ?1 AND transaction_id = ?2")
        return try lookups.filter { lookup in
            statement.bind(1, lookup.emailedOrder.text)
            statement.bind(2, lookup.transaction?.text ?? "")
            let isKnown = try statement.step()
            statement.reset()
            return !isKnown && seen.insert(lookup.relation).inserted
        }
    }

    /// Records look-ups.
    public func write(_ lookups: [OrderLookup]) throws {
        var row = try TableWriter<OrderLookupColumn>(self)
        for lookup in lookups {
            row.set(.emailedOrderID, lookup.emailedOrder.text)
            // An empty id means that Apple knows no such order.
            row.set(.transactionID, lookup.transaction?.text ?? "")
            row.set(.delivery, lookup.source.delivery)
            row.set(.line, Int64(lookup.source.line))
            try row.write()
        }
    }

    /// The transactions of the order that Apple's e-mail names, sorted.
    public func transactions(ofEmailedOrder id: String) throws -> [Identifier] {
        var found: [Identifier] = []
        var row = try TableReader<OrderLookupColumn>(
            self, only: [.transactionID],
            "WHERE emailed_order_id = ?1 AND transaction_id <> '' ORDER BY transaction_id")
        row.statement.bind(1, id)
        while try row.step() { found.append(try row.requiredIdentifier(.transactionID)) }
        return found
    }

    public func isUnknownToApple(emailedOrder id: String) throws -> Bool {
        var statement = try connection.prepare(
            "SELECT 1 FROM order_lookup WHERE emailed_order_id = ?1 AND transaction_id = ''")
        statement.bind(1, id)
        return try statement.step()
    }
}

extension OrderLookup {
    fileprivate struct Relation: Hashable {
        var emailedOrder: Identifier
        var transaction: Identifier?
    }

    fileprivate var relation: Relation { Relation(emailedOrder: emailedOrder, transaction: transaction) }
}
