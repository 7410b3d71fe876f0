internal import Domain

extension MonthTally {
    /// The refunds and the reversals of refunds that a subject had in the month, one line for each.
    func monthRefunds(_ legs: Legs, of subject: Subject, _ judgement: Judgement, in file: Case) -> [MonthRefund] {
        guard let leading = subject.leading else { return [] }
        let record = file.transactions[leading]
        return legs.withPartialRefunds.filter { $0.revocation != nil && scope.span.contains($0.at) }.map { leg in
            var line = MonthRefund(
                transaction: subject.key.id.text, product: record.product.text,
                storefront: record.storefront?.text ?? "", purchasedAt: record.purchasedAt,
                revokedAt: leg.revocation?.at ?? leg.at, kind: leg.refundKind(of: record), verdict: judgement.verdict,
                cause: judgement.cause)
            line.takenBackAt = leg.kind == .refundReversal ? leg.at : nil
            line.account = subject.owner?.text
            line.reason = leg.revocation?.reason
            line.percentage = leg.revocation?.percentage
            line.price = legs.price
            line.amount = leg.value
            return line
        }
    }
}

extension Leg {
    fileprivate func refundKind(of record: Transaction) -> MonthRefund.Kind {
        if kind == .refundReversal { return .reversed }
        return units == Int64(record.quantity) ? .full : .partial
    }
}

extension Legs {
    /// What the purchase cost; nil if unknown.
    var price: Money? { all.first { $0.kind == .purchase }?.value }
}
