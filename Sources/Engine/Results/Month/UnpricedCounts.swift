/// How many movements have no price.
public struct UnpricedCounts: Hashable, Sendable, Codable {
    public var purchases = 0
    /// Refunds of unknown value, and those that Apple took back.
    public var refunds = 0
    public var credited = 0
    public var reversed = 0

    public var total: Int { purchases + refunds + credited + reversed }

    public static func += (left: inout Self, right: Self) {
        left.purchases += right.purchases
        left.refunds += right.refunds
        left.credited += right.credited
        left.reversed += right.reversed
    }
}
