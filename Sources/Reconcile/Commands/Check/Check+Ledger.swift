internal import Ledger
internal import Reports

/// Compares the ledger with itself, with the rules, and with what was published from it.
extension Check {
    private static let repair = "Restore a backup, or rebuild it from the archived feeds."

    mutating func checkLedger(_ ledger: Ledger) throws {
        let clock = StageClock(log: context.log)
        let file = try clock.time("ledger's file") { try ledger.fileProblems() }
        findings.note("ledger's file", all: file, remedy: Self.repair)
        // If the file itself is damaged, all other findings would only repeat that.
        guard file.isEmpty else { return }
        let schema = try ledger.schemaProblems()
        for problem in schema {
            if case .damaged = problem { throw LedgerError.damaged("\(problem)") }
        }
        findings.note(
            "ledger's tables", all: schema.map(\.description),
            remedy: "reconcile does not use it. Do not change the ledger with other programs.")
        guard try !ledger.isEmpty, let last = try ledger.lastRun() else { return }
        let parts: [(String, () throws -> [String])] = [
            ("references", ledger.referenceProblems), ("conservation", ledger.conservationProblems),
            ("chain of \(counted(last.id.rawValue, "run", "runs"))", ledger.chainProblems),
            ("row checksums", ledger.checksumProblems),
            ("files and control totals", ledger.controlTotalProblems),
            ("retry entries", ledger.retryProblems), ("closed months", ledger.sealProblems),
        ]
        for (what, problems) in parts {
            findings.note(what, all: try clock.time(what) { try problems() }, remedy: Self.repair)
        }
        for advice in try ledger.guardFindings(of: last).compactMap({ Texts.english.advice([$0]) }) {
            findings.doubt("guard", "the last night's entries are held: \(advice).")
        }
        checkDoubts(try ledger.outline(of: last))
        for feed in try ledger.head(asOf: last).feedsLost(by: configuration.nightSettings.feeds.map(\.record)) {
            findings.doubt(
                "feed \(feed.name)",
                "the last night expected this feed, but the configuration no longer has it. "
                    + (feed.isRequired
                        ? "Every day without its file counts as missing. Put it back. To remove it for good, let it be "
                            + "\"required\": false for a night first."
                        : "No machine gives goods without a feed of credits."))
        }
        let days = configuration.policy.zone.date(of: context.clock()).day - last.businessDate.day
        if days > 2 {
            findings.doubt(
                "last night",
                "it was for \(last.businessDate), \(days) days ago. Look at nightly.log, and whether its timer or crontab is there."
            )
        }
        try checkVerdicts(ledger, of: last, clock)
        try clock.time("reports") { try checkReports(ledger.runs()) }
        let seals = try ledger.monthSeals()
        checkMonths(seals)
        try checkFinance(of: seals.last, ledger)
    }

    /// Repeats what nights have told for long enough, and what still stands.
    private mutating func checkDoubts(_ outline: NightReport) {
        for var lost in outline.allLostColumns {
            let feed = configuration.feeds.first { $0.name == lost.feed }
            lost.columns.removeAll { feed?.unread.contains($0) == true }
            if !lost.columns.isEmpty { findings.doubt("columns", NightWarning.columnsLost(lost).text + ".") }
        }
        let doubts = outline.doubtfulPrices.filter(\.span.stands)
        if let first = doubts.first {
            findings.doubt("product list", NightWarning.pricesDoubted(count: doubts.count, first).text + ".")
        }
        if let found = outline.openBreak {
            findings.doubt("goods on record", NightWarning.goodsBreak(found).text + ".")
        }
        let doubted = outline.renewalDoubts.filter { $1.stands }
        for found in outline.withheld
        where found.reason == .renewals && found.names.contains(where: { doubted[$0] != nil }) {
            findings.doubt("renewals", NightWarning.withheld(found).text + ".")
        }
    }

    /// A month that was closed has its balances in the accounts of then, and was compared by the thresholds of then.
    private mutating func checkFinance(of seal: MonthSeal?, _ ledger: Ledger) throws {
        guard let seal else { return }
        let report = try ledger.report(of: seal).report
        let accounts = report.subLedger?.accountChanges(to: configuration.finance.accounts) ?? []
        for (changes, effect) in [
            (accounts, "The next month's entries carry the balance over."),
            (
                report.thresholdChanges(to: configuration.thresholds),
                "It decides what the next month leaves unexplained."
            ),
        ] {
            for change in changes {
                findings.doubt(
                    change.setting,
                    "it was \(change.old ?? "not set") when \(seal.period) was closed, and is \(change.new ?? "not set"). "
                        + "\(effect) If that is not meant, set it back before you close.")
            }
        }
    }

    /// Judges everything again as of the last night, and compares.
    private mutating func checkVerdicts(_ ledger: Ledger, of last: RunRecord, _ clock: StageClock) throws {
        if try ledger.isBook {
            return findings.note(
                "verdicts: not checked, because the ledger holds no evidence: its nights run in stages")
        }
        let basis = Basis(configuration.nightSettings, try ledger.head(asOf: last), of: last)
        guard basis.policyText == last.policy else {
            return findings.note(
                "verdicts: not checked, because the rules, the configuration or the products have changed since the last night"
            )
        }
        let check = try clock.time("verdicts", of: "cases") { work in
            try Verification(ledger, basis, threads: context.threads, work: work)
        }
        findings.note(
            "verdicts of \(counted(check.subjects, "subject", "subjects"))",
            all: check.wrongSubjects.map { "the stored verdict of \($0) does not follow from the evidence" },
            remedy: Self.repair)
        findings.note("derived indexes", all: check.derivedIndexProblems, remedy: Self.repair)
    }
}
