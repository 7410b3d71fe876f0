/// What purchases are compared by. See docs/spec/why.md#tables.
public enum Dimension: Hashable, Sendable {
    case product, productType, storefront
    /// Of the purchase's worth.
    case currency
    /// The bundle id.
    case app
    /// As a receipt states it.
    case appVersion
    case cause
    /// Of the purchase, in the shop's zone: 0 to 23.
    case hour
    /// ISO 8601: 1 is Monday. It follows from the date, so no table stores it.
    case weekday
    /// The shop's own column.
    case label(String)

    /// What every table has a column of, in the order of the columns: what others determine comes early, because rows
    /// share their beginnings.
    static let stored: [Dimension] = [
        .product, .productType, .storefront, .currency, .app, .appVersion, .cause, .hour,
    ]

    var isLabel: Bool {
        if case .label = self { return true }
        return false
    }

    /// `product_type`; a label's own name.
    public var name: String {
        switch self {
        case .product: "product"
        case .productType: "product_type"
        case .storefront: "storefront"
        case .currency: "currency"
        case .app: "app"
        case .appVersion: LabelSet.appVersion
        case .cause: "cause"
        case .hour: "hour"
        case .weekday: "weekday"
        case .label(let name): name
        }
    }
}

/// In the order of their declaration, then labels by the bytes of their names.
extension Dimension: Comparable {
    private var rank: Int {
        if case .label = self { return Self.stored.count + 1 }
        return Self.stored.firstIndex(of: self) ?? Self.stored.count
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.rank == right.rank
            ? left.name.isBefore(right.name) : left.rank < right.rank
    }
}

/// A value of a dimension, such as app version 3.2.1.
public struct DimensionValue: Hashable, Comparable, Sendable {
    public var dimension: Dimension
    /// `Identifier.absent` where a purchase has no value.
    public var value: Identifier

    /// By dimension, then by the value's bytes.
    public static func < (left: Self, right: Self) -> Bool {
        left.dimension == right.dimension ? left.value < right.value : left.dimension < right.dimension
    }
}
