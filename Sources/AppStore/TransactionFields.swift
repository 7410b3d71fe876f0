/// The transaction fields of one record, as read. Nothing is judged or required yet.
/// See docs/spec/app-store.md#transaction-fields.
struct TransactionFields {
    var transactionID: Identifier?
    var originalTransactionID: Identifier?
    var line: Identifier?
    var bundle: Identifier?
    var product: Identifier?
    var purchaseDate: Instant?
    var originalPurchaseDate: Instant?
    var expiresDate: Instant?
    var signedDate: Instant?
    var quantity: Int64?
    var type: ProductType?
    var token: Token?
    var ownership: Ownership?
    var revocationDate: Instant?
    var revocationReason: Int32?
    var revocationType: RevocationType?
    var revocationPercentage: Int32?
    var isUpgraded = false
    var reason: TransactionReason?
    var environment: AppEnvironment?
    var storefront: Identifier?
    var thousandths: Int64?
    var currency: Currency?
    /// The price is that of an introductory or other offer.
    var hasOffer = false

    /// Stores the value if `field` is a transaction field; other fields are ignored.
    @inline(__always)
    mutating func set(_ field: PayloadField, to value: JSONValue, _ reader: inout FieldReader) throws {
        switch field {
        case .transactionID:
            transactionID = try reader.identifier(value, named: "transactionId", of: field)
            try FieldReader.requireAppleSpelling(value)
        case .originalTransactionID:
            originalTransactionID = try reader.identifier(value, named: "originalTransactionId", of: field)
        case .line: line = try reader.identifier(value, named: "webOrderLineItemId", of: field)
        case .bundle: bundle = try reader.identifier(value, named: "bundleId", of: field)
        case .product: product = try reader.identifier(value, named: "productId", of: field)
        case .storefront: storefront = try reader.identifier(value, named: "storefront", of: field)
        case .purchaseDate: purchaseDate = try FieldReader.instant(value, "purchaseDate")
        case .expiresDate: expiresDate = try FieldReader.instant(value, "expiresDate")
        case .signedDate: signedDate = try FieldReader.instant(value, "signedDate")
        case .revocationDate: revocationDate = try FieldReader.instant(value, "revocationDate")
        case .quantity: quantity = try FieldReader.number(value, "quantity")
        case .price: thousandths = try FieldReader.number(value, "price")
        default: setDetail(field, value)
        }
    }

    /// Stores a descriptive field. A value that is not understood counts as no value.
    private mutating func setDetail(_ field: PayloadField, _ value: JSONValue) {
        switch field {
        case .type: type = FieldReader.word(value, Vocabulary.type)
        case .originalPurchaseDate:
            originalPurchaseDate = try? FieldReader.instant(value, "originalPurchaseDate")
        case .token: token = FieldReader.word(value, Token.init(bytes:))
        case .currency: currency = FieldReader.word(value) { Currency(bytes: $0) }
        case .environment: environment = FieldReader.word(value, Vocabulary.environment)
        case .ownership: ownership = FieldReader.word(value, Vocabulary.ownership)
        case .revocationType: revocationType = FieldReader.word(value, Vocabulary.revocationType)
        case .revocationReason: revocationReason = FieldReader.detail(value, in: 0...Int64(Int32.max))
        case .revocationPercentage: revocationPercentage = FieldReader.detail(value, in: 0...100_000)
        case .reason: reason = FieldReader.word(value, Vocabulary.reason)
        case .offer: hasOffer = FieldReader.detail(value, in: 1...Int64(Int32.max)) != nil
        case .isUpgraded:
            if case .bool(let flag) = value { isUpgraded = flag }
            isUpgraded = isUpgraded || FieldReader.word(value) { $0.isEqual(to: "true") } == true
        default: break
        }
    }

    /// Nil if the transaction is not revoked. An upgraded subscription, for which verifyReceipt also reports a
    /// cancellation, is not revoked: it was replaced.
    var revocation: Revocation? {
        revocationDate.map {
            Revocation(
                at: $0, type: revocationType ?? .unnamed, reason: revocationReason, percentage: revocationPercentage)
        }
    }
}

extension TransactionFields {
    static let quantityMax: Int64 = 1_000_000

    /// The transaction that these fields describe. Throws a `LineReject` if a required field is missing or a value is
    /// impossible.
    ///
    /// An absent environment or bundle id means the configured one. The caller decides the proof.
    func transaction(settings: AppStoreSettings, proof: Proof, source: Provenance) throws -> Transaction {
        guard let transactionID, transactionID != FieldReader.zero else { throw missing("transactionId") }
        guard let product else { throw missing("productId") }
        guard let paidAt else { throw missing("purchaseDate") }
        guard 1...Self.quantityMax ~= quantity ?? 1 else {
            throw LineReject(column: "quantity", reason: "expected a whole number from 1 to 1000000")
        }
        guard thousandths ?? 0 >= 0 else {
            throw LineReject(column: "price", reason: "expected a price that is not negative")
        }
        if let thousandths, let currency, !Price(thousandths: thousandths, currency: currency).isExact {
            let code = currency.text
            throw LineReject(
                column: "price",
                reason: "expected thousandths of \(code), at most \(currency.exponent) decimals: 6000 is 6 \(code)")
        }
        var transaction = Transaction(
            id: transactionID, product: product, purchasedAt: paidAt,
            environment: environment ?? settings.environment, proof: proof, source: source)
        transaction.original = originalTransactionID == FieldReader.zero ? nil : originalTransactionID
        transaction.line = line?.asLineItem
        transaction.bundle = bundle ?? settings.defaultBundle
        transaction.expiresAt = expiresDate
        transaction.signedAt = signedDate
        transaction.token = token
        if let thousandths, let currency {
            transaction.price = Price(thousandths: thousandths, currency: currency)
        }
        transaction.revocation = revocation
        transaction.storefront = storefront
        transaction.quantity = Int32(quantity ?? 1)
        transaction.type = type
        transaction.ownership = ownership ?? .purchased
        transaction.isUpgraded = isUpgraded
        transaction.reason = reason
        return transaction
    }

    /// When the customer paid. A restore is a new transaction of an old payment: goods of the payment may have been given
    /// since then.
    var paidAt: Instant? {
        let mayBeRestored = type == .nonConsumable || type == nil && expiresDate == nil
        guard mayBeRestored, originalTransactionID != transactionID, let purchaseDate, let originalPurchaseDate,
            originalPurchaseDate.milliseconds > 0
        else { return purchaseDate }
        return min(purchaseDate, originalPurchaseDate)
    }

    /// Throws a `LineReject` if anything is said to happen after `latest`. Expiry dates lie in the future.
    func requirePast(_ latest: Instant) throws {
        func isLate(_ date: Instant?) -> Bool { date.map { $0 > latest } ?? false }
        guard isLate(purchaseDate) || isLate(signedDate) || isLate(revocationDate) else { return }
        let dates = [("purchaseDate", purchaseDate), ("signedDate", signedDate), ("revocationDate", revocationDate)]
        let (column, date) = dates.first { isLate($0.1) }!
        throw LineReject(column: column, reason: LineReject.future(date!), kind: .future)
    }

    private func missing(_ column: String) -> LineReject {
        LineReject(column: column, reason: "\(column) is required, and 0 is not an id", kind: .missing)
    }
}

extension Identifier {
    /// A line item's id as Apple writes it: a program that takes it for a number adds zeros. Nil if it is 0.
    fileprivate var asLineItem: Identifier? {
        var number = Substring(text)
        while number.last == " " { number.removeLast() }
        while number.first == " " { number.removeFirst() }
        if let point = number.firstIndex(of: "."), number[point...].dropFirst().allSatisfy({ $0 == "0" }) {
            number = number[..<point]
        }
        guard number.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return self }
        let digits = number.drop { $0 == "0" }
        return digits.isEmpty ? nil : digits.count == text.count ? self : Identifier(String(digits))
    }
}

extension Transaction {
    /// Marks the transaction as not proven, with the reason.
    mutating func invalidate(_ failure: ProofFailure) {
        proof = .invalid
        self.failure = failure
    }
}
