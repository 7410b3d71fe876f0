internal import AppStore

/// Rows in Apple's own formats. AppStore reads them; this code counts them.
extension BlockParser {
    /// Uses a line of a transactions feed. It counts as rejected only if nothing in it could be used: a page of twenty
    /// with one faulty element is accepted, and the element is listed.
    mutating func useTransactions(_ row: UnsafeRawBufferPointer, _ source: Provenance) {
        outcome.removeAll()
        let isQuoted = framing.isDocument && row.count > 1 && row[0] == Framing.quote
        checkers.transactions.read(
            isQuoted ? row.part(1, row.count - 1) : row, isBackendTrusted: rows.feed.trust == .backend, source: source,
            into: &outcome)
        let labels = rows.labelSet(in: row)
        if !labels.isEmpty { for place in outcome.transactions.indices { outcome.transactions[place].labels = labels } }
        keepOutcome(row, source)
        if outcome.isRejected { part.totals.rejected += 1 }
    }

    /// Uses Apple's answer to a look-up of an order id from a customer's e-mail. Transactions in it that verify are
    /// evidence and are linked to that id; others are listed as rejects.
    mutating func useOrderLookup(_ row: UnsafeRawBufferPointer, _ source: Provenance) throws(RowFault) {
        let order = try rows.requiredIdentifier(.orderID)
        outcome.removeAll()
        let isDenied = try !readResponse(source)
        outcome.transactions.removeAll { transaction in
            guard transaction.proof != .verified else { return false }
            outcome.rejects.append(
                LineReject(
                    column: "signedTransactions", reason: "a transaction in it does not verify; fetch the answer again")
            )
            return true
        }
        if isDenied {
            part.evidence.orderLookups.append(OrderLookup(emailedOrder: order, transaction: nil, source: source))
        }
        for transaction in outcome.transactions {
            part.evidence.orderLookups.append(
                OrderLookup(emailedOrder: order, transaction: transaction.id, source: source))
        }
        keepOutcome(row, source)
        if outcome.isRejected { part.totals.rejected += 1 }
    }

    /// Reads Apple's answer. Status 0 comes with the order's transactions. False for status 1: the id names no order of
    /// the app.
    private mutating func readResponse(_ source: Provenance) throws(RowFault) -> Bool {
        guard let response = rows.value(.response) else {
            throw rows.absent(.response)
        }
        var status: Int64?
        var signed: UnsafeRawBufferPointer?
        do {
            try JSONReader.forEachMember(of: response) { key, value in
                if key.raw.isEqual(to: "status"), case .number(let text) = value { status = Parse.integer(text) }
                if key.raw.isEqual(to: "signedTransactions"), case .array(let list) = value { signed = list }
            }
            guard let status else { throw RowFault(.response, "has no status; deliver Apple's answer unchanged") }
            guard status == 0, let signed else { return status != 1 }
            try JSONReader.forEachElement(of: signed) { element in
                guard case .string(let text) = element else {
                    throw RowFault(.response, "contains an element that is not a JWS; deliver Apple's answer unchanged")
                }
                text.withUnescaped {
                    checkers.transactions.read($0, isBackendTrusted: false, source: source, into: &outcome)
                }
            }
            return true
        } catch {
            throw error as? RowFault ?? RowFault(.response, "not a valid JSON object; deliver Apple's answer unchanged")
        }
    }

    /// Moves the transactions that AppStore read into the part, and adds them to the totals.
    private mutating func keepOutcome(_ row: UnsafeRawBufferPointer, _ source: Provenance) {
        for transaction in outcome.transactions {
            part.totals.add(event: transaction.purchasedAt)
            part.totals.add(transaction.price?.money)
            part.totals.hashTotal &+= identifiers.textHash(of: transaction.id)
            part.evidence.transactions.append(transaction)
        }
        part.verified += outcome.verified
        if part.offers.count < RowSample.rowsMost { part.offers += outcome.offers }
        for reject in outcome.rejects {
            list(reject.column, reject.reason, reject.kind, row: row, line: Int(source.line))
        }
    }
}
