extension RefundLine {
    /// The report's line about a refund. Nil if the subject's purchase is not revoked, or if no evidence about it came
    /// tonight.
    ///
    /// - Parameter delivery: the number of tonight's first delivery.
    init?(_ subject: Subject, _ judgement: Judgement, in file: Case, since delivery: DeliveryID) {
        guard let revocation = subject.revocation, let leading = subject.leading,
            subject.transactions.contains(where: { file.transactions[$0].source.delivery >= delivery })
        else { return nil }
        let transaction = file.transactions[leading]
        self.init(
            transaction: transaction.id.text, product: transaction.product.text, account: subject.owner?.text,
            purchasedAt: transaction.purchasedAt, revokedAt: revocation.at,
            reason: revocation.reason,
            kind: Kind(revocation.refund(ofQuantity: transaction.quantity)),
            percentage: revocation.percentage, amount: judgement.amount, verdict: judgement.verdict,
            cause: judgement.cause)
    }
}

extension RefundLine.Kind {
    fileprivate init(_ refund: Refund) {
        switch refund {
        case .none: self = .family
        case .full: self = .full
        case .partial, .uncountable: self = .partial
        }
    }
}
