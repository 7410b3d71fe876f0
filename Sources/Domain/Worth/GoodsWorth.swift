/// What the goods given and taken back for a subject are worth: each row by its product and quantity.
/// See docs/spec/rules.md#worth.
///
/// Rules and finance both use it, so the effect of an exception and the money of the month are the same amounts.
public struct GoodsWorth: Sendable {
    /// What the purchase cost; nil without a purchase or if unknown.
    public private(set) var price: SourcedPrice?
    /// The worth of each credit of the subject, in the order of its position. Nil if unknown.
    public private(set) var credits: [Money?] = []
    /// The same for its reversals.
    public private(set) var reversals: [Money?] = []
    /// Goods of another product without a list price were given, so their worth is a guess.
    public private(set) var isGuess = false
    /// Some row has another product or quantity than the purchase, so rows that balance may differ in worth.
    public private(set) var isMixed = false

    /// - Parameter product: what the subject is about, for rows that do not say and have no order.
    public init(_ subject: Subject, in file: Case, policy: Policy, product: Identifier?) {
        let position = subject.position
        var record: Transaction?
        let order = subject.decidingOrder.map { file.orders[$0] }
        if subject.backing == .purchase, let leading = subject.leading {
            record = file.transactions[leading]
            price = policy.price(of: record!, order: order)
        }
        if position.credits.isEmpty && position.reversals.isEmpty { return }
        let goods = Goods(subject, record: record, order: order, in: file, policy: policy, product: product)
        if let record {
            value(goods, of: record, by: policy)
        } else {
            credits = goods.credits.map { goods.worthOfOrder($0, policy) }
            reversals = goods.reversals.map { goods.worthOfOrder($0, policy) }
            let rows = goods.credits + goods.reversals
            isMixed = rows.contains { $0.product != rows[0].product || $0.pieces != rows[0].pieces }
        }
    }

    /// The worth of goods given less that of goods taken back. Nil if a row's worth is unknown or a guess, or if currencies
    /// differ.
    ///
    /// - Parameter nothing: the amount 0, for a subject without goods.
    public func net(_ nothing: Money) -> Money? {
        if isGuess { return nil }
        var sum = nothing
        for (values, sign) in [(credits, Int64(1)), (reversals, -1)] {
            for value in values {
                guard let value, value.currency == sum.currency else { return nil }
                sum.minor &+= sign &* value.minor
            }
        }
        return sum
    }

    /// Values the rows by the purchase's price.
    ///
    /// Pieces of the product bought are worth their share of the price. Rounding each share by itself could make the shares
    /// differ from the price in total. So the shares are differences of running totals: with `pieces` already counted, a
    /// credit of n pieces is worth price × (pieces + n) / whole − price × pieces / whole, each rounded. A price of 1.00 for
    /// three pieces is shared as 0.33, 0.34 and 0.33, which add up to 1.00. Reversals lead the same total down again, so
    /// what is left is always worth the rounded share of the pieces left.
    private mutating func value(_ goods: Goods, of record: Transaction, by policy: Policy) {
        let whole = Int64(record.quantity)
        var pieces: Int64 = 0
        func share(_ count: Int64) -> Money? { price?.money.times(count, over: whole) }
        func worth(of row: Goods.Row, sign: Int64) -> Money? {
            guard row.product == record.product else {
                return other(row, than: record, by: policy) ?? share(row.pieces)
            }
            let from = share(pieces)
            pieces &+= sign &* row.pieces
            guard let from, let to = share(pieces) else { return nil }
            return Money(minor: sign &* (to.minor &- from.minor), currency: to.currency)
        }
        credits = goods.credits.map { worth(of: $0, sign: 1) }
        reversals = goods.reversals.map { worth(of: $0, sign: -1) }
        isMixed = (goods.credits + goods.reversals).contains { $0.product != record.product || $0.pieces != whole }
        isGuess = (goods.credits + goods.reversals).contains {
            $0.product != record.product && other($0, than: record, by: policy) == nil
        }
    }

    /// The worth of goods of another product than the one bought: its list price in the purchase's currency; where the
    /// list lacks it, the purchase's price in the proportion of the two list prices in another currency, the first that
    /// both have. Nil if the list does not say.
    private func other(_ row: Goods.Row, than record: Transaction, by policy: Policy) -> Money? {
        guard let price = price?.money, let product = row.product else { return nil }
        let listed = policy.listPrices(of: product, quantity: row.pieces, at: record.purchasedAt)
        if let same = listed.first(where: { $0.currency == price.currency }) { return same }
        let own = policy.listPrices(of: record.product, quantity: Int64(record.quantity), at: record.purchasedAt)
        for listed in listed {
            guard let own = own.first(where: { $0.currency == listed.currency && $0.minor > 0 }) else { continue }
            return price.times(listed.minor, over: own.minor)
        }
        return nil
    }
}

/// The rows of a subject's goods, with what they do not say themselves.
private struct Goods {
    struct Row {
        /// Nil if nothing names one.
        var product: Identifier?
        var pieces: Int64
        var order: Order?
        var at: Instant
    }
    var credits: [Row] = []
    var reversals: [Row] = []
    private let comparesProduct: Bool
    private let comparesQuantity: Bool

    init(
        _ subject: Subject, record: Transaction?, order: Order?, in file: Case, policy: Policy, product: Identifier?
    ) {
        let position = subject.position
        comparesProduct = policy.compare.contains(.product)
        let isByQuantity = if case .partial = subject.refund { true } else { false }
        comparesQuantity = policy.compare.contains(.quantity) || isByQuantity
        var orders: [Identifier: Int] = [:]
        if record == nil { for index in subject.orders + subject.otherOrders { orders[file.orders[index].id] = index } }
        let shared = position.deliveries == 1 && position.left.count > 1 ? Set(position.left.map(\.key)) : []
        func row(_ credit: Credit, cancelling cancelled: Row?) -> Row {
            let named = record != nil ? nil : credit.order.flatMap { orders[$0] }.map { file.orders[$0] }
            let order = named ?? order
            let counts = comparesQuantity || shared.contains(credit.key)
            let own = counts ? credit.quantity.map(Int64.init) : nil
            // A rule for whole rows counts a row without a quantity as the whole; so does a partial refund.
            let usual = isByQuantity || !counts ? record.map { Int64($0.quantity) } : nil
            let bought: Int64? = (order?.quantity ?? record?.quantity).map { Int64($0) }
            let pieces: Int64 = own ?? usual ?? cancelled?.pieces ?? bought ?? 1
            let stated = comparesProduct ? credit.product ?? cancelled?.product ?? order?.product : nil
            return Row(
                product: stated ?? record?.product ?? order?.product ?? credit.product ?? product, pieces: pieces,
                order: order, at: credit.creditedAt)
        }
        credits = position.credits.map { row($0, cancelling: nil) }
        if position.reversals.isEmpty { return }
        var open = OpenCredits(position.credits.map { ($0, 0) })
        reversals = position.reversals.map { row($0, cancelling: open.take(for: $0, among: [0]).map { credits[$0] }) }
    }

    /// The worth of goods without a purchase: their share of their order's amount; of another product than the order's, or
    /// without an amount, the list price. Nil if unknown.
    func worthOfOrder(_ row: Row, _ policy: Policy) -> Money? {
        if let order = row.order, let amount = order.amount, row.product == order.product || !comparesProduct {
            return comparesQuantity ? amount.times(row.pieces, over: Int64(max(1, order.quantity))) : amount
        }
        return row.product.flatMap {
            policy.listPrice(
                of: $0, quantity: row.pieces, at: row.at, in: row.order?.amount?.currency)
        }
    }
}
