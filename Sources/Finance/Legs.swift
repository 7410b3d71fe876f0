public import Domain

/// One movement of money or goods of a subject.
public struct Leg: Hashable, Sendable {
    /// Money paid, money refunded, goods given, goods taken back.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case purchase, refund, credit, reversal
    }
    /// What moved.
    public var kind: Kind
    /// When it moved.
    public var at: Instant
    /// What it is worth; nil if that is unknown.
    public var value: Money?
    /// Pieces of the product. Set for purchases and refunds only.
    public var units: Int64 = 0

    public init(_ kind: Kind, at: Instant, value: Money?, units: Int64 = 0) {
        self.kind = kind
        self.at = at
        self.value = value
        self.units = units
    }
}

/// All movements of a subject, in any month. See docs/spec/interfaces.md#money-tie-out.
///
/// A subject that is out of scope has no legs. One without a proven purchase has only legs of goods.
///
/// How goods are valued: each credit and each reversal is worth the price of its purchase, so that one purchase and one
/// credit balance. Where credits count by quantity rather than by row, each is worth its share of the price; see
/// `GoodsWorth.value`. Goods without a purchase are worth the amount of their order.
public struct Legs: Sendable {
    /// All legs, except a refund that the rules disregard.
    public private(set) var all: [Leg] = []
    /// A partial refund whose share is not a whole quantity. The rules judge the purchase as if it had not been
    /// refunded, but the money moved.
    public private(set) var partialRefund: Leg?

    /// Everything that moved, including the partial refund.
    var withPartialRefund: [Leg] { partialRefund.map { all + [$0] } ?? all }

    /// The legs of one subject.
    public init(_ subject: Subject, _ judgement: Judgement, in file: Case, policy: Policy) {
        if judgement.verdict == .outOfScope { return }
        var purchase: Transaction?
        if subject.backing == .purchase, let leading = subject.leading {
            let record = file.transactions[leading]
            // A purchase in another environment moved no money.
            if record.environment == policy.environment { addPurchase(record, subject, policy) }
            purchase = record
        }
        addCredits(of: subject, judgement, purchase: purchase, in: file, policy: policy)
    }

    /// Adds the purchase and its refund.
    private mutating func addPurchase(_ record: Transaction, _ subject: Subject, _ policy: Policy) {
        let price = policy.price(of: record)
        let quantity = Int64(record.quantity)
        all.append(Leg(.purchase, at: record.purchasedAt, value: price, units: quantity))
        guard let revocation = subject.revocation else { return }
        switch subject.refund {
        case .none: break
        case .full: all.append(Leg(.refund, at: revocation.at, value: price, units: quantity))
        case .partial(let expected):
            let value = price.flatMap { revocation.amount(of: $0, quantity: record.quantity) }
            all.append(Leg(.refund, at: revocation.at, value: value, units: quantity - expected))
        case .uncountable:
            let value = price.flatMap { revocation.amount(of: $0, quantity: record.quantity) }
            partialRefund = Leg(.refund, at: revocation.at, value: value)
        }
    }

    /// Adds the credits and reversals.
    private mutating func addCredits(
        of subject: Subject, _ judgement: Judgement, purchase: Transaction?, in file: Case, policy: Policy
    ) {
        let position = subject.position
        if position.credits.isEmpty && position.reversals.isEmpty { return }
        let worth = GoodsWorth(subject, judgement, purchase: purchase, in: file, policy: policy)
        var pieces: Int64 = 0
        for credit in position.credits {
            all.append(Leg(.credit, at: credit.creditedAt, value: worth.value(of: credit, after: &pieces)))
        }
        for reversal in position.reversals {
            all.append(Leg(.reversal, at: reversal.creditedAt, value: worth.value(of: reversal, after: &pieces)))
        }
    }
}

extension Revocation {
    /// The share of the price that was refunded; nil if nothing was, if the record does not state it, or if it
    /// overflows.
    ///
    /// Where the share is a whole number of pieces, it is the price less the worth of the pieces kept: of 10.00 for
    /// three pieces, one is 3.33. So money and goods of the same pieces are rounded alike, and a third is not 33.333 %.
    public func amount(of price: Money, quantity: Int32) -> Money? {
        switch refund(ofQuantity: quantity) {
        case .none: return nil
        case .full: return price
        case .partial(let kept):
            return price.times(kept, over: Int64(quantity)).map {
                Money(minor: price.minor &- $0.minor, currency: price.currency)
            }
        case .uncountable: return percentage.flatMap { price.times(Int64($0), over: 100_000) }
        }
    }
}

/// What goods given or taken back are worth, by their purchase or else by their order.
private struct GoodsWorth {
    /// The price of the whole purchase; nil if unknown.
    private let price: Money?
    /// Nil if no purchase is proven.
    private let purchase: Transaction?
    /// The credits that together count as one delivery, because their quantities add up to the purchase's. Nil
    /// where each credit counts as a row.
    private let countedByQuantity: Set<Credit.Key>?
    /// A partial refund decides by quantity, so all credits and reversals count by quantity.
    private let isAllByQuantity: Bool
    /// The worth of goods without a purchase whose order has no amount.
    private let fallback: Money?
    /// The subject's orders, if it has no purchase.
    private let orders: [Order]

    init(
        _ subject: Subject, _ judgement: Judgement, purchase: Transaction?, in file: Case, policy: Policy
    ) {
        self.purchase = purchase
        price = purchase.flatMap { policy.price(of: $0) }
        fallback = judgement.amount
        orders = purchase == nil ? (subject.orders + subject.otherOrders).map { file.orders[$0] } : []
        isAllByQuantity = if case .partial = subject.refund { true } else { false }
        let position = subject.position
        countedByQuantity = position.countsAsOne && position.left.count > 1 ? Set(position.left.map(\.key)) : nil
    }

    /// The value of one credit or reversal. Nil if unknown.
    ///
    /// A credit that counts by quantity is worth its share of the price. Rounding each share by itself could make the
    /// shares differ from the price in total. So the shares are differences of running totals: with `before` pieces
    /// already counted, the credit is worth price × (before + own) / whole − price × before / whole, each rounded. A
    /// price of 1.00 for three pieces is shared as 0.33, 0.34 and 0.33, which add up to 1.00. Reversals lead the same
    /// total down again, so what is left is always worth the rounded share of the pieces left.
    ///
    /// - Parameter pieces: the pieces counted so far; a credit's own are added, a reversal's are subtracted.
    func value(of credit: Credit, after pieces: inout Int64) -> Money? {
        guard let purchase else {
            let order = credit.order.flatMap { id in orders.first { $0.id == id } }
            return order?.amount ?? fallback
        }
        let whole = Int64(purchase.quantity)
        guard isAllByQuantity || countedByQuantity?.contains(credit.key) == true, whole > 0 else { return price }
        let before = pieces
        let own = credit.quantity.map(Int64.init) ?? whole
        pieces += credit.kind == .credit ? own : -own
        guard let from = price?.times(before, over: whole), let to = price?.times(pieces, over: whole) else {
            return nil
        }
        let minor = credit.kind == .credit ? to.minor &- from.minor : from.minor &- to.minor
        return Money(minor: minor, currency: to.currency)
    }
}
