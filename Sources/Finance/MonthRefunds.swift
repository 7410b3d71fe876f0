internal import Domain
internal import ReportData

extension MonthTally {
    /// The subject's refund, if it falls into the month, or one that Apple took back within the month.
    ///
    /// A refund was taken back where the current version of the record shows none, but a superseded version does. It is
    /// listed in the month of the refund and in that of the newer version.
    ///
    /// - Parameter superseded: older versions of the case's transactions.
    func monthRefunds(
        _ subject: Subject, _ judgement: Judgement, in file: Case, superseded: [Transaction]
    ) -> [MonthRefund] {
        guard let leading = subject.leading else { return [] }
        let record = file.transactions[leading]
        guard record.environment == scope.policy.environment else { return [] }
        if let revocation = subject.revocation {
            guard scope.span.contains(revocation.at), subject.refund != .none else { return [] }
            return [refund(of: record, revocation, subject, judgement)]
        }
        if superseded.isEmpty { return [] }
        let mates = Set(subject.transactions.map { file.transactions[$0].id })
        let old = superseded.filter { mates.contains($0.id) && $0.revocation?.isRefund == true }
        guard let last = old.max(by: { ($0.signedAt ?? .absent) < ($1.signedAt ?? .absent) }),
            let revocation = last.revocation
        else { return [] }
        let takenBack = record.signedAt
        guard scope.span.contains(revocation.at) || takenBack.map(scope.span.contains) == true else { return [] }
        var line = refund(of: record, revocation, subject, judgement)
        line.kind = .reversed
        line.takenBackAt = takenBack
        line.amount = nil
        return [line]
    }

    /// The line for a refund that stands.
    private func refund(
        of record: Transaction, _ revocation: Revocation, _ subject: Subject, _ judgement: Judgement
    ) -> MonthRefund {
        let price = scope.policy.price(of: record)
        let isFull = subject.refund == .full
        var line = MonthRefund(
            transaction: subject.key.id.text, product: record.product.text, storefront: record.storefront?.text ?? "",
            purchasedAt: record.purchasedAt, revokedAt: revocation.at,
            kind: isFull ? .full : .partial, verdict: judgement.verdict, cause: judgement.cause)
        line.account = subject.owner?.text
        line.reason = revocation.reason
        line.percentage = revocation.percentage
        line.price = price
        line.amount = price.flatMap { revocation.amount(of: $0, quantity: record.quantity) }
        return line
    }
}

extension Revocation {
    /// A withdrawal from family sharing moves no money.
    fileprivate var isRefund: Bool { type != .familyRevoke }
}
