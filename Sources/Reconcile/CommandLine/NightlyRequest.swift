internal import Domain
internal import Engine

/// `reconcile nightly`: what the command line asks for, checked as far as it can be without the configuration.
struct NightlyRequest: Equatable {
    var asOf: Instant?
    var date: BusinessDate?
    var isDryRun: Bool
    /// The folder that a dry run renders its reports into, as typed.
    var preview: String?
    /// End with 1 where exceptions are open.
    var tellsOpenExceptions: Bool
    /// The reports in the output folder may be those of another ledger.
    var beginsLedger: Bool

    init(_ invocation: Invocation) throws(Failure) {
        asOf = try invocation.instant(.asOf)
        date = try invocation.date(.date)
        isDryRun = invocation.isSet(.dryRun)
        preview = invocation.value(.preview)
        tellsOpenExceptions = invocation.isSet(.exitCode)
        beginsLedger = invocation.isSet(.newLedger)
        if preview != nil, !isDryRun {
            throw invocation.usage("--preview DIR goes with --dry-run: a real night is rendered into the output folder")
        }
    }

    /// What counts as now, and the business date: as asked for, else the clock's now and the day before it in `zone`.
    ///
    /// - Throws: `Failure` with `usage` for a business date that has not begun: a night of the future would close
    ///   the days up to it.
    func moment(now: Instant, zone: Zone) throws(Failure) -> RunTime {
        let asOf = asOf ?? now
        let today = zone.date(of: asOf)
        let date = date ?? today.advanced(by: -1)
        if date > today {
            throw .usage("\(date.text) has not begun by \(asOf.text) in \(zone.name)", command: .nightly)
        }
        return RunTime(businessDate: date, asOf: asOf, isImplicit: self.asOf == nil && self.date == nil)
    }
}
