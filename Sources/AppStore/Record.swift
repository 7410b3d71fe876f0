internal import Domain
internal import Scan

/// One JSON record of Apple's, signed or not, read in one pass: what it says of a transaction, what tells its kind,
/// and the further records it holds, in place.
struct Record {
    var transaction = TransactionFields()
    var isNotification = false
    var isRenewal = false
    var isAppTransaction = false
    /// An app transaction's date: it has no signed date.
    var createdAt: Instant?
    var appAppleID: Int64?
    /// A notification's `data`, `summary`, `appData` or `externalPurchaseToken`.
    var data: UnsafeRawBufferPointer?
    var signedTransactionInfo: JSONText?
    var signedRenewalInfo: JSONText?
    var signedPayload: JSONText?
    /// A history page's array.
    var signedTransactions: UnsafeRawBufferPointer?
    var status: JSONValue?
    var receipt: UnsafeRawBufferPointer?
    var latestReceiptInfo: JSONValue?

    enum Kind {
        case transaction, notification, renewal, appTransaction
    }

    /// Of a signed record. Renewal information alone names neither transaction nor app. APPLE §1.
    var kind: Kind {
        if isNotification { return .notification }
        if transaction.transactionID != nil { return .transaction }
        if isAppTransaction { return .appTransaction }
        return isRenewal || transaction.bundle == nil ? .renewal : .transaction
    }

    /// Whether it is of another app than the configured ones, as far as it says.
    func isForeign(_ settings: AppStoreSettings) -> Bool {
        if transaction.isForeign(settings) { return true }
        guard let expected = settings.appAppleID, let appAppleID else { return false }
        return appAppleID != expected
    }

    /// Whether it is verifyReceipt's answer: that never names a transaction itself.
    var isResponse: Bool {
        receipt != nil || latestReceiptInfo != nil || status != nil && transaction.transactionID == nil
    }

    /// Throws `JSONError` where `bytes` are no JSON object, `LineReject` where a field that decides cannot be read.
    init(_ bytes: UnsafeRawBufferPointer, _ reader: inout FieldReader, as place: Place) throws {
        var order = MemberOrder<PayloadField?>()
        swap(&order, &reader.orders[place.rawValue])
        defer { swap(&order, &reader.orders[place.rawValue]) }
        try JSON.forEachMember(of: bytes, in: &order, meaning: { $0.withUnescaped(PayloadField.signed) }) {
            field, value in
            if let field { try set(field, value, &reader) }
        }
    }

    /// Where a record stands: records in the same place look alike.
    enum Place: Int, CaseIterable {
        case line, payload, notification
    }

    @inline(__always)
    private mutating func set(_ field: PayloadField, _ value: JSONValue, _ reader: inout FieldReader) throws {
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
        default: try transaction.set(field, value, &reader)
        }
    }
}
