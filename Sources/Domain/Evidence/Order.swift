/// A row of the backend's order table. See docs/spec/rules.md#evidence.
public struct Order: Equatable, Sendable {
    /// The key: `order_id`.
    public var id: Identifier
    public var account: Identifier
    public var product: Identifier
    /// The `appAccountToken` that the app sent with the purchase; nil if the row has none.
    @PackedOptional public var token: Token?
    /// The transaction that paid for the order, as the backend recorded it; nil if it recorded none.
    @PackedOptional public var transaction: Identifier?
    /// The app's bundle id; nil if the row does not say.
    @PackedOptional public var bundle: Identifier?
    public var createdAt: Instant
    /// When the row last changed; nil if the feed does not say. Decides which version of the row is current.
    @PackedOptional public var updatedAt: Instant?
    /// The price for the whole quantity. Nil if amount or currency is missing.
    @PackedOptional public var amount: Money?
    // Small fields follow the large ones without gaps, because there are as many orders as purchases.
    public var status: OrderStatus
    public var marks: VersionMarks = []
    /// Pieces ordered.
    public var quantity: Int32 = 1
    public var source: Provenance
    public var labels = LabelSet.none

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
