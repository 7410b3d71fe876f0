/// Apple's record of one transaction, proven by Apple's signature or vouched for by the backend.
/// See docs/spec/rules.md#evidence, docs/spec/app-store.md#transaction-fields.
public struct Transaction: Equatable, Sendable {
    /// The key: `transactionId`.
    public var id: Identifier
    /// `originalTransactionId`: what was bought first; for a restore the purchase restored. Nil if the record has
    /// none.
    @PackedOptional public var original: Identifier?
    /// `webOrderLineItemId`: identifies one subscription period, which may occur under several transaction ids.
    @PackedOptional public var line: Identifier?
    /// The app's bundle id; nil if the record does not say.
    @PackedOptional public var bundle: Identifier?
    public var product: Identifier
    public var purchasedAt: Instant
    /// When the subscription period ends; nil for anything but a subscription.
    @PackedOptional public var expiresAt: Instant?
    /// When Apple signed this version; the newest is current. Nil if the record is not signed.
    @PackedOptional public var signedAt: Instant?
    /// The `appAccountToken` that the app sent with the purchase; nil if it sent none.
    @PackedOptional public var token: Token?
    /// Three letters, as in Apple's records (`JPN`). Nil if the record does not say.
    @PackedOptional public var storefront: Identifier?
    /// The customer price for the whole quantity. Nil means unknown, not zero.
    @PackedOptional public var price: Price?
    // Small fields follow the large ones without gaps, as in an order.
    /// Nil: the product list's type holds.
    public var type: ProductType?
    public var environment: AppEnvironment
    /// Bought, or shared by a family member.
    public var ownership: Ownership = .purchased
    /// The subscription was replaced by a higher one.
    public var isUpgraded = false
    public var proof: Proof
    public var failure: ProofFailure = .none
    /// Who began the purchase. Nil if the record does not say: receipts never do.
    public var reason: TransactionReason?
    /// Apple's refund or withdrawal; nil if absent.
    @PackedOptional public var revocation: Revocation?
    /// Pieces bought.
    public var quantity: Int32 = 1
    /// Known only from a receipt's data, which lists it without a price.
    public var isFromReceipt = false
    public var marks: VersionMarks = []
    public var source: Provenance
    public var labels = LabelSet.none

    @inlinable
    public init(
        id: Identifier, product: Identifier, purchasedAt: Instant, environment: AppEnvironment = .production,
        proof: Proof = .vouched, source: Provenance = .none
    ) {
        self.id = id
        self.product = product
        self.purchasedAt = purchasedAt
        self.environment = environment
        self.proof = proof
        self.source = source
    }
}
