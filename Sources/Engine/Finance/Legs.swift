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
    /// By how many refunds more or fewer stand than before. Set for refunds and their reversals only.
    var refunds = 0
    /// By how much a reversal lowers which refunds.
    var ended: [RefundEnd] = []
    /// Goods that went to another account than the owner's, which is the purchase's only fault.
    var isStray = false
    /// Money rather than goods.
    var isMoney: Bool { kind == .purchase || kind == .refund || kind == .refundReversal }
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
        func add(_ kind: Leg.Kind, _ credits: [Credit], worths: [Money?]) {
            for (credit, value) in zip(credits, worths) {
                let isStray = judgement.verdict == .creditedToWrongAccount && credit.account != subject.owner
                all.append(Leg(kind: kind, at: credit.creditedAt, value: value, isStray: isStray))
            }
        }
        add(.credit, subject.position.credits, worths: worth.credits)
        add(.reversal, subject.position.reversals, worths: worth.reversals)
    }

    /// What the owner lacks and another account has too much before an instant, by currency, beside the balance.
    func stray(before instant: Instant) -> [Currency: Int64] {
        all.reduce(into: [:]) { sums, leg in
            guard leg.isStray, leg.at < instant, let value = leg.value else { return }
            sums[value.currency, default: 0] &-= leg.sign &* value.minor
        }
    }

    /// By how much that moves the balances within a span.
    func strayed(within span: Range<Instant>) -> [Currency: Int64] {
        let before = stray(before: span.lowerBound)
        return stray(before: span.upperBound).mapValues { max(0, $0) }
            .merging(before.mapValues { 0 &- max(0, $0) }, uniquingKeysWith: &+)
    }
}

extension Legs {
    /// What the subject causes for a reason, with its facts.
    func line(of subject: Subject, _ judgement: Judgement, for reason: DifferenceClass, _ value: Money)
        -> DifferenceLine
    {
        func first(_ kind: Leg.Kind) -> Instant? { withPartialRefunds.filter { $0.kind == kind }.map(\.at).min() }
        return DifferenceLine(
            subject: subject.key.id.text, reason: reason, verdict: judgement.verdict, cause: judgement.cause,
            product: judgement.product?.text, account: subject.owner?.text, currency: value.currency,
            minor: value.minor, purchasedAt: first(.purchase), refundedAt: first(.refund),
            creditedAt: first(.credit), reversedAt: first(.reversal))
    }
}

extension PurchaseRow {
    /// A purchase that matched cleanly.
    init(_ purchase: Transaction, of order: Order, amount: Money, labels: LabelSet, in scope: MonthScope) {
        self.init(
            kind: .purchase, at: purchase.purchasedAt, record: purchase, source: purchase.source,
            product: purchase.product, type: scope.type(of: purchase), units: Int64(purchase.quantity), amount: amount,
            priceSource: .apple, account: order.account,
            order: order.id, labels: labels)
    }

    /// The purchase and the refunds of a subject that fall into the month.
    static func rows(
        of subject: Subject, _ judgement: Judgement, legs: Legs, in file: Case, scope: MonthScope
    ) -> [PurchaseRow] {
        guard let leading = subject.leading else { return [] }
        let record = file.transactions[leading]
        let labels = subject.labels(in: file)
        return legs.withPartialRefunds.compactMap { leg in
            let kind: Kind
            switch leg.kind {
            case .purchase: kind = .purchase
            case .refund: kind = .refund
            case .refundReversal: kind = .refundReversal
            case .credit, .reversal: return nil
            }
            guard scope.span.contains(leg.at) else { return nil }
            return PurchaseRow(
                kind: kind, at: leg.at, record: record, source: record.source, product: record.product,
                type: scope.type(of: record), units: leg.units, amount: leg.value, priceSource: legs.priceSource,
                account: subject.owner ?? .absent,
                order: subject.decidingOrder.map { file.orders[$0].id } ?? .absent, verdict: judgement.verdict,
                cause: judgement.cause, labels: labels)
        }
    }
}

extension PurchaseRow {
    /// The goods of a purchase that matched cleanly.
    func given(by credit: Credit) -> PurchaseRow {
        var row = self
        (row.kind, row.at, row.source, row.priceSource) = (.credited, credit.creditedAt, credit.source, nil)
        return row
    }

    /// The goods of a subject that were given and taken back in the month, by their own rows.
    static func goods(
        of subject: Subject, _ judgement: Judgement, legs: Legs, in file: Case, scope: MonthScope
    ) -> [PurchaseRow] {
        let record = subject.leading.map { file.transactions[$0] }
        func rows(_ kind: Kind, _ leg: Leg.Kind, _ credits: [Credit]) -> [PurchaseRow] {
            let moved = zip(legs.all.filter { $0.kind == leg }, credits)
            return moved.filter { scope.span.contains($0.0.at) }.map { leg, credit in
                PurchaseRow(
                    kind: kind, at: leg.at, record: record, source: credit.source,
                    product: credit.product ?? record?.product ?? judgement.product ?? .absent,
                    type: record.flatMap(scope.type), units: Int64(credit.quantity ?? record?.quantity ?? 1),
                    amount: leg.value, account: credit.account, order: credit.order ?? .absent,
                    verdict: judgement.verdict, cause: judgement.cause, labels: subject.labels(in: file))
            }
        }
        return rows(.credited, .credit, subject.position.credits)
            + rows(.reversed, .reversal, subject.position.reversals)
    }

    /// What a subject is out of balance by at the month's end: the rows of the month's balances.
    static func balances(
        of subject: Subject, _ judgement: Judgement, legs: Legs, in file: Case, scope: MonthScope
    ) -> [PurchaseRow] {
        let end = scope.span.upperBound
        var parts = legs.balance(before: end).ordered().filter { $0.value != 0 }.map { currency, minor in
            minor > 0 ? (Kind.closingOwed, currency, minor) : (.closingGivenFree, currency, 0 &- minor)
        }
        for (currency, minor) in legs.stray(before: end).ordered() where minor > 0 {
            parts += [(.closingOwed, currency, minor), (.closingGivenFree, currency, minor)]
        }
        if parts.isEmpty { return [] }
        let record = subject.leading.map { file.transactions[$0] }
        let order = subject.decidingOrder.map { file.orders[$0] }
        return parts.map { kind, currency, minor in
            PurchaseRow(
                kind: kind, at: legs.withPartialRefunds.map(\.at).filter { $0 < end }.max() ?? end, record: record,
                source: record?.source ?? order?.source ?? subject.position.credits.first?.source
                    ?? subject.position.reversals.first?.source,
                product: record?.product ?? judgement.product ?? .absent, type: record.flatMap(scope.type), units: 0,
                amount: Money(minor: minor, currency: currency), account: subject.owner ?? .absent,
                order: order?.id ?? .absent, verdict: judgement.verdict, cause: judgement.cause,
                labels: subject.labels(in: file))
        }
    }
}

extension MonthTally {
    /// The refunds and the reversals of refunds that a subject had in the month, one line for each.
    func monthRefunds(_ legs: Legs, of subject: Subject, _ judgement: Judgement, in file: Case) -> [RefundLine] {
        guard let leading = subject.leading else { return [] }
        let record = file.transactions[leading]
        return legs.withPartialRefunds.filter { $0.revocation != nil && scope.span.contains($0.at) }.map { leg in
            RefundLine(
                transaction: subject.key.id.text, product: record.product.text,
                storefront: record.storefront?.text ?? "", account: subject.owner?.text,
                purchasedAt: record.purchasedAt, revokedAt: leg.revocation?.at ?? leg.at,
                takenBackAt: leg.kind == .refundReversal ? leg.at : nil,
                reason: leg.revocation?.reason,
                kind: leg.kind == .refundReversal ? .reversed : leg.units == Int64(record.quantity) ? .full : .partial,
                percentage: leg.revocation?.percentage,
                price: legs.all.first { $0.kind == .purchase }?.value, amount: leg.value, verdict: judgement.verdict,
                cause: judgement.cause, count: leg.refunds,
                ended: leg.ended)
        }
    }
}
