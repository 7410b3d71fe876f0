internal import Domain

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
