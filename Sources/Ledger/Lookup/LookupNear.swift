public import Domain
public import Engine
internal import SQLite

extension Ledger {
    /// No evidence contains such ids.
    public func exceptionsAndEmails(among texts: [String]) throws -> [NearIdentifier] {
        var exception = try connection.prepare("SELECT 1 FROM exception WHERE id = ?1")
        var email = try connection.prepare(
            "SELECT 1 FROM order_lookup WHERE emailed_order_id = ?1 AND transaction_id <> '' LIMIT 1")
        var known: [NearIdentifier] = []
        for text in texts {
            exception.bind(1, text)
            email.bind(1, text)
            if try exception.step() { known.append(NearIdentifier(kind: .exception, id: text)) }
            if try email.step() { known.append(NearIdentifier(kind: .emailedOrder, id: text)) }
            exception.reset()
            email.reset()
        }
        return known
    }

    /// The texts of packed rows are compared by BETWEEN, which works each of them out once.
    ///
    /// Identifiers have no index by text, because nothing else would use it.
    public func identifiers(startingWith prefix: String, casesMax: Int, countMax: Int) throws -> [NearIdentifier] {
        let oldest = max(0, try nextCase().advanced(by: -casesMax)).row(0)
        var found: [NearIdentifier] = []
        for (kind, sql) in Self.prefixQueries {
            var statement = try connection.prepare(sql)
            statement.bind(1, prefix)
            statement.bind(2, prefix + "\u{10FFFF}")
            statement.bind(3, oldest)
            statement.bind(4, Int64(countMax))
            while try statement.step() { found.append(NearIdentifier(kind: kind, id: statement.text(0))) }
        }
        return found
    }

    /// Devices have no index.
    public func cases(ofDevices devices: [String], casesMax: Int) throws -> Set<CaseID> {
        var found = Set<CaseID>()
        let oldest = max(0, try nextCase().advanced(by: -casesMax)).row(0)
        var statement = try connection.prepare("SELECT id FROM client_receipt WHERE id >= ?1 AND device_id = ?2")
        for device in Set(devices) {
            statement.bind(1, oldest)
            statement.bind(2, device)
            while try statement.step() { found.insert(CaseID(ofRow: statement.integer(0))) }
            statement.reset()
        }
        return found
    }

    public func newestOrders(_ countMax: Int) throws -> [String] {
        var found: [String] = []
        var statement = try connection.prepare("SELECT order_id FROM backend_order ORDER BY id DESC LIMIT ?1")
        statement.bind(1, Int64(countMax))
        while try statement.step() { found.append(statement.text(0)) }
        return found
    }

    private static let prefixQueries: [(kind: LookupKind, sql: String)] = [
        (
            .transaction,
            """
            SELECT transaction_id FROM apple_transaction
            WHERE transaction_id BETWEEN ?1 AND ?2 AND id >= ?3 ORDER BY id DESC LIMIT ?4
            """
        ),
        (
            .order,
            """
            SELECT order_id FROM backend_order WHERE order_id BETWEEN ?1 AND ?2 AND id >= ?3
            ORDER BY id DESC LIMIT ?4
            """
        ),
        (
            .credit,
            """
            SELECT credit_id FROM backend_credit WHERE credit_id BETWEEN ?1 AND ?2 AND id >= ?3
            ORDER BY id DESC LIMIT ?4
            """
        ),
        (
            .receipt,
            """
            SELECT receipt_id FROM client_receipt WHERE receipt_id BETWEEN ?1 AND ?2 AND id >= ?3
            ORDER BY id DESC LIMIT ?4
            """
        ),
        (
            .account,
            """
            SELECT account_id FROM backend_order WHERE account_id BETWEEN ?1 AND ?2 AND id >= ?3
            ORDER BY id DESC LIMIT ?4
            """
        ),
        (.exception, "SELECT id FROM exception WHERE id >= ?1 AND id < ?2 AND ?3 IS NOT NULL ORDER BY id LIMIT ?4"),
    ]
}
