public import Domain

extension PurchaseRow {
    /// A purchase that matched cleanly.
    public init(_ purchase: Transaction, of order: Order, amount: Money, _ scope: MonthScope) {
        self.init(
            .purchase, at: purchase.purchasedAt, purchase, units: Int64(purchase.quantity), amount: amount,
            priceSource: .apple)
        type = type ?? scope.policy.products.type(of: purchase.product)
        account = order.account
        self.order = order.id
    }

    /// The purchase and the refunds of a subject that fall into the month.
    public static func rows(
        _ legs: Legs, of subject: Subject, _ judgement: Judgement, in file: Case, _ scope: MonthScope
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
            var row = PurchaseRow(
                kind, at: leg.at, record, units: leg.units, amount: leg.value, priceSource: legs.priceSource)
            row.type = row.type ?? scope.policy.products.type(of: record.product)
            row.account = subject.owner ?? .absent
            row.order = subject.decidingOrder.map { file.orders[$0].id } ?? .absent
            (row.verdict, row.cause) = (judgement.verdict, judgement.cause)
            return row
        }
    }
}
