internal import CCrypto
internal import Domain
internal import Scan

/// What an app receipt lists, signed or not: nothing in it is proven by being here. APPLE §6.
struct AppReceipt {
    /// Where it came from; keeps alive what is read in place.
    let container: SignedReceipt
    /// `Production`, `ProductionSandbox`, `Xcode`, …: as written.
    var type: String?
    var bundle: String?
    /// Zero outside production.
    var appAppleID: Int64?
    var version: String?
    var originalVersion: String?
    /// When Apple made the receipt: the instant at which its certificates must be valid.
    var createdAt: Instant?
    /// When the app itself was first bought.
    var originalPurchaseDate: Instant?
    var expiresAt: Instant?
    /// In place: of a receipt that is not genuine none is ever read, so that a flood of forgeries leaves no ids behind.
    private var purchaseValues: [UnsafeRawBufferPointer] = []

    private static let purchasesMax = 10_000

    /// Nil where the content is not the SET of attributes that a receipt is.
    init?(_ container: SignedReceipt) {
        self.container = container
        var wrapper = ASN1Reader(container.content)
        // Some receipts hold theirs in one more OCTET STRING.
        let payload = wrapper.next(V_ASN1_OCTET_STRING) ?? container.content
        guard ReceiptAttribute.forEach(of: payload, { set($0) }) else { return nil }
    }

    /// Not in order of time. Finished consumables are missing, and what is no list of attributes is passed over.
    var purchases: [ReceiptPurchase] { purchaseValues.compactMap { ReceiptPurchase($0, in: self) } }

    /// False where the attribute is not what it must be.
    private mutating func set(_ attribute: ReceiptAttribute) -> Bool {
        switch attribute.type {
        case 0: type = attribute.string
        case 1: appAppleID = attribute.integer
        case 2: bundle = attribute.string
        case 3: version = attribute.string
        case 12: createdAt = attribute.instant
        case 17:
            guard purchaseValues.count < Self.purchasesMax else { return false }
            purchaseValues.append(attribute.value)
        case 18: originalPurchaseDate = attribute.instant
        case 19: originalVersion = attribute.string
        case 21: expiresAt = attribute.instant
        default: break
        }
        return true
    }

    var environment: AppEnvironment? {
        type.map { text in Array(text.utf8).withUnsafeBytes(Vocabulary.receiptType) }
    }

    /// Whether it is of another app than the configured ones, as far as it says.
    func isForeign(_ settings: AppStoreSettings) -> Bool {
        if let bundle, !settings.bundles.contains(Identifier(bundle)) { return true }
        guard let expected = settings.appAppleID, let appAppleID, appAppleID != 0 else { return false }
        return appAppleID != expected
    }
}

/// One purchase that a receipt lists: attribute 17.
struct ReceiptPurchase {
    /// What a transaction record would say too, the receipt's own app and date among it; no price.
    var fields = TransactionFields()
    var originalPurchaseDate: Instant?
    var isTrial = false
    var isIntroductory = false
    var offer: String?

    /// Nil where it is not a SET of attributes.
    fileprivate init?(_ value: UnsafeRawBufferPointer, in receipt: AppReceipt) {
        fields.bundle = receipt.bundle.map { Identifier($0) }
        fields.environment = receipt.environment
        fields.signedDate = receipt.createdAt
        guard ReceiptAttribute.forEach(of: value, { set($0) }) else { return nil }
    }

    private mutating func set(_ attribute: ReceiptAttribute) -> Bool {
        switch attribute.type {
        case 1701: fields.quantity = attribute.integer
        case 1702: fields.product = attribute.identifier
        case 1703: fields.transactionID = attribute.identifier
        case 1704: fields.purchaseDate = attribute.instant
        case 1705: fields.originalTransactionID = attribute.identifier
        case 1706: originalPurchaseDate = attribute.instant
        case 1707: fields.type = attribute.integer.flatMap(Self.type)
        case 1708: fields.expiresDate = attribute.instant
        case 1711: fields.line = attribute.integer.flatMap { $0 == 0 ? nil : Identifier(String($0)) }
        case 1712: fields.revocationDate = attribute.instant
        case 1713: isTrial = attribute.integer == 1
        case 1719: isIntroductory = attribute.integer == 1
        case 1721: offer = attribute.string
        default: break
        }
        return true
    }

    private static func type(_ code: Int64) -> ProductType? {
        switch code {
        case 0: .nonConsumable
        case 1: .consumable
        case 2: .nonRenewing
        case 3: .autoRenewable
        default: nil
        }
    }
}
