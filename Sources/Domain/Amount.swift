/// An amount as it is kept and exchanged: minor units and the currency's letters.
public struct Amount: Hashable, Sendable, Codable {
    public var minor: Int64
    public var currency: String

    public init(_ money: Money) {
        minor = money.minor
        currency = money.currency.text
    }

    public init(minor: Int64, currency: String) {
        self.minor = minor
        self.currency = currency
    }

    public var money: Money { Money(minor: minor, currency: Currency(currency)!) }
    /// In major units with the currency's own decimals, no currency: `-6.00`.
    public var decimal: String { money.text }
}
