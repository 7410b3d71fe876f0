/// Sums of money, one for each currency.
///
/// One rule holds for all sums of money in this program: **a sum never stops the run.** One absurd amount in a file must
/// not end the night, or the month, for everybody else. How a sum gets there depends on what it is for:
///
/// - A sum that is shown, or compared with a limit, is a `MoneySum`. It is exact while it is added up (128 bits hold more
///   amounts than any file has rows), and clamped to 64 bits when it is read. So a sum that is too large stays too large
///   for every limit: it can never wrap around to a small or negative one.
/// - A figure of one currency that has to add up with others wraps modulo 2^64, such as those of `CountAndAmount`,
///   `Movements` and `UnitsAndValue`. Wrapping sums give the same result in any order, and what was added can be taken
///   away again. So opening + movements = closing, and all tie-outs, hold whatever the amounts are, also of figures that
///   were stored in 64 bits in between.
///
/// Below 2^63 minor units the two are the same.
@frozen
public struct MoneySum: Sendable {
    /// There are few currencies, so a linear search is faster than hashing.
    @usableFromInline var entries: [(currency: Currency, minor: Int128)] = []

    public init() {}

    public init(_ amounts: some Sequence<Money>) {
        for money in amounts { add(money) }
    }

    @inlinable
    public mutating func add(_ money: Money) { add(Int128(money.minor), of: money.currency) }

    public mutating func add(_ other: MoneySum) {
        for entry in other.entries { add(entry.minor, of: entry.currency) }
    }

    @inlinable
    mutating func add(_ minor: Int128, of currency: Currency) {
        if let index = entries.firstIndex(where: { $0.currency == currency }) {
            entries[index].minor += minor
        } else {
            entries.append((currency, minor))
        }
    }

    /// In minor units, clamped to 64 bits. 0 for a currency without an amount.
    public subscript(currency: Currency) -> Int64 {
        entries.first { $0.currency == currency }.map { Int64(clamping: $0.minor) } ?? 0
    }

    /// One amount for each currency that was added, in the order of the currencies, clamped to 64 bits.
    public var amounts: [Money] {
        entries.sorted { $0.currency < $1.currency }
            .map { Money(minor: Int64(clamping: $0.minor), currency: $0.currency) }
    }
}
