/// What Apple says of one transaction, proven by Apple's signature or vouched for by the backend. RULES §1, APPLE §1.
public struct Transaction: Equatable, Sendable {
    public var id: Identifier
    @PackedOptional public var original: Identifier?
    /// `webOrderLineItemId`: one subscription period, whatever ids it is seen under.
    @PackedOptional public var line: Identifier?
    @PackedOptional public var bundle: Identifier?
    public var product: Identifier
    public var purchasedAt: Instant
    @PackedOptional public var expiresAt: Instant?
    /// When Apple signed this copy: the newest counts.
    @PackedOptional public var signedAt: Instant?
    @PackedOptional public var token: Token?
    /// Three letters as Apple writes it (`JPN`).
    @PackedOptional public var storefront: Identifier?
    /// The customer price for the whole quantity. Nil: unknown, not zero.
    @PackedOptional public var price: Price?
    // As in an order: no gaps.
    /// Nil: from the product list.
    public var type: ProductType?
    public var environment: AppEnvironment
    public var ownership: Ownership = .purchased
    public var isUpgraded = false
    public var proof: Proof
    public var failure: ProofFailure = .none
    @PackedOptional public var revocation: Revocation?
    public var quantity: Int32 = 1
    /// Known only from a receipt's data, which lists it without a price.
    public var isFromReceipt = false
    public var marks: VersionMarks = []
    public var source: Provenance

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
