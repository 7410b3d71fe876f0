/// A verifyReceipt response. It proves nothing unless its status is 0, whatever else it contains.
/// See docs/spec/app-store.md#verify-receipt.
struct VerifyReceiptResponse {
    private let response: Record
    private var bundle: Identifier?
    /// When Apple answered. Of two responses the later one knows about a refund.
    private var answeredAt: Instant?
    private var inApp: JSONValue?
    private var receiptEnvironment: AppEnvironment?
    private var isItsOwnTransaction = false

    init(_ response: Record) { self.response = response }

    /// The listed transactions, one per id. `latest_receipt_info` is read first, because its items say more than those
    /// of `in_app`.
    ///
    /// Finished consumables may be missing, so nothing may be concluded from absence. A faulty item is passed to
    /// `onFault`.
    mutating func fields(_ reader: inout FieldReader, onFault: (LineReject) -> Void) throws -> [TransactionFields] {
        if let receipt = response.receipt { try readReceipt(receipt, &reader) }
        var found = Found()
        try collect(response.latestReceiptInfo, named: "latest_receipt_info", &reader, into: &found, onFault: onFault)
        try collect(inApp, named: "in_app", &reader, into: &found, onFault: onFault)
        // Before iOS 7 the receipt itself was the transaction.
        if isItsOwnTransaction, let receipt = response.receipt {
            try collect(.object(receipt), named: "receipt", &reader, into: &found, onFault: onFault)
        }
        return found.items
    }

    private mutating func readReceipt(_ receipt: UnsafeRawBufferPointer, _ reader: inout FieldReader) throws {
        try JSONReader.forEachMember(of: receipt) { key, value in
            switch key.string {
            case "bundle_id", "bid": bundle = try reader.identifier(value, named: "bundle_id", of: .bundle)
            case "receipt_type": receiptEnvironment = FieldReader.word(value, Vocabulary.receiptType)
            case "request_date_ms": answeredAt = try FieldReader.instant(value, "request_date_ms")
            case "in_app": inApp = value
            case "transaction_id": isItsOwnTransaction = true
            default: break
            }
        }
    }

    private func collect(
        _ list: JSONValue?, named name: String, _ reader: inout FieldReader, into found: inout Found,
        onFault: (LineReject) -> Void
    ) throws {
        switch list {
        case .array(let bytes):
            var position = 0
            try JSONReader.forEachElement(of: bytes) { element in
                position += 1
                guard case .object(let item) = element else {
                    return onFault(LineReject(column: name, reason: "element \(position) is not an object"))
                }
                do { found.add(try fields(of: item, &reader)) } catch {
                    onFault(LineReject(error, element: position, of: name))
                }
            }
        case .object(let item): found.add(try fields(of: item, &reader))
        default: break
        }
    }

    private func fields(of item: UnsafeRawBufferPointer, _ reader: inout FieldReader) throws -> TransactionFields {
        var fields = TransactionFields()
        try JSONReader.forEachMember(of: item) { key, value in
            if let field = PayloadField.legacy(key) { try fields.set(field, to: value, &reader) }
        }
        fields.bundle = bundle
        fields.environment = response.transaction.environment ?? receiptEnvironment
        fields.signedDate = answeredAt
        // An upgraded subscription has a cancellation date because it was replaced; it was not refunded in full.
        if fields.isUpgraded { fields.revocationDate = nil }
        return fields
    }

    private struct Found {
        var items: [TransactionFields] = []
        var ids: Set<Identifier> = []

        mutating func add(_ fields: TransactionFields) {
            guard let id = fields.transactionID, !ids.insert(id).inserted else { return items.append(fields) }
        }
    }
}

extension LineReject {
    /// The reject for an error that was thrown while reading a record.
    init(_ error: any Error) {
        switch error {
        case let reject as LineReject: self = reject
        case let fault as JSONError:
            self.init(reason: "not valid JSON: at byte \(fault.offset + 1), \(fault.reason)")
        default: preconditionFailure("reading threw \(error), which no reader does")
        }
    }

    /// The reject for an error in one element (from 1) of the array `list`.
    init(_ error: any Error, element: Int, of list: String) {
        let inner = LineReject(error)
        let place = inner.column.map { "element \(element), \($0): " } ?? "element \(element): "
        self.init(column: list, reason: place + inner.reason, kind: inner.kind)
    }
}
