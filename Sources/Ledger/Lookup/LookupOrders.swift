// Which transactions Apple names for the order id in its e-mails. The answers are kept for good, so that Apple is asked
// only once.
extension Ledger {
    /// The look-ups that the ledger does not contain yet, each once, in the order given.
    public func unknown(_ lookups: [OrderLookup]) throws -> [OrderLookup] {
        if lookups.isEmpty { return [] }
        var seen = Set<[String]>()
        var statement = try connection.prepare(
            "SELECT 1 FROM order_lookup WHERE emailed_order_id = ?1 AND transaction_id = ?2")
        return try lookups.filter { lookup in
            let ids = [lookup.emailedOrder.text, lookup.transaction?.text ?? ""]
            statement.start(ids[0], ids[1])
            return try !statement.step() && seen.insert(ids).inserted
        }
    }

    public func write(_ lookups: [OrderLookup]) throws {
        var row = try TableWriter(self, .orderLookups)
        for lookup in lookups {
            // An empty id means that Apple knows no such order.
            try row.write(
                lookup.emailedOrder.text, lookup.transaction?.text ?? "", lookup.source.delivery,
                Int64(lookup.source.line))
        }
    }

    public func transactions(ofEmailedOrder id: String) throws -> [Identifier] {
        try all(
            """
            SELECT transaction_id FROM order_lookup WHERE emailed_order_id = ?1 AND transaction_id <> ''
            ORDER BY transaction_id
            """, id
        ) { $0.identifier(0) }
    }

    public func isUnknownToApple(emailedOrder id: String) throws -> Bool {
        try connection.integer("SELECT 1 FROM order_lookup WHERE emailed_order_id = ?1 AND transaction_id = ''", id)
            != nil
    }
}
