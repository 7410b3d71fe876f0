internal import Domain

/// A country's App Store and its currency.
enum Market: Int, CaseIterable {
    case china, america, germany, japan, kuwait

    var currency: Currency {
        switch self {
        case .china: "CNY"
        case .america: "USD"
        case .germany: "EUR"
        case .japan: "JPY"
        case .kuwait: "KWD"
        }
    }
    /// Apple's code of three letters.
    var storefront: String {
        switch self {
        case .china: "CHN"
        case .america: "USA"
        case .germany: "DEU"
        case .japan: "JPN"
        case .kuwait: "KWT"
        }
    }
    /// Percent of the accounts, by market.
    static let shares = [62, 16, 8, 9, 5]
}
