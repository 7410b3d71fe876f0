/// What the retry manifest may hold. RULES §5.
public struct RetrySettings: Sendable, Equatable {
    public var isEnabled = true
    /// More entries that move goods than that are held. As many that move nothing go out a night; the others wait.
    public var entriesMax = 10_000
    /// In minor units.
    public var amountMax: [Currency: Int64] = [:]
    /// The cap of currencies that `amountMax` does not name, in major units; nil: what they are worth is held.
    public var amountMaxOfOthers: Int64? = 100_000
    /// Whether a machine may take goods back after a refund.
    public var reverseRefunds = false
    /// After so many emissions without success an entry is dead.
    public var attemptsMax = 6

    public init() {}

    /// In minor units; nil where the currency has none, and nothing of it goes out.
    public func cap(of currency: Currency) -> Int64? {
        amountMax[currency] ?? amountMaxOfOthers.map { $0 * powerOfTen(currency.exponent) }
    }
}
