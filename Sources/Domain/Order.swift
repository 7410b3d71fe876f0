/// A row of the backend's order table. RULES §1.
public struct Order: Equatable, Sendable {
    public var id: Identifier
    public var account: Identifier
    public var product: Identifier
    @PackedOptional public var token: Token?
    @PackedOptional public var transaction: Identifier?
    @PackedOptional public var bundle: Identifier?
    public var createdAt: Instant
    @PackedOptional public var updatedAt: Instant?
    /// For the whole quantity. Nil where amount or currency is absent.
    @PackedOptional public var amount: Money?
    // What is small stands behind what is large, without gaps: there are as many as purchases.
    public var status: OrderStatus
    public var marks: VersionMarks = []
    public var quantity: Int32 = 1
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
