public import Domain

/// A purchase, a refund or the reversal of a refund in a month: a row of `month-purchases.csv.gz`.
public struct PurchaseRow: Sendable {
    public enum Kind: String, Sendable, CaseIterable, Codable {
        case purchase, refund
        case refundReversal = "refund_reversal"
    }
    public var kind: Kind
    public var at: Instant
    /// The purchase's leading transaction.
    public var transaction: Identifier
    /// `originalTransactionId`; `.absent` if the record has none.
    public var original = Identifier.absent
    public var product: Identifier
    /// By Apple's record, else by the product list.
    public var type: ProductType?
    /// Three letters; `.absent` if unknown.
    public var storefront = Identifier.absent
    /// The app; `.absent` if unknown.
    public var bundle = Identifier.absent
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
    /// The file and line of Apple's record.
    public var source: Provenance

    public init(
        _ kind: Kind, at: Instant, _ record: Transaction, units: Int64, amount: Money?, priceSource: PriceSource?
    ) {
        self.kind = kind
        self.at = at
        transaction = record.id
        original = record.original ?? .absent
        product = record.product
        type = record.type
        storefront = record.storefront ?? .absent
        bundle = record.bundle ?? .absent
        self.units = units
        self.amount = amount
        self.priceSource = priceSource
        source = record.source
    }
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

    public init(
        kind: PurchaseRow.Kind, currency: Currency, priceSource: PriceSource?, count: Int, units: Int64, minor: Int64
    ) {
        self.kind = kind
        self.currency = currency
        self.priceSource = priceSource
        self.count = count
        self.units = units
        self.minor = minor
    }

    public static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.count += right.count
        sum.units &+= right.units
        sum.minor &+= right.minor
        return sum
    }
}
