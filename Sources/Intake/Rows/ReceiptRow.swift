extension RowReader {
    /// The receipt in the current row. Its data is not checked here.
    mutating func receipt(_ source: Provenance, _ hasher: inout SHA256) throws(RowFault) -> Receipt {
        var receipt = Receipt(
            id: try identifier(.receiptID), content: content(&hasher), account: try requiredIdentifier(.accountID),
            receivedAt: try requiredInstant(.receivedAt), source: source)
        receipt.order = try identifier(.orderID)
        receipt.transaction = try identifier(.transactionID)
        receipt.product = try identifier(.productID)
        receipt.device = try identifier(.deviceID)
        // A word in place of a number ("timeout") is not Apple's answer and counts as none.
        receipt.verifyStatus = value(.verifyStatus).flatMap(Parse.integer).flatMap(Int32.init(exactly:))
        receipt.isRetryable = try word(.verifyRetryable, Words.flags)
        receipt.labels = labelSet()
        return receipt
    }

    /// The key of a receipt without an id: a SHA-256 of its content, so that the same upload has the same key in any
    /// file format.
    ///
    /// The hash covers each column with a value, in the order of docs/spec/interfaces.md#receipt-content: its standard
    /// name, 0x1F, the text, 0x1E.
    private mutating func content(_ hasher: inout SHA256) -> Digest256 {
        canonical.removeAll(keepingCapacity: true)
        for (column, introduction) in known {
            guard let text = value(column) else { continue }
            canonical.append(contentsOf: introduction)
            canonical.append(contentsOf: text)
            canonical.append(0x1E)
        }
        // In one call: for short texts, a call to libcrypto takes longer than the hashing.
        canonical.withUnsafeBytes { hasher.update($0) }
        return hasher.finish()
    }
}
