struct SampleProduct: Equatable {
    var id: String
    var type: ProductType
    /// In both languages.
    var name: String
    /// By market, in minor units.
    var prices: [Int64]
    /// Percent of the orders.
    var share: Int

    func price(in market: Market, quantity: Int32 = 1) -> Money {
        Money(minor: prices[market.rawValue] * Int64(quantity), currency: market.currency)
    }
}

extension SampleProduct {
    static let coins60 = SampleProduct(
        id: "coins_60", type: .consumable, name: "60 金币 60 Coins", prices: [600, 99, 99, 160, 300], share: 44)
    static let coins300 = SampleProduct(
        id: "coins_300", type: .consumable, name: "300 金币 300 Coins", prices: [3000, 499, 599, 800, 1500], share: 23)
    static let coins980 = SampleProduct(
        id: "coins_980", type: .consumable, name: "980 金币 980 Coins", prices: [9800, 1499, 1799, 2400, 4500], share: 11)
    static let coins6480 = SampleProduct(
        id: "coins_6480", type: .consumable, name: "6480 金币 6480 Coins", prices: [64800, 9999, 11999, 15000, 30000],
        share: 3)
    static let seasonPass = SampleProduct(
        id: "season_pass_12", type: .nonRenewing, name: "第十二赛季通行证 Season 12 Pass",
        prices: [6800, 999, 1199, 1500, 3000], share: 9)
    static let noAds = SampleProduct(
        id: "remove_ads", type: .nonConsumable, name: "永久去广告 Remove Ads", prices: [1800, 299, 349, 480, 900], share: 4)
    static let monthlyCard = SampleProduct(
        id: "vip_monthly", type: .autoRenewable, name: "尊享月卡 VIP Monthly", prices: [2500, 399, 499, 650, 1250], share: 6
    )

    static let all = [coins60, coins300, coins980, coins6480, seasonPass, noAds, monthlyCard]
}

/// A country's App Store.
enum Market: Int, CaseIterable {
    case china, america, germany, japan, kuwait

    /// In the order of the cases: the currency, Apple's code of the country, and percent of the accounts.
    private static let facts: [(currency: Currency, storefront: String, share: Int)] = [
        ("CNY", "CHN", 62), ("USD", "USA", 16), ("EUR", "DEU", 8), ("JPY", "JPN", 9), ("KWD", "KWT", 5),
    ]
    static let shares = facts.map(\.share)

    var currency: Currency { Self.facts[rawValue].currency }
    /// Apple's code of three letters.
    var storefront: String { Self.facts[rawValue].storefront }
}
