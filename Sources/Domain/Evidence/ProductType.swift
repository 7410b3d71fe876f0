/// Apple's four types of in-app purchase.
public enum ProductType: UInt8, Sendable, CaseIterable, Codable {
    case consumable, nonConsumable, autoRenewable, nonRenewing

    /// The word in the products feed.
    public var name: String { Self.names[Int(rawValue)] }
    private static let names = allCases.map { caseName($0) }
}
