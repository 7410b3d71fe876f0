/// One movement of money or goods of a subject.
struct Leg: Hashable, Sendable {
    /// Money paid, money refunded, a refund that Apple took back, goods given, goods taken back.
    enum Kind: UInt8, Sendable, CaseIterable {
        case purchase, refund, refundReversal, credit, reversal
    }
    var kind: Kind
    var at: Instant
    /// What it is worth; nil if that is unknown.
    var value: Money?
    /// Pieces of the product. Set for purchases, refunds and reversals of refunds only.
    var units: Int64 = 0
    /// What Apple's record said about the refund. Set for refunds and their reversals only.
    var revocation: Revocation?
}

/// All movements of a subject, in any month. See docs/spec/interfaces.md#money-tie-out.
///
/// A subject that is out of scope has no legs. One without a proven purchase has only legs of goods. Goods are worth what
/// `GoodsWorth` says, and a refund what `RefundEvents` says.
struct Legs: Sendable {
    /// All legs, except refunds that the rules disregard.
    private(set) var all: [Leg] = []
    /// Refunds, and reversals of refunds, of a share that is not a whole quantity. The rules judge the purchase as if it
    /// had not been refunded, but the money moved.
    private(set) var partialRefunds: [Leg] = []
    /// Where the price of the purchase comes from; nil without one.
    private(set) var priceSource: PriceSource?
    /// Rows of goods have other products or quantities than the purchase, so rows that balance may differ in worth.
    private(set) var isMixed = false

    /// Everything that moved, including partial refunds.
    var withPartialRefunds: [Leg] { all + partialRefunds }

    /// The legs of one subject.
    ///
    /// - Parameter superseded: older versions of the case's transactions. They date earlier refunds.
    init(
        _ subject: Subject, _ judgement: Judgement, in file: Case, superseded: [Transaction], policy: Policy
    ) {
        if judgement.verdict == .outOfScope { return }
        let worth = GoodsWorth(subject, in: file, policy: policy, product: judgement.product)
        isMixed = worth.isMixed
        // A purchase in another environment moved no money.
        if subject.backing == .purchase, let leading = subject.leading,
            file.transactions[leading].environment == policy.environment
        {
            let (record, price) = (file.transactions[leading], worth.price?.money)
            priceSource = worth.price?.source
            all.append(Leg(kind: .purchase, at: record.purchasedAt, value: price, units: Int64(record.quantity)))
            let refunds = RefundEvents(subject, in: file, superseded: superseded).legs(
                price: price, quantity: record.quantity)
            if subject.refund == .uncountable { partialRefunds = refunds } else { all += refunds }
        }
        for (credit, value) in zip(subject.position.credits, worth.credits) {
            all.append(Leg(kind: .credit, at: credit.creditedAt, value: value))
        }
        for (reversal, value) in zip(subject.position.reversals, worth.reversals) {
            all.append(Leg(kind: .reversal, at: reversal.creditedAt, value: value))
        }
    }
}
