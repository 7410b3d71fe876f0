/// Apple's four types of in-app purchase.
public enum ProductType: UInt8, Sendable, CaseIterable, Codable {
    case consumable, nonConsumable, autoRenewable, nonRenewing

    /// The word in the products feed.
    public var name: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non_consumable"
        case .autoRenewable: "auto_renewable"
        case .nonRenewing: "non_renewing"
        }
    }
}
