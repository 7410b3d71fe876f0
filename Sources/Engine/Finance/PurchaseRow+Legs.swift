extension PurchaseRow {
    /// A purchase that matched cleanly.
    init(_ purchase: Transaction, of order: Order, amount: Money, in scope: MonthScope) {
        self.init(
            kind: .purchase, at: purchase.purchasedAt, record: purchase, type: scope.type(of: purchase),
            units: Int64(purchase.quantity), amount: amount, priceSource: .apple, account: order.account,
            order: order.id)
    }

    /// The purchase and the refunds of a subject that fall into the month.
    static func rows(
        of subject: Subject, _ judgement: Judgement, legs: Legs, in file: Case, scope: MonthScope
    ) -> [PurchaseRow] {
        guard let leading = subject.leading else { return [] }
        let record = file.transactions[leading]
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
                kind: kind, at: leg.at, record: record, type: scope.type(of: record), units: leg.units,
                amount: leg.value, priceSource: legs.priceSource, account: subject.owner ?? .absent,
                order: subject.decidingOrder.map { file.orders[$0].id } ?? .absent, verdict: judgement.verdict,
                cause: judgement.cause)
        }
    }
}
