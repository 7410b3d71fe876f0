internal import AppStore
internal import Domain
internal import Scan

/// Rows in Apple's own formats: AppStore reads them, here they are counted.
extension BlockParser {
    /// A line of a transactions feed. It is used unless nothing of it could be: a page of twenty with one bad element is.
    mutating func useTransactions(_ row: UnsafeRawBufferPointer, _ source: Provenance) {
        outcome.removeAll()
        apple.read(row, isBackendTrusted: rows.feed.trust == .backend, source: source, into: &outcome)
        keepOutcome(row, source)
        if outcome.isRejected { part.totals.rejected += 1 }
    }

    /// A look-up of an e-mailed order id: what verifies in its answer is evidence, and belongs to that id.
    mutating func useOrderLookup(_ row: UnsafeRawBufferPointer, _ source: Provenance) throws(RowFault) {
        let order = try rows.requiredIdentifier(.orderID)
        outcome.removeAll()
        try readResponse(source)
        outcome.transactions.removeAll { transaction in
            guard transaction.proof != .verified else { return false }
            outcome.rejects.append(
                LineReject(column: "signedTransactions", reason: "one does not verify; fetch the answer again"))
            return true
        }
        for transaction in outcome.transactions {
            part.evidence.orderLookups.append(
                OrderLookup(emailedOrder: order, transaction: transaction.id, source: source))
        }
        keepOutcome(row, source)
        if outcome.isRejected { part.totals.rejected += 1 }
    }

    /// Apple answers 0 with the order's transactions, 1 for an id it does not know: then there is nothing to keep.
    private mutating func readResponse(_ source: Provenance) throws(RowFault) {
        guard let response = rows.value(.response) else { throw RowFault(.response, "is empty; every row needs one") }
        var status: Int64?
        var signed: UnsafeRawBufferPointer?
        do {
            try JSON.forEachMember(of: response) { key, value in
                if key.raw.isEqual(to: "status"), case .number(let text) = value { status = Parse.integer(text) }
                if key.raw.isEqual(to: "signedTransactions"), case .array(let list) = value { signed = list }
            }
            guard let status else { throw RowFault(.response, "has no status; give Apple's answer as it came") }
            guard status == 0, let signed else { return }
            try JSON.forEachElement(of: signed) { element in
                guard case .string(let text) = element else {
                    throw RowFault(.response, "lists something that is no JWS; give Apple's answer as it came")
                }
                text.withUnescaped { apple.read($0, isBackendTrusted: false, source: source, into: &outcome) }
            }
        } catch {
            throw error as? RowFault ?? RowFault(.response, "no valid JSON object; give Apple's answer as it came")
        }
    }

    /// Moves what AppStore read into the part, and counts it.
    private mutating func keepOutcome(_ row: UnsafeRawBufferPointer, _ source: Provenance) {
        for transaction in outcome.transactions {
            part.totals.add(event: transaction.purchasedAt)
            part.totals.add(transaction.price?.money)
            part.totals.hashTotal &+= identifiers.textHash(of: transaction.id)
            part.evidence.transactions.append(transaction)
        }
        part.verified += outcome.verified
        for reject in outcome.rejects {
            list(column: reject.column, reject.reason, row, Int(source.line))
        }
    }
}
