/// A row of the product list; from the first instant of `validFrom` to the last of `validTo`.
public struct Product: Equatable, Sendable {
    public var id: Identifier
    public var type: ProductType?
    public var name: String?
    public var price: Money?
    public var validFrom: BusinessDate?
    public var validTo: BusinessDate?
    public var source: Provenance

    public init(id: Identifier, source: Provenance = .none) {
        self.id = id
        self.source = source
    }
}
