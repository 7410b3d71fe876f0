internal import Ledger
internal import Reports

/// `reconcile prune --older-than DAYS`: deletes the text of rejected rows, the devices of receipts, and labels from the
/// ledger and from the reports that showed them. No verdict depends on them, and that is proven before the commit.
struct Prune {
    let configuration: Configuration
    let texts: Texts
    let now: Instant
    let stages: StageClock
    let threads: Int
    /// Rows and receipts from before this date are pruned.
    let date: BusinessDate

    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        guard let days = try invocation.count(.olderThan, in: 0...36_500) else {
            throw invocation.usage("prune needs \(Option.olderThan.synopsis)")
        }
        let configuration = try context.configuration(for: invocation)
        let now = context.clock()
        let date = configuration.policy.zone.date(of: now).advanced(by: -days)
        if invocation.isSet(.reports) {
            let isDryRun = invocation.isSet(.dryRun)
            context.announce(try removeReports(configuration, before: date, isDryRun: isDryRun, now: now))
            return .done
        }
        let prune = Prune(
            configuration: configuration,
            texts: try Texts(language: configuration.language, folder: configuration.templates), now: now,
            stages: StageClock(log: context.log), threads: context.threads, date: date)
        if invocation.isSet(.dryRun) {
            let old = try prune.look()
            context.announce(
                """
                To be removed from before \(date): the text of \(old.rowsText), \(old.devicesText)\(old.labelsText).
                Reports to be rewritten: \(old.runs.isEmpty ? "none" : old.runs.map(\.businessDate.text).joined(separator: ", ")).
                Nothing was changed.

                """)
            return .done
        }
        let forgotten = try prune.perform(clock: context.clock)
        let reports =
            forgotten.runs.isEmpty
            ? "" : " The reports of \(counted(forgotten.runs.count, "night", "nights")) were rewritten."
        context.announce(
            """
            Removed from before \(date): the text of \(forgotten.rowsText), \(forgotten.devicesText)\(forgotten.labelsText).\(reports)
            No verdict has changed.
            Backups, ledgers that were set aside and the inbox are not touched: remove old data there yourself.

            """)
        return .done
    }

    /// Removes the reports from before the date, but never those of the last night, nor those of months. The ledger keeps
    /// the nights, and `nightly --date` renders their reports again.
    /// - Returns: what was done, in words.
    private static func removeReports(
        _ configuration: Configuration, before date: BusinessDate, isDryRun: Bool, now: Instant
    ) throws -> String {
        guard exists(configuration.ledger) else { throw Ledger.noNight(configuration.ledger) }
        let lock = try RunLock(of: configuration.ledger, now: now)
        defer { withExtendedLifetime(lock) {} }
        let (ledger, last) = try checkedLedger(configuration)
        let publication = try Publication(output: configuration.output, group: configuration.group)
        let dates = Set(try ledger.runs().map(\.businessDate)).ordered().filter {
            $0 < date && $0 < last.businessDate && publication.target(of: $0.text) != nil
        }
        if !isDryRun { for date in dates { try publication.withdraw(date) } }
        let span = dates.isEmpty ? "" : ": \(dates[0]) to \(dates[dates.count - 1])"
        return (isDryRun ? "To be removed from before \(date): " : "Removed from before \(date): ")
            + "the reports of \(counted(dates.count, "night", "nights"))\(span).\n"
            + (isDryRun ? "Nothing was changed.\n" : "'reconcile nightly --date DATE' renders them again.\n")
    }

    private static func checkedLedger(_ configuration: Configuration) throws -> (ledger: Ledger, last: RunRecord) {
        guard exists(configuration.ledger) else { throw Ledger.noNight(configuration.ledger) }
        let ledger = try Ledger.reading(path: configuration.ledger)
        try ledger.beginReading()
        guard let last = try ledger.lastRun() else { throw Ledger.noNight(configuration.ledger) }
        try ledger.checkHead()
        return (ledger, last)
    }

    private func look() throws -> PruneResult {
        try Self.checkedLedger(configuration).ledger
            .forgettable(before: date, configuration.policy.zone.start(of: date))
    }

    private func perform(clock: @Sendable () -> Instant) throws -> PruneResult {
        var publication = try Publication(output: configuration.output, group: configuration.group)
        var rendered: [String] = []
        do {
            return try Ledger.change(at: configuration.ledger, clock: clock) { ledger, last in
                let forgotten = try forget(in: ledger, last)
                for run in forgotten.runs where publication.target(of: run.businessDate.text) != nil {
                    let name = try publication.prepare(run.businessDate.text)
                    rendered.append(name)
                    try render(run, of: ledger, into: name, publication)
                }
                try Interruption.process.check()
                return forgotten
            } after: { ledger, _ in
                // From here on, the ledger names the folders.
                rendered = []
                try link(ledger.runs(), publication)
                // Folders left by an interrupted prune or night may contain what is deleted now.
                try publication.sweep(keepingThoseOf: ledger)
                try stages.time("compact") { try ledger.compact() }
            }
        } catch {
            for folder in rendered { publication.remove(folder) }
            publication.removeMade()
            throw error
        }
    }

    /// Points the dates' links to the folders that the ledger names: those just rendered, and those for which an
    /// interrupted prune did not set the link. A date whose reports were removed stays without a link.
    private func link(_ runs: [RunRecord], _ publication: Publication) throws {
        for run in runs {
            guard let folder = run.folder, let target = publication.target(of: run.businessDate.text),
                target != folder, publication.exists(folder)
            else { continue }
            try publication.publish(folder, as: run.businessDate.text, isLatest: false)
        }
    }

    private func forget(in ledger: Ledger, _ last: RunRecord) throws -> PruneResult {
        try ledger.checkRecord(of: ledger.forgettable(before: date, configuration.policy.zone.start(of: date)).runs)
        let before = try verification(of: ledger, last)
        let problems = try ledger.conservationProblems()
        let forgotten = try ledger.forget(before: date, configuration.policy.zone.start(of: date))
        let after = try verification(of: ledger, last)
        // The counted purchases have labels as well. A table that differed before is left to the next night.
        try ledger.write(after.recounted.filter { before.recounted[$0.key] == nil }, isRebuilt: false)
        guard after.wrongSubjects == before.wrongSubjects, try ledger.conservationProblems() == problems else {
            throw Failure(
                .internalError, "verdicts would change if this data were removed",
                remedy: "Nothing was changed. Please report this line.")
        }
        if forgotten.rows + forgotten.devices + forgotten.labels > 0 {
            let note = "\(forgotten.rowsText) and \(forgotten.devicesText)\(forgotten.labelsText) from before \(date)"
            try ledger.writeMaintenance(.pruned, run: last.id, by: nil, at: now, note: note)
        }
        return forgotten
    }

    /// What differs from the present rules. Verdicts can differ only if the policy has changed since the last night.
    private func verification(of ledger: Ledger, _ last: RunRecord) throws -> Verification {
        try stages.time("verdicts", of: "cases") { work in
            let basis = Basis(configuration.nightSettings, try ledger.head(asOf: last), of: last)
            return try Verification(ledger, basis, threads: threads, work: work)
        }
    }

    private func render(_ run: RunRecord, of ledger: Ledger, into name: String, _ publication: Publication) throws {
        let path = publication.output + "/" + name
        try stages.time("report") { work in
            try writeNightReport(
                ledger.report(of: run), texts: texts, into: path, fileMode: publication.fileMode, work: work)
        }
        // What the night cost is recorded nowhere else.
        if let old = publication.target(of: run.businessDate.text) {
            try copyMetrics(from: publication.output + "/" + old, into: path, fileMode: publication.fileMode)
        }
        try ledger.setFolder(name, digest: publication.seal(name), of: run.id)
    }
}

extension PruneResult {
    fileprivate var rowsText: String { counted(rows, "rejected row", "rejected rows") }
    fileprivate var devicesText: String { counted(devices, "device id", "device ids") }
    /// Empty without any.
    fileprivate var labelsText: String { labels == 0 ? "" : ", the labels of \(counted(labels, "row", "rows"))" }
}
