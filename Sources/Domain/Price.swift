/// A price as Apple writes it: thousandths of the currency's unit whatever its exponent, the total for the quantity bought.
@frozen
public struct Price: Hashable, Sendable {
    public var thousandths: Int64
    public var currency: Currency

    @inlinable
    public init(thousandths: Int64, currency: Currency) {
        self.thousandths = thousandths
        self.currency = currency
    }

    public init(_ money: Money) {
        let exponent = money.currency.exponent
        self.init(
            thousandths: exponent <= 3 ? money.minor * powerOfTen(3 - exponent) : money.minor / 10,
            currency: money.currency)
    }

    /// In minor units; what is finer than those is rounded half away from zero (averages per seat only).
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
