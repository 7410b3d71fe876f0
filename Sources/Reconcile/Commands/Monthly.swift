internal import Console
internal import Digest
internal import Domain
internal import Engine
internal import Foundation
internal import Intake
internal import Ledger
internal import Parallel
internal import ReportData
internal import Reports
internal import Settings

/// `reconcile monthly`: the reports with which finance closes a month, published as a whole or not at all.
/// docs/spec/interfaces.md §3.
struct Monthly {
    private let request: MonthlyRequest
    private let configuration: Configuration
    private let texts: Texts
    private let context: CommandContext
    private let clock: StageClock
    private var threads: Int { context.threads }

    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let request = try MonthlyRequest(invocation)
        let configuration = try Configuration.load(for: invocation, in: context)
        let texts = try Texts(language: configuration.language, folder: configuration.templates)
        let monthly = Monthly(
            request: request, configuration: configuration, texts: texts, context: context,
            clock: StageClock(log: context.log))
        let report = try monthly.perform()
        context.announce(
            monthText(report, texts: texts) + configuration.output + "/" + request.period.name + "/month.xlsx\n")
        return report.isComplete ? .done : .look
    }

    private func perform() throws -> MonthReport {
        // Opening the ledger would create it.
        guard FileManager.default.fileExists(atPath: configuration.ledger) else {
            throw Month.noNight(configuration)
        }
        let apple = try AppleReports(request, configuration, folder: context.folder)
        // A night sweeps unfinished folders out of the output, and a month must not see half a night.
        let lock = try RunLock(of: configuration.ledger, now: context.clock())
        defer { withExtendedLifetime(lock) {} }
        var publication = try Publication(output: configuration.output, group: configuration.group)
        do {
            try sweep(publication)
            return try request.closes ? close(apple, publication) : look(apple, publication)
        } catch {
            publication.removeMade()
            throw error
        }
    }

    /// Removes what an interrupted run left behind. The ledger is locked first, because another run may be active
    /// although its lock file was deleted by hand.
    private func sweep(_ publication: Publication) throws {
        let ledger = try Ledger(path: configuration.ledger)
        try ledger.begin()
        defer { try? ledger.rollback() }
        if try ledger.isEmpty { return }
        try ledger.checkHead()
        try publication.sweep(keepingThoseOf: ledger)
    }

    private func look(_ apple: AppleReports, _ publication: Publication) throws -> MonthReport {
        let ledger = try Ledger.reading(path: configuration.ledger)
        try ledger.beginReading()
        let report = try report(ledger, apple).report
        try publish(report, publication) {}
        return report
    }

    /// Closes the month in the ledger. The seal is committed after the reports are on disk and before their link is
    /// set. If the link is missing afterwards, the same command sets it.
    private func close(_ apple: AppleReports, _ publication: Publication) throws -> MonthReport {
        let ledger = try Ledger(path: configuration.ledger)
        try ledger.begin()
        do {
            var (report, month) = try report(ledger, apple)
            guard report.closedAt == nil else {
                try publish(report, publication) { try ledger.rollback() }
                return report
            }
            guard report.isOver else {
                throw Failure(
                    .usage, "\(report.period) is not over: the last night is that of \(report.lastNight)",
                    remedy: "Run the nights up to \(report.last), then close it.")
            }
            if let first = report.recordsFrom, report.isBeforeRecords {
                throw Failure(
                    .noInput,
                    "the records begin on \(first), after \(report.period); a closed month cannot be reopened",
                    remedy: "Name a month that the records cover.")
            }
            report.closedAt = report.asOf
            let text = try Ledger.sealedText(of: report)
            try ledger.write(month.seal(report, digest: SHA256.digest(of: text).hex), reportText: text)
            try publish(report, publication) { try ledger.commit() }
            return report
        } catch {
            try? ledger.rollback()
            throw error
        }
    }

    /// The month as it was closed, or else as the evidence known now shows it.
    private func report(
        _ ledger: Ledger, _ apple: AppleReports
    ) throws -> (report: MonthReport, month: Month) {
        let month = try Month(ledger, configuration, asOf: request.asOf, isFiscal: request.period.isFiscal)
        guard request.period.first <= month.run.businessDate else {
            throw Failure(
                .usage, "\(request.period.name) has not begun: the last night is that of \(month.run.businessDate)",
                remedy: "Name a month for which nights were run.")
        }
        try refuseOtherCalendar(ledger)
        // Without --as-of, "now" is that of the last night, so that the same command gives the same bytes.
        let known = request.asOf ?? month.run.asOf
        guard let seal = month.seals.first(where: { $0.period == request.period.name }) else {
            return (try report(of: month, apple, asOf: known), month)
        }
        var sealed = try month.sealedReport(seal, request.period, in: ledger)
        if !apple.reports.isEmpty {
            sealed.apple = try report(of: month, apple, asOf: known).apple
        }
        return (sealed, month)
    }

    private func report(of month: Month, _ apple: AppleReports, asOf: Instant) throws -> MonthReport {
        try month.report(
            request.period, request.calendar, apple.reports, files: apple.files, asOf: asOf, threads: threads,
            timer: clock)
    }

    /// The calendar month and Apple's fiscal month of one name share a folder. Once one of them is closed, the folder
    /// is its own.
    private func refuseOtherCalendar(_ ledger: Ledger) throws {
        let isTaken = try ledger.monthSeals().contains {
            $0.period == request.period.name && $0.isFiscal != request.period.isFiscal
        }
        guard isTaken else { return }
        throw Failure(
            .cannotCreate,
            "\(request.period.name) is closed as \(request.period.isFiscal ? "the calendar's" : "Apple's fiscal") month",
            remedy: "To see the other month of that name, name another folder with --output.")
    }

    /// Renders the report, calls `commit` to commit what must be committed before the report is visible, and sets the
    /// link.
    private func publish(_ report: MonthReport, _ publication: Publication, commit: () throws -> Void) throws {
        let folder = try publication.prepare(report.period)
        do {
            try clock.time("report") { work in
                try writeMonthReport(
                    report, texts: texts, into: publication.output + "/" + folder, fileMode: publication.fileMode,
                    threads: threads, work: work)
            }
            _ = try publication.seal(folder)
            try Interruption.process.check()
            try commit()
        } catch {
            publication.remove(folder)
            throw error
        }
        try publication.publish(folder, as: report.period, isLatest: false)
    }
}
