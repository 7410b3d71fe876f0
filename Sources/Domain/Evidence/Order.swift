/// A row of the backend's order table. See docs/spec/rules.md#evidence.
public struct Order: Equatable, Sendable {
    /// The key: `order_id`.
    public var id: Identifier
    /// The account that ordered.
    public var account: Identifier
    /// The product ordered.
    public var product: Identifier
    /// The `appAccountToken` that the app sent with the purchase; nil if the row has none.
    @PackedOptional public var token: Token?
    /// The transaction that paid for the order, as the backend recorded it; nil if it recorded none.
    @PackedOptional public var transaction: Identifier?
    /// The app's bundle id; nil if the row does not say.
    @PackedOptional public var bundle: Identifier?
    /// When the order was placed.
    public var createdAt: Instant
    /// When the row last changed; nil if the feed does not say. Decides which version of the row is current.
    @PackedOptional public var updatedAt: Instant?
    /// The price for the whole quantity. Nil if amount or currency is missing.
    @PackedOptional public var amount: Money?
    // Small fields follow the large ones without gaps, because there are as many orders as purchases.
    /// How far along the order is.
    public var status: OrderStatus
    /// What other versions of the row say.
    public var marks: VersionMarks = []
    /// Pieces ordered.
    public var quantity: Int32 = 1
    /// The file and line of the row.
    public var source: Provenance

    @inlinable
    public init(
        id: Identifier, account: Identifier, product: Identifier, status: OrderStatus, createdAt: Instant,
        source: Provenance = .none
    ) {
        self.id = id
        self.account = account
        self.product = product
        self.status = status
        self.createdAt = createdAt
        self.source = source
    }
}
