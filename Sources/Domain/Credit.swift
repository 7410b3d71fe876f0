/// A row of the backend's fulfilment ledger: goods or coins given, or taken back. RULES §1.
public struct Credit: Equatable, Sendable {
    public var id: Identifier
    public var account: Identifier
    @PackedOptional public var order: Identifier?
    @PackedOptional public var transaction: Identifier?
    @PackedOptional public var product: Identifier?
    public var creditedAt: Instant
    /// Nil: the purchase's own quantity.
    @PackedOptional public var quantity: Int32?
    public var kind: CreditKind
    public var origin: CreditOrigin
    /// Not a row of the credit ledger: what an order's status `credited` stands for.
    public var isImplicit = false
    public var marks: VersionMarks = []
    public var source: Provenance

    @inlinable
    public init(
        id: Identifier, account: Identifier, kind: CreditKind = .credit, origin: CreditOrigin = .auto,
        creditedAt: Instant, source: Provenance = .none
    ) {
        self.id = id
        self.account = account
        self.kind = kind
        self.origin = origin
        self.creditedAt = creditedAt
        self.source = source
    }
}
