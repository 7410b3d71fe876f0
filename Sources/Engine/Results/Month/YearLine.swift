/// A month's figures within its year, for one currency.
public struct YearLine: Hashable, Sendable, Codable {
    /// `YYYY-MM`.
    public var period: String
    /// 1 to 4; of Apple's fiscal year for fiscal months.
    public var quarter: Int
    /// Whether the month is closed. Only the report's own month may be open.
    public var isClosed: Bool
    public var currency: Currency
    /// As the month was closed; of an open month, as it is known.
    public var reported: Movements
    /// What later evidence has changed since it was closed.
    public var change: Movements
}

/// The refunds of one month that belong to purchases of one month. Refunds that Apple took back are subtracted.
public struct RefundCohort: Hashable, Sendable, Codable {
    /// The month of the purchases, `YYYY-MM`.
    public var purchaseMonth: String
    /// The month of the refunds, `YYYY-MM`.
    public var refundMonth: String
    /// The month whose report knew them first: the month of the refunds, or a later one where that was closed by then.
    public var knownIn: String
    public var currency: Currency
    /// Refunds less those that Apple took back.
    public var count: Int
    public var minor: Int64
    /// All purchases of that month, as far as it is closed or is the report's own; else nil.
    public var purchases: Int64?
}
