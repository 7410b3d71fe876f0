/// A price as Apple's records state it: thousandths of the currency's unit, whatever the currency's exponent. It is the
/// total for the quantity bought.
@frozen
public struct Price: Hashable, Sendable {
    /// Thousandths of the major unit.
    public var thousandths: Int64
    /// The customer's currency.
    public var currency: Currency

    @inlinable
    public init(thousandths: Int64, currency: Currency) {
        self.thousandths = thousandths
        self.currency = currency
    }

    /// The price of that amount. For currencies with four decimals the last one is cut off.
    public init(_ money: Money) {
        let exponent = money.currency.exponent
        self.init(
            thousandths: exponent <= 3 ? money.minor * powerOfTen(3 - exponent) : money.minor / 10,
            currency: money.currency)
    }

    /// Whether the price is a whole number of minor units. A record whose price is not is rejected.
    public var isExact: Bool { currency.exponent >= 3 || thousandths % powerOfTen(3 - currency.exponent) == 0 }

    /// The price in minor units. A finer fraction, which no record has, would be rounded half away from zero.
    public var money: Money {
        let exponent = currency.exponent
        if exponent >= 3 { return Money(minor: thousandths * powerOfTen(exponent - 3), currency: currency) }
        let divisor = powerOfTen(3 - exponent)
        let half = thousandths < 0 ? -divisor / 2 : divisor / 2
        return Money(minor: (thousandths + half) / divisor, currency: currency)
    }
}

extension Price: HasSentinel {
    @inlinable public static var absent: Price { Price(thousandths: 0, currency: Currency(code: 0)) }
}
