internal import Domain

extension MonthTally {
    /// The refunds and the reversals of refunds that a subject had in the month, one line for each.
    func monthRefunds(_ legs: Legs, of subject: Subject, _ judgement: Judgement, in file: Case) -> [MonthRefund] {
        guard let leading = subject.leading else { return [] }
        let record = file.transactions[leading]
        return legs.withPartialRefunds.filter { $0.revocation != nil && scope.span.contains($0.at) }.map { leg in
            MonthRefund(
                transaction: subject.key.id.text, product: record.product.text,
                storefront: record.storefront?.text ?? "", account: subject.owner?.text,
                purchasedAt: record.purchasedAt, revokedAt: leg.revocation?.at ?? leg.at,
                takenBackAt: leg.kind == .refundReversal ? leg.at : nil,
                kind: leg.kind == .refundReversal ? .reversed : leg.units == Int64(record.quantity) ? .full : .partial,
                reason: leg.revocation?.reason, percentage: leg.revocation?.percentage,
                price: legs.all.first { $0.kind == .purchase }?.value, amount: leg.value, verdict: judgement.verdict,
                cause: judgement.cause)
        }
    }
}
