internal import Domain
internal import SQLite

/// The refunds that a run's evidence told of.
extension Ledger {
    func write(_ refunds: [RefundLine], run: Int64) throws {
        var row = try connection.prepare(
            "INSERT INTO refund_line VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14) RETURNING *")
        for (number, refund) in refunds.enumerated() {
            row.bind(1, run)
            row.bind(2, Int64(number))
            row.bind(3, refund.transaction)
            row.bind(4, refund.product)
            row.bind(5, refund.account)
            row.bind(6, refund.purchasedAt)
            row.bind(7, refund.revokedAt)
            row.bind(8, refund.kind)
            row.bind(9, refund.reason.map(Int64.init))
            row.bind(10, refund.percentage.map(Int64.init))
            row.bind(11, refund.amount?.minor)
            row.bind(12, refund.amount?.currency)
            row.bind(13, refund.verdict.rawValue)
            row.bind(14, refund.cause.rawValue)
            try add(&row, to: .refundLines)
        }
    }

    /// In the order in which they were reported.
    func refunds(of run: Int64) throws -> [RefundLine] {
        var refunds: [RefundLine] = []
        var row = try connection.prepare("SELECT * FROM refund_line WHERE run = ?1 ORDER BY number")
        row.bind(1, run)
        while try row.step() {
            guard let verdict = Verdict(rawValue: row.text(12)), let cause = Cause(rawValue: row.text(13)) else {
                throw LedgerError.damaged("a refund of run \(run) has no verdict")
            }
            refunds.append(
                RefundLine(
                    transaction: row.text(2), product: row.text(3), account: row.optionalText(4),
                    purchasedAt: row.integer(5), revokedAt: row.integer(6),
                    reason: row.optionalInteger(8).map { Int32(clamping: $0) }, kind: row.text(7),
                    percentage: row.optionalInteger(9).map { Int32(clamping: $0) },
                    amount: row.optionalInteger(10).map { Amount(minor: $0, currency: row.text(11)) },
                    verdict: verdict, cause: cause))
        }
        return refunds
    }
}
