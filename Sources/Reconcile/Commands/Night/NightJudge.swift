internal import Intake
internal import Ledger

/// Who reads a night's files and judges its cases.
protocol NightJudge {
    /// - Throws: `Failure` if the ledger is not one for whose nights it can judge.
    func admit(_ ledger: Ledger, of configuration: Configuration) throws

    func night(of nightly: Nightly, _ ledger: Ledger, _ settings: IntakeSettings) throws -> Night
}

/// Reads the files and judges all cases in this process.
struct InProcessJudge: NightJudge {
    func admit(_ ledger: Ledger, of configuration: Configuration) throws {
        try ledger.requireEvidence(
            at: configuration.ledger, remedy: "Run 'reconcile cluster' for it, or name another ledger.")
    }

    func night(of nightly: Nightly, _ ledger: Ledger, _ settings: IntakeSettings) throws -> Night {
        let history = try ledger.history
        // What was read is passed on and not kept, because it is most of the night's memory.
        return try Night.reconcile(
            delivered(to: nightly, ledger, settings), at: nightly.moment,
            by: nightly.settings(after: ledger), after: history, threads: settings.threads,
            timer: nightly.clock)
    }

    private func delivered(
        to nightly: Nightly, _ ledger: Ledger, _ settings: IntakeSettings
    ) throws -> Delivered {
        let (configuration, context, moment) = (nightly.configuration, nightly.context, nightly.moment)
        var delivered = try nightly.clock.time("read") { work in
            var reading = settings
            reading.work = work
            let files = FeedImport(
                configuration: configuration, businessDate: moment.businessDate, settings: reading,
                memory: context.memory(), log: context.log)
            return try files.run(ledger: ledger)
        }
        try nightly.requirePresent(delivered, after: ledger)
        delivered.handOuts = try HandOutRecord(configuration, context.log, known: ledger.handOuts()).standing()
        return delivered
    }
}
