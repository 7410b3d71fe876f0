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

/// `value` × 10^−`exponent` as exact decimal text: (600, 2) is `6.00`.
public func decimal(_ value: Int64, exponent: Int) -> String {
    guard exponent > 0 else { return String(value) }
    let digits = String(value.magnitude)
    let whole = digits.utf8.count > exponent ? String(digits.dropLast(exponent)) : "0"
    let fraction = digits.suffix(exponent)
    let zeros = String(repeating: "0", count: exponent - fraction.utf8.count)
    return (value < 0 ? "-" : "") + whole + "." + zeros + fraction
}

/// 10 to the power of `exponent`. Traps above 18.
public func powerOfTen(_ exponent: Int) -> Int64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
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
