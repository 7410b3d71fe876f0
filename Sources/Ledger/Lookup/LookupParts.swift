extension Ledger {
    /// Identifiers have no index by text, so only the newest cases are searched.
    public func identifiers(
        with part: PartOfIdentifier, casesMax: Int, countMax: Int
    ) throws -> [(found: NearIdentifier, caseID: CaseID)] {
        let oldest = max(0, try nextCase().advanced(by: -casesMax)).row(0)
        let pattern = likePattern(part.beginning) + "%" + likePattern(part.ending)
        var found: [(found: NearIdentifier, caseID: CaseID)] = []
        for (kind, column, view) in [
            (LookupKind.transaction, "transaction_id", "apple_transaction"), (.order, "order_id", "backend_order"),
        ] {
            found += try all(
                "SELECT " + column + ", id FROM " + view + " WHERE id >= ?1 AND " + column
                    + " LIKE ?2 ESCAPE '\\' ORDER BY id DESC LIMIT ?3",
                oldest, pattern, countMax
            ) { (NearIdentifier(kind: kind, id: $0.text(0)), CaseID(ofRow: $0.integer(1))) }
        }
        let emails = try all(
            """
            SELECT emailed_order_id, transaction_id FROM order_lookup
            WHERE emailed_order_id LIKE ?1 ESCAPE '\\' AND transaction_id <> '' LIMIT ?2
            """, pattern, countMax
        ) { (email: $0.text(0), transaction: $0.text(1)) }
        for (email, transaction) in emails {
            let cases = try cases(knowing: [transaction])
            found += cases.map { (NearIdentifier(kind: .emailedOrder, id: email), $0) }
        }
        return found.filter { part.fits($0.found.id) }
    }

    public func cases(
        _ cases: [CaseID], fitting asked: PurchaseDescription, in spans: [Range<Instant>]
    ) throws -> [CaseID] {
        let needsOrders = asked.ending != nil || asked.account != nil
        // The views put an id together from several columns, which only a search by its end needs.
        let isByEnd = asked.ending != nil
        var purchase = try connection.prepare(
            isByEnd
                ? "SELECT purchased_at, transaction_id FROM apple_transaction WHERE id >= ?1 AND id < ?2"
                : "SELECT purchased_at, '' FROM apple_transaction WHERE id >= ?1 AND id < ?2")
        var order = try connection.prepare(
            isByEnd
                ? "SELECT order_id, account_id FROM backend_order WHERE id >= ?1 AND id < ?2"
                : "SELECT '', account_id FROM backend_order WHERE id >= ?1 AND id < ?2")
        return try cases.filter { number in
            let (first, end) = (number.row(0), number.advanced(by: 1).row(0))
            // Without a time, the dates of the tables were enough.
            var (isInTime, isNamed) = (asked.arounds.isEmpty, !isByEnd)
            purchase.start(first, end)
            while try purchase.step() {
                let at = Instant(milliseconds: purchase.integer(0))
                isInTime = isInTime || spans.contains { $0.contains(at) }
                isNamed = isNamed || purchase.text(1).hasSuffix(asked.ending!)
            }
            guard isInTime, needsOrders else { return isInTime }
            var (isOwned, hasOrders) = (false, false)
            order.start(first, end)
            while try order.step() {
                hasOrders = true
                isNamed = isNamed || order.text(0).hasSuffix(asked.ending!)
                isOwned = isOwned || order.text(1).hasPrefix(asked.account ?? "")
            }
            return isNamed && (isOwned || !hasOrders)
        }
    }
}

/// The text in a LIKE pattern, with `\` before what has a meaning there.
private func likePattern(_ text: String) -> String {
    text.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] }.map { String($0) }.joined()
}
