/// A purchase, a refund, the reversal of a refund, goods given or taken back in a month, or what a subject is out of balance by at its end: a row of
/// `month-purchases.csv.gz`.
public struct PurchaseRow: Sendable {
    public enum Kind: String, Sendable, CaseIterable, Codable {
        case purchase, refund
        case refundReversal = "refund_reversal"
        case credited, reversed
        case closingOwed = "closing_owed"
        case closingGivenFree = "closing_given_free"
    }
    public var kind: Kind
    /// When it moved; of a balance, when it moved last.
    public var at: Instant
    /// Apple's record of the purchase. Nil for a balance without one.
    public var record: Transaction?
    /// The row that tells of it.
    public var source: Provenance?
    public var product: Identifier
    /// By Apple's record, else by the product list.
    public var type: ProductType?
    /// Pieces.
    public var units: Int64
    /// What it is worth; nil if unknown.
    public var amount: Money?
    /// Where the price comes from; nil without one.
    public var priceSource: PriceSource?
    public var account = Identifier.absent
    /// The order that decides; `.absent` without one.
    public var order = Identifier.absent
    public var verdict = Verdict.matched
    public var cause = Cause.none
    public var labels = LabelSet.none
}

/// Receives the purchases of a month, piece by piece, from several threads at once.
public protocol PurchaseSink: Sendable {
    /// Takes the rows of piece `number`. Every piece from 0 on is added once.
    func add(_ rows: [PurchaseRow], piece number: Int) throws
}

/// What one kind of rows of the population file adds up to, counted from the rows that were written.
public struct PopulationSum: Hashable, Sendable, Codable {
    public var kind: PurchaseRow.Kind
    /// Empty for rows without an amount.
    public var currency: Currency
    /// Where their price comes from; nil without one.
    public var priceSource: PriceSource?
    public var count: Int
    public var units: Int64
    public var minor: Int64

    public init(_ row: PurchaseRow) {
        (kind, currency, priceSource) = (row.kind, row.amount?.currency ?? .absent, row.priceSource)
        (count, units, minor) = (1, row.units, row.amount?.minor ?? 0)
    }

    public static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.count += right.count
        sum.units &+= right.units
        sum.minor &+= right.minor
        return sum
    }
}
