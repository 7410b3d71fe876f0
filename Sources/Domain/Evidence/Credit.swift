/// A row of the backend's fulfilment ledger: goods or coins that were given or taken back.
/// See docs/spec/rules.md#evidence.
public struct Credit: Equatable, Sendable {
    /// What distinguishes credits. The backend may have a row whose id is that of an implicit credit.
    public enum Key: Hashable, Sendable {
        case row(Identifier)
        case implicit(Identifier)
    }

    /// `credit_id`. That of an implicit credit is `order:` and the order's id.
    public var id: Identifier
    /// The account that received the goods or gave them back.
    public var account: Identifier
    /// The order that the goods were given for; nil if the row names none.
    @PackedOptional public var order: Identifier?
    /// The transaction that the goods were given for; nil if the row names none. At least one of the two is present.
    @PackedOptional public var transaction: Identifier?
    /// The product that was given; nil if the row does not say.
    @PackedOptional public var product: Identifier?
    /// When the goods were given or taken back.
    public var creditedAt: Instant
    /// Pieces given or taken back. Nil: the quantity of the purchase.
    @PackedOptional public var quantity: Int32?
    public var kind: CreditKind
    public var origin: CreditOrigin
    /// Derived from an order whose status is `credited`, not from a row of the credit ledger.
    public var isImplicit = false
    public var marks: VersionMarks = []
    /// The file and line of the row; for an implicit credit, those of the order.
    public var source: Provenance
    public var labels = LabelSet.none

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

    private static let ofOrder = "order:"

    /// The id of the credit that the status of an order implies.
    public static func id(impliedBy order: Identifier) -> Identifier { Identifier(ofOrder + order.text) }

    /// The order whose status implies the credit with this id. Nil if a row says so.
    public static func order(implying id: String) -> Substring? {
        id.hasPrefix(ofOrder) ? id.dropFirst(ofOrder.count) : nil
    }

    /// What distinguishes the credits of a case: `id` alone does not.
    public var key: Key { isImplicit ? .implicit(id) : .row(id) }
}
