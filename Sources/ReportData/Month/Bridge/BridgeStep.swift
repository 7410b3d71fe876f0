/// A reason why the ledger and Apple's report may differ. See docs/spec/app-store.md#bridge.
public enum BridgeStep: String, Sendable, Codable, CaseIterable {
    /// Exact: the days of the month that lie outside Apple's period, less the days of Apple's period outside the month.
    case fiscalDays = "fiscal_days"
    /// Exact: Apple sold a product that never occurred in the ledger.
    case unknownProduct = "unknown_product"
    /// An upper bound: purchases at an edge of Apple's period whose payment Apple may have collected in another period.
    case notCollected = "not_collected"
    /// An upper bound: refunds at an edge of Apple's period.
    case refundTiming = "refund_timing"
}
