internal import CCrypto

/// The content of an app receipt. Parsing verifies nothing: `ReceiptVerifier` checks the signature.
/// See docs/spec/app-store.md#app-receipts.
struct AppReceipt {
    /// The container that the receipt came in. It owns the memory that `purchaseValues` points into.
    let container: SignedReceipt
    /// `Production`, `ProductionSandbox`, `Xcode`, …, as written in the receipt.
    var type: String?
    var bundle: String?
    /// The app's Apple ID; 0 outside production.
    var appAppleID: Int64?
    var version: String?
    var originalVersion: String?
    /// When Apple created the receipt. Its certificates must be valid at this instant.
    var createdAt: Instant?
    /// When the user first got the app.
    var originalPurchaseDate: Instant?
    var expiresAt: Instant?
    /// The purchases, not yet decoded. They are decoded only after the signature has been verified, so that a flood of
    /// forged receipts adds no ids to the identifier table.
    private var purchaseValues: [UnsafeRawBufferPointer] = []

    private static let purchasesMax = 10_000

    /// Nil if the content is not the SET of attributes that a receipt consists of.
    init?(_ container: SignedReceipt) {
        self.container = container
        var wrapper = ASN1Reader(container.content)
        // Some receipts wrap the SET in one more OCTET STRING.
        let payload = wrapper.next(V_ASN1_OCTET_STRING) ?? container.content
        guard ReceiptAttribute.forEach(of: payload, { set($0) }) else { return nil }
    }

    /// The purchases that the receipt lists, in no particular order. Finished consumables are missing (Apple removes
    /// them), and entries that are not a SET of attributes are skipped.
    var purchases: [ReceiptPurchase] { purchaseValues.compactMap { ReceiptPurchase($0, in: self) } }

    /// Stores one attribute; false if the receipt lists more purchases than `purchasesMax`.
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

    /// Whether the receipt names an app (bundle id or Apple ID) that is not configured.
    func isForeign(_ settings: AppStoreSettings) -> Bool {
        settings.isForeign(bundle.map { Identifier($0) }, appAppleID: appAppleID == 0 ? nil : appAppleID)
    }
}

/// One purchase in a receipt: an attribute of type 17.
struct ReceiptPurchase {
    /// What a transaction record would say as well. Bundle, environment and signing date are the receipt's; there is no
    /// price.
    var fields = TransactionFields()
    var isTrial = false
    var isIntroductory = false
    var offer: String?

    /// Nil if the value is not a SET of attributes.
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
        case 1706: fields.originalPurchaseDate = attribute.instant
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
