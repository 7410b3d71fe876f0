/// What moved in a month, in minor units of one currency. The figures of a month are not negative; the change between
/// two reports may be. Sums and differences wrap modulo 2^64; see `MoneySum`.
public struct Movements: Hashable, Sendable, Codable {
    /// Customer prices of proven purchases in scope, by purchase date.
    public var purchases: Int64 = 0
    /// What Apple refunded, by the date of each refund.
    public var refunds: Int64 = 0
    /// Refunds that Apple took back, by the date on which it signed the record without the refund.
    public var refundReversals: Int64 = 0
    /// Goods given, each row by its product and quantity.
    public var credited: Int64 = 0
    /// Goods taken back, in the same way.
    public var reversed: Int64 = 0

    /// Purchases less refunds, and refunds that Apple took back.
    public var net: Int64 { purchases &- refunds &+ refundReversals }
    public var netCredited: Int64 { credited &- reversed }
    /// What was paid for and not given; negative where more was given than paid for.
    public var difference: Int64 { net &- netCredited }

    public static var zero: Self { Self() }

    public static func += (left: inout Self, right: Self) {
        left.purchases &+= right.purchases
        left.refunds &+= right.refunds
        left.refundReversals &+= right.refundReversals
        left.credited &+= right.credited
        left.reversed &+= right.reversed
    }

    public static func - (left: Self, right: Self) -> Self {
        Movements(
            purchases: left.purchases &- right.purchases, refunds: left.refunds &- right.refunds,
            refundReversals: left.refundReversals &- right.refundReversals,
            credited: left.credited &- right.credited, reversed: left.reversed &- right.reversed)
    }
}
