internal import Domain
internal import Engine
internal import SQLite

/// The refunds that a run's evidence reported.
extension Ledger {
    func write(_ refunds: [RefundLine], run: RunID) throws {
        var row = try TableWriter<RefundLineColumn>(self)
        for (number, refund) in refunds.enumerated() {
            row.set(.run, run)
            row.set(.number, Int64(number))
            row.set(.transactionID, refund.transaction)
            row.set(.productID, refund.product)
            row.set(.accountID, refund.account)
            row.set(.purchasedAt, refund.purchasedAt.milliseconds)
            row.set(.revokedAt, refund.revokedAt.milliseconds)
            row.set(.kind, refund.kind.rawValue)
            row.set(.reason, refund.reason.map(Int64.init))
            row.set(.percentage, refund.percentage.map(Int64.init))
            row.set(.amount, refund.amount?.minor)
            row.set(.currency, refund.amount?.currency.text)
            row.set(.verdict, refund.verdict.rawValue)
            row.set(.cause, refund.cause.rawValue)
            try row.write()
        }
    }

    /// In the order in which the run reported them.
    func refunds(of run: RunID) throws -> [RefundLine] {
        var refunds: [RefundLine] = []
        var row = try TableReader<RefundLineColumn>(self, "WHERE run = ?1 ORDER BY number")
        row.statement.bind(1, run)
        while try row.step() {
            guard let verdict = Verdict(rawValue: row.text(.verdict)), let cause = Cause(rawValue: row.text(.cause)),
                let kind = RefundLine.Kind(rawValue: row.text(.kind))
            else {
                throw LedgerError.damaged("a refund of run \(run) has an unknown verdict or kind")
            }
            refunds.append(
                RefundLine(
                    transaction: row.text(.transactionID), product: row.text(.productID),
                    account: row.optionalText(.accountID),
                    purchasedAt: Instant(milliseconds: row.integer(.purchasedAt)),
                    revokedAt: Instant(milliseconds: row.integer(.revokedAt)),
                    reason: row.optionalInteger(.reason).map { Int32(clamping: $0) }, kind: kind,
                    percentage: row.optionalInteger(.percentage).map { Int32(clamping: $0) },
                    amount: row.currency(.currency).map { Money(minor: row.integer(.amount), currency: $0) },
                    verdict: verdict, cause: cause))
        }
        return refunds
    }
}
