/// The product list, by product and validity.
public struct ProductList: Sendable, Equatable {
    private var entries: [Identifier: [Product]] = [:]

    public init(_ products: [Product] = []) {
        for product in products { entries[product.id, default: []].append(product) }
    }

    public var isEmpty: Bool { entries.isEmpty }

    /// The product's row that holds on `date`; the later begun of two; nil where none does.
    public func product(_ id: Identifier, on date: BusinessDate) -> Product? {
        entries[id]?.filter { ($0.validFrom ?? date) <= date && date <= ($0.validTo ?? date) }
            .max { ($0.validFrom ?? .absent) < ($1.validFrom ?? .absent) }
    }

    /// The product's type, which no date changes: of the first of its rows that names one.
    public func type(of id: Identifier) -> ProductType? {
        entries[id]?.lazy.compactMap(\.type).first
    }
}
