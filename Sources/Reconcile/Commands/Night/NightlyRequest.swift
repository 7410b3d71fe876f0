/// The arguments of `reconcile nightly`, checked as far as possible without the configuration.
struct NightlyRequest: Equatable {
    /// `--as-of`: what counts as now; nil for the clock.
    var asOf: Instant?
    /// `--date`: the business date; nil for the day before.
    var date: BusinessDate?
    /// `--dry-run`: nothing is changed.
    var isDryRun: Bool
    /// `--preview`: the folder for the reports of a dry run, as typed.
    var preview: String?
    /// `--exit-code`: ends with 1 if exceptions are open.
    var reportsOpenExceptions: Bool
    /// `--new-ledger`: the reports in the output folder may belong to another ledger.
    var beginsLedger: Bool

    /// A night of that time, without any other option.
    init(asOf: Instant?, date: BusinessDate?) {
        (self.asOf, self.date) = (asOf, date)
        (isDryRun, preview, reportsOpenExceptions, beginsLedger) = (false, nil, false, false)
    }

    init(_ invocation: Invocation) throws(Failure) {
        asOf = try invocation.instant(.asOf)
        date = try invocation.date(.date)
        isDryRun = invocation.isSet(.dryRun)
        preview = invocation.value(.preview)
        reportsOpenExceptions = invocation.isSet(.exitCode)
        beginsLedger = invocation.isSet(.newLedger)
        if preview != nil, !isDryRun {
            throw invocation.usage(
                "--preview DIR needs --dry-run: a real night writes its reports into the output folder")
        }
    }

    /// The time and business date of the run: as given, otherwise the clock's time and the day before it in `zone`.
    ///
    /// - Throws: `Failure` with `usage` for a business date that has not begun: a night in the future would close the
    ///   days before it.
    func moment(now: Instant, zone: Zone) throws(Failure) -> RunTime {
        let asOf = asOf ?? now
        let today = zone.date(of: asOf)
        let date = date ?? today.advanced(by: -1)
        if date > today {
            throw .usage(
                "the business date \(date.text) has not begun at \(asOf.text) in \(zone.name)", command: .nightly)
        }
        return RunTime(businessDate: date, asOf: asOf, isImplicit: self.asOf == nil && self.date == nil)
    }
}
