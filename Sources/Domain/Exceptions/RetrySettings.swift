/// What the retry manifest may contain. See docs/spec/rules.md#retry-entries.
public struct RetrySettings: Sendable, Equatable {
    /// False: no retry files are written.
    public var isEnabled = true
    /// With more entries that move goods than this, the manifest is held. Of entries that move none, at most this many
    /// go out in a night; the others wait.
    public var entriesMax = 10_000
    /// The most that a night's entries may be worth in each currency, in minor units.
    public var amountMax: [Currency: Int64] = [:]
    /// The same for currencies that `amountMax` does not name, in major units. Nil: entries in such currencies are
    /// held.
    public var amountMaxOfOthers: Int64? = 100_000
    /// Whether retry entries may take goods back after a refund.
    public var reverseRefunds = false
    /// An entry is dead after this many emissions without success.
    public var attemptsMax = 6

    public init() {}

    /// The most that a night's entries may be worth, in minor units. Nil if the currency has no cap; then they are
    /// held.
    public func cap(of currency: Currency) -> Int64? {
        amountMax[currency] ?? amountMaxOfOthers.map { $0 * powerOfTen(currency.exponent) }
    }
}
