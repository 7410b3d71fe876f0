/// One JSON record from Apple, signed or not, read in a single pass: its transaction fields, the fields that tell its
/// kind, and the records inside it, which stay in place.
struct Record {
    var transaction = TransactionFields()
    var isNotification = false
    var isRenewal = false
    var isAppTransaction = false
    /// When an app transaction's receipt was created; app transactions have no `signedDate`.
    var createdAt: Instant?
    var appAppleID: Int64?
    /// A notification's `data`, `summary`, `appData` or `externalPurchaseToken`: an object.
    var data: UnsafeRawBufferPointer?
    var signedTransactionInfo: JSONText?
    var signedRenewalInfo: JSONText?
    var signedPayload: JSONText?
    /// The array of a transaction history page.
    var signedTransactions: UnsafeRawBufferPointer?
    var status: JSONValue?
    var receipt: UnsafeRawBufferPointer?
    var latestReceiptInfo: JSONValue?

    /// The kind of a signed record. Only renewal information names neither a transaction nor an app.
    /// See docs/spec/app-store.md#record-kinds.
    var kind: VerifyResult.Kind {
        if isNotification { return .notification }
        if transaction.transactionID != nil { return .transaction }
        if isAppTransaction { return .appTransaction }
        return isRenewal || transaction.bundle == nil ? .renewal : .transaction
    }

    /// Whether the record names an app that is not configured.
    func isForeign(_ settings: AppStoreSettings) -> Bool {
        settings.isForeign(transaction.bundle, appAppleID: appAppleID)
    }

    /// Whether this is a verifyReceipt response, which never has a transaction id of its own.
    var isResponse: Bool {
        receipt != nil || latestReceiptInfo != nil || status != nil && transaction.transactionID == nil
    }

    /// Throws `JSONError` if `bytes` is not a JSON object, and `LineReject` if a field that decides something cannot be
    /// read.
    init(_ bytes: UnsafeRawBufferPointer, _ reader: inout FieldReader, as place: Place) throws {
        var order = MemberOrder<PayloadField?>()
        swap(&order, &reader.orders[place.rawValue])
        defer { swap(&order, &reader.orders[place.rawValue]) }
        try JSONReader.forEachMember(of: bytes, in: &order, meaning: PayloadField.signed) { field, value in
            if let field { try set(field, to: value, &reader) }
        }
    }

    /// Where a record was found. Records in the same place have their fields in the same order, which speeds up
    /// reading.
    enum Place: Int, CaseIterable {
        case line, payload, notification
    }

    @inline(__always)
    private mutating func set(_ field: PayloadField, to value: JSONValue, _ reader: inout FieldReader) throws {
        switch (field, value) {
        case (.notificationType, _): isNotification = true
        case (.autoRenew, _): isRenewal = true
        case (.receiptType, _):
            isAppTransaction = true
            transaction.environment = FieldReader.word(value, Vocabulary.receiptType)
        case (.receiptCreationDate, _): createdAt = try FieldReader.instant(value, "receiptCreationDate")
        case (.appAppleID, _): appAppleID = try FieldReader.number(value, "appAppleId")
        case (.status, _): status = value
        case (.latestReceiptInfo, _): latestReceiptInfo = value
        case (.data, .object(let object)): data = object
        case (.receipt, .object(let object)): receipt = object
        case (.signedTransactions, .array(let array)): signedTransactions = array
        case (.signedTransactionInfo, .string(let text)): signedTransactionInfo = text
        case (.signedRenewalInfo, .string(let text)): signedRenewalInfo = text
        case (.signedPayload, .string(let text)): signedPayload = text
        default: try transaction.set(field, to: value, &reader)
        }
    }
}
