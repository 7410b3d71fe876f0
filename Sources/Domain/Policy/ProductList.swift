/// The product list, searched by product and date.
public struct ProductList: Sendable, Equatable {
    private var entries: [Identifier: [Product]] = [:]

    public init(_ products: [Product] = []) {
        for product in products { entries[product.id, default: []].append(product) }
    }

    public var isEmpty: Bool { entries.isEmpty }

    /// The product's row for `date`; where several hold, the one that began last. Nil without one.
    public func product(_ id: Identifier, on date: BusinessDate) -> Product? {
        rows(id, on: date).last
    }

    /// The product's rows for `date`, the one that began last as the last.
    private func rows(_ id: Identifier, on date: BusinessDate) -> [Product] {
        (entries[id] ?? []).filter { ($0.validFrom ?? date) <= date && date <= ($0.validTo ?? date) }
            .ordered { ($0.validFrom ?? .absent) < ($1.validFrom ?? .absent) }
    }

    /// The prices of one piece that hold on `date`, by currency; of several in one currency, the one that began last.
    public func prices(of id: Identifier, on date: BusinessDate) -> [Money] {
        var prices: [Currency: Money] = [:]
        for row in rows(id, on: date) { if let price = row.price { prices[price.currency] = price } }
        return prices.ordered().map(\.value)
    }

    /// The product's name on `date`, else the first name of its rows. Nil if the list has none.
    public func name(of id: Identifier, on date: BusinessDate) -> String? {
        product(id, on: date)?.name ?? entries[id]?.lazy.compactMap(\.name).first
    }

    /// Each product with each of its names.
    public var names: [(id: Identifier, name: String)] {
        entries.sorted { $0.key < $1.key }.flatMap { id, rows in Set(rows.compactMap(\.name)).sorted().map { (id, $0) }
        }
    }

    /// The price of each row.
    public var prices: [Money] { entries.values.joined().compactMap(\.price) }

    /// The product's type, from the first of its rows that names one. The type does not depend on the date.
    public func type(of id: Identifier) -> ProductType? {
        entries[id]?.lazy.compactMap(\.type).first
    }

    /// The purchase's type by Apple's record, else by this list. Else a record with an expiry date is an auto-renewable
    /// subscription's: answers of verifyReceipt name no type.
    public func type(of purchase: Transaction) -> ProductType? {
        purchase.type ?? type(of: purchase.product) ?? (purchase.expiresAt == nil ? nil : .autoRenewable)
    }
}

extension [String] {
    /// Whether they name this product; a trailing `*` matches any ending.
    public func match(_ product: String) -> Bool {
        contains { $0.hasSuffix("*") ? product.hasPrefix($0.dropLast()) : product == $0 }
    }
}
