public import Domain

/// One movement of a subject's money or goods.
public struct Leg: Hashable, Sendable {
    public enum Kind: UInt8, Sendable, CaseIterable {
        case purchase, refund, credit, reversal
    }
    public var kind: Kind
    public var at: Instant
    /// Nil: nobody knows what it is worth.
    public var value: Money?
    /// Pieces of the product, of purchases and refunds.
    public var units: Int64 = 0

    public init(_ kind: Kind, at: Instant, value: Money?, units: Int64 = 0) {
        self.kind = kind
        self.at = at
        self.value = value
        self.units = units
    }
}

/// Everything that a subject moved, ever. INTERFACES §3 "money tie-out".
///
/// Out of scope is out of the books: neither leg counts. Of a subject that no purchase is proven for, only goods count.
public struct Legs: Sendable {
    public private(set) var all: [Leg] = []
    /// The refund that the rules judge as if there were none, since its share is no whole quantity.
    public private(set) var partialRefund: Leg?

    /// Everything that moved money or goods.
    var withPartialRefund: [Leg] { partialRefund.map { all + [$0] } ?? all }

    public init(_ subject: Subject, _ judgement: Judgement, in file: Case, policy: Policy) {
        if judgement.verdict == .outOfScope { return }
        var purchase: Transaction?
        if subject.backing == .purchase, let leading = subject.leading {
            let record = file.transactions[leading]
            // Another environment's purchase took nobody's money.
            if record.environment == policy.environment { addPurchase(record, subject, policy) }
            purchase = record
        }
        addCredits(of: subject, judgement, purchase: purchase, in: file, policy: policy)
    }

    private mutating func addPurchase(_ record: Transaction, _ subject: Subject, _ policy: Policy) {
        let price = policy.price(of: record)
        let quantity = Int64(record.quantity)
        all.append(Leg(.purchase, at: record.purchasedAt, value: price, units: quantity))
        guard let revocation = subject.revocation else { return }
        switch subject.refund {
        case .none: break
        case .full: all.append(Leg(.refund, at: revocation.at, value: price, units: quantity))
        case .partial(let expected):
            let value = price.flatMap { revocation.amount(of: $0) }
            all.append(Leg(.refund, at: revocation.at, value: value, units: quantity - expected))
        case .uncountable:
            partialRefund = Leg(.refund, at: revocation.at, value: price.flatMap { revocation.amount(of: $0) })
        }
    }

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
        pieces = 0
        for reversal in position.reversals {
            all.append(Leg(.reversal, at: reversal.creditedAt, value: worth.value(of: reversal, after: &pieces)))
        }
    }
}

extension Revocation {
    /// The share of the price that went back; nil where the record names none.
    public func amount(of price: Money) -> Money? {
        percentage.flatMap { price.times(Int64($0), over: 100_000) }
    }
}

/// What goods given or taken back are worth: their purchase, else their order.
private struct GoodsWorth {
    /// Of the whole purchase; nil where it has no price.
    private let price: Money?
    private let purchase: Transaction?
    /// Credits that count by their quantity, by id: they add up to the purchase's, or a partial refund says what is owed.
    private let countedByQuantity: Set<Identifier>?
    private let isAllByQuantity: Bool
    private let fallback: Money?
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
        countedByQuantity = position.countsAsOne && position.left.count > 1 ? Set(position.left.map(\.id)) : nil
    }

    /// - Parameter pieces: how many were counted by quantity before; so the parts of a price add up to it.
    func value(of credit: Credit, after pieces: inout Int64) -> Money? {
        guard let purchase else {
            let order = credit.order.flatMap { id in orders.first { $0.id == id } }
            return order?.amount ?? fallback
        }
        let whole = Int64(purchase.quantity)
        guard isAllByQuantity || countedByQuantity?.contains(credit.id) == true, whole > 0 else { return price }
        let before = pieces
        pieces += credit.quantity.map(Int64.init) ?? whole
        guard let from = price?.times(before, over: whole), let to = price?.times(pieces, over: whole) else {
            return nil
        }
        return Money(minor: to.minor - from.minor, currency: to.currency)
    }
}
