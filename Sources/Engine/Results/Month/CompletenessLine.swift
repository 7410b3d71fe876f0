/// A step on the way from what the files of a feed hold to the month's purchases or bookings.
public enum CompletenessStep: String, Hashable, Sendable, Codable, CaseIterable {
    /// All rows that the files of all nights held and that could be used, by their control totals.
    case files
    /// Rows that were delivered before, word for word. They are not kept.
    case duplicates = "delivered_again"
    /// Older versions of records and orders.
    case superseded
    /// Records that prove nothing, and orders that the backend does not book.
    case unusable = "not_counted"
    /// Further records of purchases that are counted already: restores, and a period under two ids.
    case samePurchase = "same_purchase"
    /// Sandbox, family sharing, and what is older than the history.
    case outOfScope = "out_of_scope"
    case otherMonths = "other_months"
    /// Purchases of the month without Apple's price, as estimated.
    case estimated
    /// The month's purchases, or bookings.
    case month
}

/// One step of one feed in one currency. Steps are subtracted, except for the first, which is where it begins, and the
/// estimates, which are added.
public struct CompletenessLine: Hashable, Sendable, Codable {
    /// Transactions or orders.
    public var feed: FeedKind
    public var currency: Currency
    public var step: CompletenessStep
    /// How many records or orders with an amount; nil where files count rows.
    public var count: Int?
    public var minor: Int64
}
