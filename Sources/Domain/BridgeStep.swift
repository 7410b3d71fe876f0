/// Why ledger and Apple's report may differ. APPLE.md §7.
public enum BridgeStep: String, Sendable, Codable, CaseIterable {
    /// Exact: days of the month that Apple's period does not have, less days that it has besides.
    case fiscalDays = "fiscal_days"
    /// Exact: Apple sold what the ledger has never seen.
    case unknownProduct = "unknown_product"
    /// At most: purchases at an edge of Apple's period, whose payment Apple had not collected at its end.
    case notCollected = "not_collected"
    /// At most: refunds at an edge of Apple's period.
    case refundTiming = "refund_timing"
}
