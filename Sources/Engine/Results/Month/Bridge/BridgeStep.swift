/// A reason why the ledger and Apple's report may differ. See docs/spec/app-store.md#bridge.
public enum BridgeStep: String, Sendable, Codable, CaseIterable {
    /// Exact: the days of the month that lie outside Apple's period, less the days of Apple's period outside the month.
    case fiscalDays = "fiscal_days"
    /// Exact: units at price 0, such as free trials, less those that Apple lists at price 0. It has units only, without an amount.
    case free
    /// Exact: Apple sold a product that never occurred in the ledger.
    case unknownProduct = "unknown_product"
    /// Exact: Apple lists a refund that it took back as a sale.
    case refundReversed = "refund_reversed"
    /// What earlier periods sold and Apple had not reported.
    case openingInTransit = "opening_in_transit"
    /// What was sold up to the end of Apple's period and is not reported yet.
    case closingInTransit = "closing_in_transit"
    /// What became older than Apple's time to collect, and was never reported. Negative where it was reported after all.
    case neverCollected = "never_collected"
    /// Units agree, and the customer price does not.
    case priceDifference = "price_difference"
    /// At most one minor unit for each row of Apple's.
    case rounding
    /// Exact: the ledger's figure, which stays as the month was closed, less what is known now.
    case restated

    /// Whether the step has units, and not only a value.
    public var hasUnits: Bool { self != .priceDifference && self != .rounding }
    /// Whether the step has a value, and not only units.
    public var hasValue: Bool { self != .free }
}
