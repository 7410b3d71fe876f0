/// An amount as reports and the ledger store it: minor units and the currency's three letters. `Money` is the form to
/// calculate with.
public struct Amount: Hashable, Sendable, Codable {
    /// In minor units of `currency`.
    public var minor: Int64
    /// ISO 4217, three upper-case letters.
    public var currency: String

    public init(_ money: Money) {
        minor = money.minor
        currency = money.currency.text
    }

    public init(minor: Int64, currency: String) {
        self.minor = minor
        self.currency = currency
    }

    /// The same amount for calculations. Traps where `currency` is not three letters.
    public var money: Money { Money(minor: minor, currency: Currency(currency)!) }
    /// In major units with the currency's own number of decimals, without the currency: `-6.00`.
    public var decimal: String { money.text }
}
