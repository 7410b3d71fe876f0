extension Ledger {
    /// Ids of exceptions and of e-mailed orders are in no evidence, so no look-up of cases finds them.
    public func exceptionsAndEmails(among texts: [String]) throws -> [NearIdentifier] {
        var exception = try connection.prepare("SELECT 1 FROM exception WHERE id = ?1")
        var email = try connection.prepare(
            "SELECT 1 FROM order_lookup WHERE emailed_order_id = ?1 AND transaction_id <> '' LIMIT 1")
        var known: [NearIdentifier] = []
        for text in texts {
            exception.start(text)
            email.start(text)
            if try exception.step() { known.append(NearIdentifier(kind: .exception, id: text)) }
            if try email.step() { known.append(NearIdentifier(kind: .emailedOrder, id: text)) }
        }
        return known
    }

    /// The texts of packed rows are compared by BETWEEN, which works each of them out once.
    ///
    /// Identifiers have no index by text, because nothing else would use it.
    public func identifiers(startingWith prefix: String, casesMax: Int, countMax: Int) throws -> [NearIdentifier] {
        let oldest = max(0, try nextCase().advanced(by: -casesMax)).row(0)
        let end = prefix + "\u{10FFFF}"
        var found: [NearIdentifier] = []
        for (kind, column, view) in Self.evidenceColumns {
            found += try all(
                "SELECT " + column + " FROM " + view + " WHERE " + column
                    + " BETWEEN ?1 AND ?2 AND id >= ?3 ORDER BY id DESC LIMIT ?4", prefix, end, oldest, countMax
            ) { NearIdentifier(kind: kind, id: $0.text(0)) }
        }
        let exceptions = "SELECT id FROM exception WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3"
        return try found
            + all(exceptions, prefix, end, countMax) { NearIdentifier(kind: .exception, id: $0.text(0)) }
    }

    /// All texts are looked for at once.
    public func accounts(inAnyCaseOf texts: [String], casesMax: Int) throws -> [String] {
        let oldest = max(0, try nextCase().advanced(by: -casesMax)).row(0)
        let wanted = "\n" + texts.map { $0.lowercased() + "\n" }.joined()
        let queries = ["backend_order", "backend_credit", "client_receipt"].map {
            "SELECT account_id FROM " + $0
                + " WHERE id >= ?1 AND instr(?2, char(10) || lower(account_id) || char(10)) > 0"
        }
        return try all(queries.joined(separator: " UNION "), oldest, wanted) { $0.text(0) }
    }

    public func accounts(endingIn text: String, casesMax: Int, countMax: Int) throws -> [String] {
        let oldest = max(0, try nextCase().advanced(by: -casesMax)).row(0)
        let queries = ["backend_order", "backend_credit", "client_receipt"].map {
            "SELECT account_id FROM " + $0 + " WHERE id >= ?1 AND substr(account_id, -length(?2)) = ?2"
        }
        return try all(queries.joined(separator: " UNION ") + " LIMIT ?3", oldest, text, countMax) { $0.text(0) }
    }

    /// Devices have no index.
    public func cases(ofDevices devices: [String], casesMax: Int) throws -> Set<CaseID> {
        var found = Set<CaseID>()
        let oldest = max(0, try nextCase().advanced(by: -casesMax)).row(0)
        var statement = try connection.prepare("SELECT id FROM client_receipt WHERE id >= ?1 AND device_id = ?2")
        for device in Set(devices) {
            statement.start(oldest, device)
            while try statement.step() { found.insert(CaseID(ofRow: statement.integer(0))) }
        }
        return found
    }

    public func cases(
        ofOrdersFor product: Identifier, in span: ClosedRange<Instant>, near caseID: CaseID, casesMax: Int
    ) throws -> Set<CaseID> {
        let oldest = max(0, caseID.advanced(by: -casesMax)).row(0)
        return Set(
            try all(
                """
                SELECT id FROM backend_order WHERE id >= ?1 AND id < ?2 AND product_id = ?3 AND created_at BETWEEN ?4 AND ?5
                AND transaction_id IS NULL
                """, oldest, caseID.advanced(by: casesMax).row(0), product.text, span.lowerBound.milliseconds,
                span.upperBound.milliseconds
            ) { CaseID(ofRow: $0.integer(0)) })
    }

    public func newestOrders(_ countMax: Int) throws -> [String] {
        try all("SELECT order_id FROM backend_order ORDER BY id DESC LIMIT ?1", countMax) { $0.text(0) }
    }

    private static let evidenceColumns: [(kind: LookupKind, column: String, view: String)] = [
        (.transaction, "transaction_id", "apple_transaction"), (.order, "order_id", "backend_order"),
        (.credit, "credit_id", "backend_credit"), (.receipt, "receipt_id", "client_receipt"),
        (.account, "account_id", "backend_order"),
    ]
}
