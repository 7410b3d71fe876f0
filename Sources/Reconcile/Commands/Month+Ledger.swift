internal import Ledger

extension Month {
    /// The ledger as it was known at `asOf`. Nil: as it is known now.
    ///
    /// - Throws: `Failure` with `noInput` if no night had been run by then.
    init(_ ledger: Ledger, _ configuration: Configuration, asOf: Instant?, isFiscal: Bool) throws {
        guard try !ledger.isEmpty, let last = try ledger.lastRun(),
            let run = try asOf.map({ try ledger.lastRun(knownAt: $0) }) ?? last
        else { throw Ledger.noNight(configuration.ledger, "that was run by then") }
        let seals = try ledger.monthSeals().filter { $0.run <= run.id }
        self.init(
            ledger, configuration.nightSettings, run: run, isLatest: run.id == last.id,
            seals: seals.filter { $0.isFiscal == isFiscal },
            closedByOther: seals.filter { $0.isFiscal != isFiscal }.map(\.period))
    }

    /// The seal of a month that is being closed.
    func seal(_ report: MonthReport, digest: String) -> MonthSeal {
        MonthSeal(
            period: report.period, isFiscal: report.isFiscal, run: run.id,
            sealedAt: report.closing?.at ?? report.asOf, digest: digest, known: known(with: report))
    }

    /// The report of a closed month: its figures are those of the seal, its exceptions come from history.
    /// - Throws: `LedgerError.damaged` if the report is not the one that was sealed.
    func sealedReport(_ seal: MonthSeal, in ledger: Ledger) throws -> MonthReport {
        var (report, text) = try ledger.report(of: seal)
        guard SHA256.digest(of: text).hex == seal.digest else {
            throw LedgerError.damaged("the closed month \(seal.period) was changed after it was closed")
        }
        guard let run = try ledger.runs(through: seal.run).last else {
            throw LedgerError.damaged("the closed month \(seal.period) is based on a run that is missing")
        }
        report.closing?.seal = seal.digest
        try report.addExceptions(of: ledger, through: run)
        return report
    }
}
