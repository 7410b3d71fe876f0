internal import Base
internal import Domain
internal import Engine
internal import Ledger

extension Month {
    /// The seal of a month that is being closed: its own figures, and the present figures of every month closed before.
    func seal(_ report: MonthReport, digest: String) -> MonthSeal {
        var known = seals.reduce(into: [String: MonthSeal.Figures]()) { $0.merge($1.known) { $1 } }
        for line in report.restated { known[line.period, default: [:]][line.currency] = line.now }
        known[report.period] = report.figures
        return MonthSeal(
            period: report.period, isFiscal: report.isFiscal, run: run.id,
            sealedAt: report.closing?.at ?? report.asOf, digest: digest, known: known)
    }

    /// The report of a closed month: its figures are those of the seal, its exceptions come from history.
    /// - Throws: `LedgerError.damaged` if the report is not the one that was sealed.
    func sealedReport(_ seal: MonthSeal, _ period: Period, in ledger: Ledger) throws -> MonthReport {
        var (report, text) = try ledger.report(of: seal)
        guard SHA256.digest(of: text).hex == seal.digest else {
            throw LedgerError.damaged("the closed month \(seal.period) was changed after it was closed")
        }
        guard let run = try ledger.runs(through: seal.run).last else {
            throw LedgerError.damaged("the closed month \(seal.period) is based on a run that is missing")
        }
        report.closing?.seal = seal.digest
        let exceptions = try MonthExceptions(ledger, period, last: run)
        report.open = exceptions.open
        report.cleared = exceptions.cleared
        report.waivers = exceptions.waivers
        return report
    }
}
