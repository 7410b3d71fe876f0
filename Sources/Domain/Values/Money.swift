/// An exact amount: a count of the currency's minor unit. Money is never a binary fraction and never a sum across
/// currencies.
@frozen
public struct Money: Hashable, Sendable, Codable {
    /// In minor units of `currency`.
    public var minor: Int64
    /// The currency that `minor` counts.
    public var currency: Currency

    @inlinable
    public init(minor: Int64, currency: Currency) {
        self.minor = minor
        self.currency = currency
    }

    /// In major units with the currency's own number of decimals: `6.00`, `-230`, `1.500`.
    public var text: String { decimal(minor, exponent: currency.exponent) }
}

extension Money: HasSentinel {
    @inlinable public static var absent: Money { Money(minor: 0, currency: .absent) }
}

extension Money: CustomStringConvertible {
    public var description: String { text + " " + currency.text }
}

extension Money {
    /// The amount multiplied by `numerator` / `denominator`, rounded half away from zero. Nil if the product
    /// overflows.
    public func times(_ numerator: Int64, over denominator: Int64) -> Money? {
        let (product, overflow) = minor.multipliedReportingOverflow(by: numerator)
        if overflow { return nil }
        let half = (product < 0 ? -denominator : denominator) / 2
        return Money(minor: (product + half) / denominator, currency: currency)
    }
}
