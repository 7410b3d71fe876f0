internal import Intake
internal import Ledger

/// The judge of nights in stages: other processes read their files and judge their cases.
struct StagedJudge: NightJudge {
    /// The ledger must be the one of this plan. Nil before there is a plan, and for a night that is in the ledger already.
    var plan: ClusterPlan?
    /// What the stages took and judged, and where the lake keeps tonight's evidence. Nil before the night is judged.
    var parts: (basis: ClusterBasis, findings: Findings, folder: String)?

    func admit(_ ledger: Ledger, of configuration: Configuration) throws {
        guard try ledger.isEmpty || ledger.isBook else {
            throw Failure(
                .configuration, "the ledger \(quoted(configuration.ledger)) holds evidence: nightly has filled it",
                remedy: "Give the nights on the cluster a ledger of their own: --ledger FILE.")
        }
        guard let plan, try (ledger.isEmpty ? nil : ledger.lastRun())?.link ?? "" != plan.link else { return }
        throw Self.outdated
    }

    private static let outdated = Failure(
        .busy, "another run has changed the ledger since the plan was made",
        remedy: "Nothing was published. Run the night again.")

    func night(of nightly: Nightly, _ ledger: Ledger, _ settings: IntakeSettings) throws -> Night {
        guard let parts else { throw Self.outdated }
        let (basis, threads) = (parts.basis, settings.threads)
        var quiet = nightly.context.log
        quiet.silence()
        let taken = Dictionary(uniqueKeysWithValues: basis.taken.map { ($0.number, $0) })
        var delivered = try basis.plan.delivered(taken, ledger, log: quiet, threads: threads)
        delivered.handOuts = try HandOutRecord(nightly.configuration, nightly.context.log, known: ledger.handOuts())
            .standing()
        let history = try ledger.history
        let plan = NightPlan(
            delivered, at: nightly.moment, by: try nightly.settings(after: ledger), after: try history.head())
        var night = try Night.reconcile(
            parts.findings, delivered: delivered, by: plan, facts: basis.facts, after: history, threads: threads,
            timer: nightly.clock)
        let sums = basis.evidence.filter { basis.deliveries.contains($0.delivery) }
        night.run.evidence = try ClusterEvidence(folder: parts.folder, deliveries: sums).text
        return night
    }
}
