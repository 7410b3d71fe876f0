/// A setting of the configuration that differs from the night before.
public struct SettingChange: Hashable, Sendable, Codable {
    /// The setting's name in the configuration, or the name of a feed.
    public var setting: String
    /// Its value in the night before, as the configuration writes it. Nil if it was not set.
    public var old: String?
    /// Tonight's value. Nil if it is not set any more.
    public var new: String?

    /// Whether rows keep what they were read as when it is set right again.
    public var isOfReading: Bool {
        setting == "timeZone" || isOfFeed && setting.dropFirst(Self.feeds.count).contains(Self.ofFeed)
    }

    /// The product whose entry in the product list changed; nil for another setting.
    public var product: String? { Self.product(of: setting) }

    /// An account or a threshold, by which nothing is judged.
    var isOfFinance: Bool { setting.hasPrefix(Self.ofFinance) }

    /// The setting belongs to a feed, or is a feed itself.
    var isOfFeed: Bool { setting.hasPrefix(Self.feeds) }

    /// Before a feed's name.
    static let feeds = "feeds: "
    private static let required = ", required"

    /// A feed as the value of a setting: `orders, required since 2025-11-01`.
    static func value(of feed: FeedRecord) -> String {
        feed.kind.rawValue + (feed.isRequired ? required : "") + (feed.since.map { " since \($0.text)" } ?? "")
    }

    /// Whether a value is a feed of the kind.
    static func isFeed(_ value: String?, _ kind: FeedKind) -> Bool {
        value?.prefix { $0 != "," && $0 != " " } == kind.rawValue[...]
    }

    static func isRequired(_ value: String?, _ kind: FeedKind) -> Bool {
        value?.hasPrefix(kind.rawValue + required) == true
    }

    var isLongerGrace: Bool {
        guard setting.hasPrefix("grace."), let old, let new, let before = Milliseconds(spelled: old),
            let now = Milliseconds(spelled: new)
        else { return false }
        return now > before
    }

    /// Between a feed's name and the name of its setting.
    public static let ofFeed = ": "
    /// Before the id of a product, whose values are its kind, price and days.
    static let ofProduct = products + ": "
    /// The id of the product, if a setting's name is that of a product.
    public static func product(of setting: String) -> String? {
        setting.hasPrefix(ofProduct) ? String(setting.dropFirst(ofProduct.count)) : nil
    }
    /// The product list, where it is not known which product.
    public static let products = "products"
    /// Before an account's role.
    public static let ofAccount = ofFinance + "accounts."
    private static let ofFinance = "finance."
}
