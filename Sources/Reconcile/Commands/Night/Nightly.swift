internal import Foundation
internal import Glibc
internal import Intake
internal import Ledger
internal import Reports

/// A value as an object.
private final class Box<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// `reconcile nightly`: reads the night's files, judges every subject, and writes ledger and reports; all of it or
/// nothing.
struct Nightly {
    let configuration: Configuration
    let moment: RunTime
    let texts: Texts
    let context: CommandContext
    let clock: StageClock
    /// `--new-ledger` was given: the reports in the output folder may belong to another ledger.
    var beginsLedger = false
    /// Who reads the files and judges the cases.
    var judge: any NightJudge = InProcessJudge()

    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let request = try NightlyRequest(invocation)
        let configuration = try context.configuration(for: invocation)
        let moment = try request.moment(now: context.clock(), zone: configuration.policy.zone)
        var nightly = try Nightly(configuration, at: moment, context)
        nightly.beginsLedger = request.beginsLedger
        let preview = request.preview.map { absolute($0, in: context.folder) }
        if !request.isDryRun {
            try Upgrade.perform(on: configuration.ledger, context)
            try DecisionRecord(configuration).bringIn(until: moment.asOf, context)
        }
        let report = try request.isDryRun ? nightly.rehearse(preview: preview) : nightly.perform()
        nightly.printSummary(report)
        // The process ends now. To free the report row by row would take a hundredth of the night's time.
        _ = Unmanaged.passRetained(Box(report))
        return report.exitCode(failsOnExceptions: request.reportsOpenExceptions)
    }

    init(_ configuration: Configuration, at moment: RunTime, _ context: CommandContext) throws {
        self.configuration = configuration
        self.moment = moment
        self.context = context
        clock = StageClock(log: context.log)
        texts = try Texts(language: configuration.language, folder: configuration.templates)
    }

    func printSummary(_ report: NightReport) {
        if !context.log.isQuiet { context.announce(summaryText(report, texts: texts)) }
        for gap in report.coverageGaps.prefix(20) {
            let isRead = configuration.feeds.contains { $0.name == gap.reason.feed }
            let isFetched = configuration.apple?.notifications.name == gap.reason.feed
            context.log.warning(gap.advice(isRead: isRead, isFetched: isFetched), for: .look)
        }
    }

    private var settings: IntakeSettings {
        get throws {
            let memory = SignatureMemory(ledger: configuration.ledger)
            var appStore = try configuration.appStoreSettings(now: moment.asOf)
            appStore.isKnownSignature = { memory.contains($0) }
            return IntakeSettings(
                appStore: appStore, maxRejectedPartsPerMillion: configuration.rejectedPartsPerMillionMax,
                threads: threads)
        }
    }

    private var threads: Int { context.threads }

    private var hasLedger: Bool { FileManager.default.fileExists(atPath: configuration.ledger) }

    /// Runs the night without changing ledger or output.
    /// - Parameter preview: a folder for the reports. It is created, or emptied of an earlier preview. Nil for no
    ///   reports.
    func rehearse(preview: String?) throws -> NightReport {
        let ledger = try ledgerToRead(registerLater: true)
        let report = try rebuilt(from: ledger)?.1 ?? night(ledger).report
        if let preview {
            try makePreviewFolder(preview)
            try clock.time("report") { work in
                try writeNightReport(
                    report, texts: texts, into: preview, fileMode: 0o600, threads: threads, work: work)
            }
        }
        return report
    }

    /// The ledger as the last night left it, checked; an empty one before the first night.
    ///
    /// - Parameter registerLater: see `Ledger.checkHead`.
    func ledgerToRead(registerLater: Bool = false) throws -> Ledger {
        let committed = try hasLedger ? Ledger.committed(at: configuration.ledger) : nil
        let ledger = try committed ?? Ledger.inMemory()
        try requireLedger(isEmpty: ledger.isEmpty)
        if committed != nil { try ledger.checkHead(registerLater: registerLater) }
        try judge.admit(ledger, of: configuration)
        return ledger
    }

    /// - Throws: `Failure` with `internalError` where a check of the self-test fails: a night that finds nothing would
    ///   mean nothing.
    private func night(_ ledger: Ledger) throws -> Night {
        let settings = try settings
        let test = try clock.time("self-test", of: "checks") { work in
            let test = try SelfTest.run(threads: settings.threads)
            work.add(rows: test.total)
            return test
        }
        guard test.failures.isEmpty else {
            throw Failure(
                .internalError,
                "self-test: \(test.failures.count) of \(test.total) rules did not find their planted problem: \(test.failures[0])",
                remedy: "Nothing was published. Install the program again, and report this line.")
        }
        var night = try judge.night(of: self, ledger, settings)
        for warning in night.warnings { context.log.warning(warning.text, for: warning.reason) }
        try warnOfLostSeals(ledger)
        night.record(test)
        night.report.assign(try WorkRecord(configuration, context.log).standing(until: moment.asOf).work)
        try ledger.seal(&night, threads: settings.threads)
        return night
    }

    /// Says which published months were closed in a newer ledger than this one.
    private func warnOfLostSeals(_ ledger: Ledger) throws {
        let seals = try ledger.isEmpty ? [] : ledger.monthSeals()
        for month in PublishedMonth.unknown(to: seals, in: configuration.output) {
            context.log.warning(
                "\(configuration.output)/\(month.period) holds the month as \(quoted(month.closing?.by ?? "")) closed it, "
                    + "with a seal that is not in this ledger: an older ledger is in its place. "
                    + PublishedMonth.remedy(month.period, in: configuration.output))
        }
    }

    /// What the engine needs to know of the configuration, and of reports of runs that this ledger does not know. Entries
    /// of those runs may have been acted on. After a `restore`, a person knows that.
    func settings(after ledger: Ledger) throws -> NightSettings {
        var settings = configuration.nightSettings
        settings.lostHandOuts = try HandOutRecord(configuration, known: ledger.handOuts()).lost(asOf: moment.asOf)
        if let last = try ledger.lastRun(), try ledger.restoration(since: last.id) == nil {
            settings.unknownRun = try PublishedRun.later(than: ledger, in: configuration.output)
        }
        return settings
    }

    /// Late files alone do not stop a night, because the nights before it ran; nor do those of a shop whose nights skip dates,
    /// unless all are missing for long.
    /// - Throws: `Failure` with `configuration` if the clock names the night, and the last night and the newest files are
    ///   so much older that the clock may be ahead. A night in the future would keep all earlier ones from running.
    func requirePresent(_ delivered: Delivered, after ledger: Ledger) throws {
        // A file without a date counts as of tonight, and `collect` dates its files by the same clock: neither says anything
        // about it. The shop's clock dated their rows.
        let dated = configuration.feeds.filter(\.isDated)
        let deliveredByOthers = Set(dated.filter { $0.command == nil }.map(\.name))
        let file = delivered.arrivals.filter { deliveredByOthers.contains($0.feed) }.map(\.date).max()
        let row = hasCommands ? delivered.evidence.newest.map(configuration.policy.zone.date(of:)) : nil
        // A row of one date means that the file of the date before is due.
        let newest = [file, row?.advanced(by: -1)].compactMap(\.self).max()
        let date = moment.businessDate
        guard moment.isImplicit, try !ledger.isEmpty, let last = try ledger.lastRun()?.businessDate,
            configuration.feeds.contains(where: { $0.required && $0.isDated })
        else { return }
        let isFar = max(last, newest ?? last) < date.advanced(by: -3)
        let isNear = last < date.advanced(by: -2) && newest.map { $0 < date.advanced(by: -1) } == true
        guard try isFar || isNear && !ledger.skipsDates else { return }
        let names = Set(dated.map(\.name))
        let hasNewFile = delivered.arrivals.contains { names.contains($0.feed) && $0.date > last }
        throw Failure(
            .configuration,
            "the clock says \(moment.asOf.text), but the last night was for \(last), and "
                + (newest.map { $0 == file ? "the newest file is of \($0)" : "the newest row is of \(row!)" }
                    ?? "no \(hasNewFile ? "row" : "file") has come since")
                + ": the clock may be ahead",
            remedy:
                "Is the clock right? If so, name the night with --date \(date). If not, correct the clock"
                + "\(Self.early(after: last, if: hasCommands)).")
    }

    private var hasCommands: Bool { configuration.feeds.contains { $0.command != nil } }

    /// What else to do where `collect` ran by a clock that was ahead: its files of days that were not over are too short.
    private static func early(after date: BusinessDate, if hasCommands: Bool) -> String {
        hasCommands ? ", and delete the files of dates after \(date) that 'reconcile collect' wrote" : ""
    }

    /// Makes sure that the reports in the output folder are this ledger's. Two ledgers that share a folder would
    /// replace each other's reports every night.
    ///
    /// Reports of a run that this ledger has not reached may be its own: an older ledger may have been restored. So may those
    /// of a run after the one to which it was restored, and those from before it was restored: by a wrong backup, say.
    /// - Throws: `Failure` with `configuration` if another ledger published the reports that this night would replace.
    private func requireOwnReports(of ledger: Ledger) throws {
        guard let last = try ledger.lastRun() else { return }
        for label in ["latest", moment.businessDate.text] {
            guard let published = PublishedRun(folder: configuration.output + "/" + label),
                published.run <= last.id, try ledger.run(id: published.run)?.link != published.chain,
                try !ledger.wasRestored(before: published.run, orAfter: Instant(strict: published.asOf))
            else { continue }
            throw Failure(
                .configuration,
                "\(quoted(configuration.output)) contains reports of another ledger: \(label) is its run \(published.run)",
                remedy:
                    "Two configurations must not share an output folder: name another one. If this ledger was put back by hand, "
                    + "put it back with 'reconcile restore'. Nothing was changed.")
        }
    }

    /// Publishes the night, or leaves everything as it was.
    func perform() throws -> NightReport {
        let lock = try RunLock(of: configuration.ledger, now: context.clock())
        defer { withExtendedLifetime(lock) {} }
        let isFirst = !hasLedger
        if isFirst { try requireLedger(isEmpty: true) }
        var publication = try Publication(output: configuration.output, group: configuration.group)
        var outcome = Outcome.nothing
        do {
            return try perform(publication, outcome: &outcome)
        } catch {
            if outcome == .committed { throw Failure(error).afterCommit }
            if isFirst, Failure(error).code != .busy {
                Ledger.remove(path: configuration.ledger)
                publication.sweep(keeping: [])
            }
            publication.removeMade()
            throw error
        }
    }

    /// Published reports prove that there was a ledger. Running without it would lose every exception, waiver and retry
    /// key.
    /// - Throws: `Failure` with `configuration` if the ledger is missing, with `usage` if a new one is requested
    ///   although there is one.
    private func requireLedger(isEmpty: Bool) throws(Failure) {
        if !isEmpty, beginsLedger {
            throw .usage(
                "--new-ledger starts a new ledger, but \(quoted(configuration.ledger)) contains nights already; omit the option",
                command: .nightly)
        }
        guard isEmpty, !beginsLedger, Publication.hasPublished(in: configuration.output) else { return }
        throw Failure(
            .configuration, Publication.lostLedger(configuration),
            remedy:
                "Mount its disk, correct its path, or restore a backup. To start a new ledger, pass --new-ledger once.")
    }

    /// How far the run has come irrevocably.
    private enum Outcome {
        case nothing
        /// COMMIT failed in a way (a failed sync) after which the run may still turn out to be in the ledger.
        case uncertain
        /// Only the link is missing; the next run sets it.
        case committed
    }

    private func perform(_ publication: Publication, outcome: inout Outcome) throws -> NightReport {
        let ledger = try Ledger(path: configuration.ledger)
        try requireLedger(isEmpty: ledger.isEmpty)
        // Nothing is repaired or removed before this run has locked the ledger: the lock file may have been deleted by
        // hand.
        try ledger.begin()
        try ledger.checkHead(registerLater: true)
        try judge.admit(ledger, of: configuration)
        try requireOwnReports(of: ledger)
        try restoreLinks(publication, ledger)
        var folder: String?
        do {
            let published = try write(ledger, publication, folder: &folder, outcome: &outcome)
            try publication.publish(published.folder, as: moment.businessDate.text, isLatest: published.isLatest)
            return published.report
        } catch {
            // SQLite may have rolled back by itself, for instance on a full disk.
            try? ledger.rollback()
            if let folder, outcome == .nothing { publication.remove(folder) }
            throw error
        }
    }

    /// Writes the ledger and the hidden folder, then commits with the folder's digest.
    private func write(
        _ ledger: Ledger, _ publication: Publication, folder: inout String?, outcome: inout Outcome
    ) throws -> (report: NightReport, folder: String, isLatest: Bool) {
        let rebuilt = try rebuilt(from: ledger)
        var night = rebuilt == nil ? try night(ledger) : nil
        let record = rebuilt?.0 ?? night!.run
        let report = rebuilt?.1 ?? night!.report
        let name = try publication.prepare(moment.businessDate.text)
        folder = name
        // After a smaller night, releasing memory is not worth the time.
        if let night, night.records.cases.count > 1 << 22 { releaseFreedMemory() }
        // The report does not depend on what is written into the ledger, so both are written at the same time.
        let rendering = render(report, into: publication.output + "/" + name, fileMode: publication.fileMode)
        let keeping = Result {
            if night == nil { return }
            try clock.time("keep", of: "records") {
                if night != nil { try ledger.apply(&night!, threads: threads, work: $0) }
            }
        }
        let rendered = Result { try clock.finish(rendering) }
        try keeping.get()
        try rendered.get()
        try writeMetrics(
            NightMetrics(
                at: context.clock(), exitCode: report.exitCode(failsOnExceptions: false).rawValue,
                ledgerBytes: try ledger.bytes, stages: clock.times),
            of: report, into: publication.output + "/" + name, fileMode: publication.fileMode)
        let digest = try publication.seal(name)
        try Interruption.process.check()
        for suffix in ["", "-wal", "-shm"] { try publication.permitFile(configuration.ledger + suffix) }
        try ledger.setFolder(name, digest: digest, of: record.id)
        do {
            try clock.time("commit") { try ledger.commit() }
        } catch {
            if !Failure.leavesNothing(error) { outcome = .uncertain }
            throw error
        }
        outcome = .committed
        // A first load creates these files only now. If this fails, the next night sets their permissions.
        for suffix in ["-wal", "-shm"] { try? publication.permitFile(configuration.ledger + suffix) }
        return (report, name, try ledger.lastRun()?.id == record.id)
    }

    private func render(_ report: NightReport, into path: String, fileMode: mode_t) -> ConcurrentStage {
        let (texts, threads) = (texts, threads)
        return clock.begin("report", isConcurrent: threads > 1) { work in
            try writeNightReport(
                report, texts: texts, into: path, fileMode: fileMode, threads: threads, work: work)
        }
    }

    /// The run whose report is rendered again, if this is not a new night: for the same date and "now" as the last run,
    /// or for a date before it. Nil for a new night.
    func rebuilt(from ledger: Ledger) throws -> (RunRecord, NightReport)? {
        guard try !ledger.isEmpty, let last = try ledger.lastRun(), moment.businessDate <= last.businessDate else {
            return nil
        }
        if moment.businessDate == last.businessDate, moment.asOf > last.asOf { return nil }
        if moment.isImplicit, moment.businessDate < last.businessDate {
            throw Failure(
                .configuration,
                "the clock says \(moment.asOf.text), but the last night was for \(last.businessDate): one of them is wrong",
                remedy: "Correct the clock, or restore a backup from before that night"
                    + Self.early(after: moment.businessDate.advanced(by: -1), if: hasCommands)
                    + ". To rebuild a night's reports, use --date."
            )
        }
        guard let run = try ledger.run(of: moment.businessDate) else {
            throw Failure(
                .noInput,
                "no night was run for \(moment.businessDate), and the ledger is already at \(last.businessDate)",
                remedy: "Its files were read by a later night; see that night's reports.")
        }
        try ledger.checkRegister()
        try ledger.checkRecord(of: [run])
        context.log.notice(
            "the reports of \(run.businessDate) are rebuilt from the ledger; new files are read by the next night"
        )
        return (run, try ledger.report(of: run))
    }

    /// Sets links that an earlier run committed but did not set, and removes what interrupted runs left behind.
    private func restoreLinks(_ publication: Publication, _ ledger: Ledger) throws {
        let folders = try ledger.isEmpty ? [] : ledger.folders()
        for (date, folder) in folders where publication.exists(folder) && publication.target(of: date.text) != folder {
            try publication.publish(folder, as: date.text, isLatest: false)
        }
        if let last = folders.last, publication.exists(last.folder) { try publication.publishLatest(last.date) }
        publication.sweep(keeping: Set(folders.map(\.folder)))
    }
}

extension NightReport {
    /// - Parameter failsOnExceptions: open exceptions have an exit code of their own.
    func exitCode(failsOnExceptions: Bool) -> ExitCode {
        if demandsAttention { return .look }
        let isOpen = exceptions.contains(where: \.state.isOpen)
        return failsOnExceptions && isOpen ? .no : .done
    }
}
