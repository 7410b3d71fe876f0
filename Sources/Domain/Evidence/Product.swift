/// A row of the product list. It holds from the first instant of `validFrom` to the last instant of `validTo`.
public struct Product: Equatable, Sendable, Codable {
    public var id: Identifier
    /// Nil if the list does not say.
    public var type: ProductType?
    /// The name for people; nil if the list has none.
    public var name: String?
    /// The price for one piece; nil if the list has none.
    public var price: Money?
    /// The first day; nil: from the beginning.
    public var validFrom: BusinessDate?
    /// The last day, included; nil: without end.
    public var validTo: BusinessDate?
    public var source: Provenance

    public init(id: Identifier, source: Provenance = .none) {
        self.id = id
        self.source = source
    }
}
