internal import Foundation
internal import Ledger
internal import Reports

/// `reconcile monthly`: the reports with which finance closes a month, published as a whole or not at all.
/// See docs/spec/interfaces.md#monthly.
struct Monthly {
    let request: MonthlyRequest
    let configuration: Configuration
    let texts: Texts
    let context: CommandContext
    let clock: StageClock
    private var threads: Int { context.threads }

    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let configuration = try context.configuration(for: invocation)
        let request = try MonthlyRequest(invocation, isFiscal: configuration.finance.calendar == .fiscal)
        let texts = try Texts(language: configuration.language, folder: configuration.templates)
        let monthly = Monthly(
            request: request, configuration: configuration, texts: texts, context: context,
            clock: StageClock(log: context.log))
        if request.isApproval { return try monthly.approve(invocation) }
        let (report, label) = try monthly.perform()
        context.announce(
            monthText(report, texts: texts) + (try monthly.closingText(of: report)) + configuration.output + "/" + label
                + "/month.xlsx\n")
        let isGood =
            try report.isComplete && monthly.isAsSigned(report) && monthly.unexplained(report).isEmpty
            && report.apple?.earlierMissing == nil
            && report.apple?.payout?.isTied != false
        return isGood ? .done : .look
    }

    /// The report, and the name of its folder in the output folder.
    private func perform() throws -> (MonthReport, label: String) {
        // Opening the ledger would create it.
        guard FileManager.default.fileExists(atPath: configuration.ledger) else {
            throw Ledger.noNight(configuration.ledger)
        }
        let apple = try AppleReports(request, configuration, folder: context.folder, texts)
        // A night sweeps unfinished folders out of the output, and a month must not see half a night.
        let lock = try RunLock(of: configuration.ledger, now: context.clock())
        defer { withExtendedLifetime(lock) {} }
        var publication = try Publication(output: configuration.output, group: configuration.group)
        do {
            try sweep(publication)
            return try request.closing.map { try close(apple, publication, as: $0) } ?? look(apple, publication)
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
        try ledger.checkRecord()
        try publication.sweep(keepingThoseOf: ledger)
    }

    private func look(_ apple: AppleReports, _ publication: Publication) throws -> (MonthReport, label: String) {
        let ledger = try Ledger.reading(path: configuration.ledger)
        try ledger.beginReading()
        let found = try report(ledger, apple)
        return (found.report, try publish(found, ledger, to: publication))
    }

    /// Publishes the files of a month as it was closed, or provisional ones. Returns the name of their folder.
    private func publish(_ found: FoundMonth, _ ledger: Ledger, to publication: Publication) throws -> String {
        if let seal = found.seal { return try publishSealed(found, as: seal, ledger, to: publication) }
        try refuseUnknownSeal(ledger)
        let (folder, _) = try render(found, purchases: found.purchases, from: ledger, in: publication)
        // The month's own name is that of the signed files.
        let label = found.report.period + (found.laterSeal == nil ? "" : "-asof")
        try publication.publish(folder, as: label, isLatest: false)
        return label
    }

    /// The files of a closed month stay as they were, by their digest. What has another report of Apple's or another
    /// language gets a folder of its own.
    private func publishSealed(
        _ found: FoundMonth, as seal: MonthSeal, _ ledger: Ledger, to publication: Publication
    ) throws -> String {
        func isSigned(_ folder: String) -> Bool {
            publishedProblems(publication.output + "/" + folder, digest: seal.folderDigest).isEmpty
        }
        let target = publication.target(of: seal.period)
        var isInPlace = target.map(isSigned) ?? false
        if !isInPlace, isSigned(seal.folder) {
            // The run that closed the month ended before it set the link, or the link was removed.
            try publication.publish(seal.folder, as: seal.period, isLatest: false)
            isInPlace = true
        }
        // A changed folder shows what somebody did: it stays until a person removes its link, and `isAsSigned` warns.
        isInPlace = isInPlace || target.map(publication.exists) ?? false
        let language = texts.language.rawValue
        let differs = [found.hasNewBridge ? "apple" : nil, language == seal.language ? nil : language]
            .compactMap(\.self)
        if isInPlace, differs.isEmpty { return seal.period }
        let (folder, digest) = try render(
            found, purchases: purchases(of: found, as: seal, ledger), from: ledger, in: publication)
        let isSame = digest == seal.folderDigest
        let label = ([seal.period] + (isSame ? [] : differs.isEmpty ? ["again"] : differs)).joined(separator: "-")
        if found.hasNewBridge { warnOfOtherFiles(found.report, in: label) }
        try publication.publish(folder, as: label, isLatest: false)
        return label
    }

    /// Closes the month in the ledger. The seal is committed after the reports are on disk and before their link is
    /// set. If the link is missing afterwards, the same command sets it.
    private func close(
        _ apple: AppleReports, _ publication: Publication, as closing: MonthClosing
    ) throws -> (MonthReport, label: String) {
        let ledger = try Ledger(path: configuration.ledger)
        try ledger.begin()
        do {
            var found = try report(ledger, apple)
            if let seal = found.seal ?? found.laterSeal {
                try ledger.rollback()
                let earlier = try ledger.report(of: seal).report.closing
                context.log.warning(
                    texts.closing(.already, request.period.name, earlier?.by ?? "", earlier?.at.text ?? ""))
                return (found.report, try publish(found, ledger, to: publication))
            }
            try requireClosable(found.report, found.month, in: ledger, as: closing)
            try warnOfUnapproved(ledger)
            for index in found.report.year.indices { found.report.year[index].isClosed = true }
            let (tolerated, beyond) = (self.tolerated(found.report), try unexplained(found.report))
            found.report.closing = closing
            found.report.closing?.tolerated = tolerated
            if beyond.isEmpty, closing.acceptedUnexplained != nil {
                context.log.warning(texts.closing(.nothingToAccept, found.report.period))
                found.report.closing?.acceptedUnexplained = nil
            } else if !beyond.isEmpty {
                found.report.closing?.acceptedAmount = beyond.map(\.description).joined(separator: ", ")
            }
            found.report.closing?.user = context.user(of: configuration.ledger)
            let second = context.clock().milliseconds.flooredDivision(by: 1000)
            found.report.closing?.at = Instant(milliseconds: second * 1000)
            let text = try Ledger.sealedText(of: found.report)
            var seal = found.month.seal(found.report, digest: SHA256.digest(of: text).hex)
            found.report.closing?.seal = seal.digest
            let (folder, digest) = try render(found, purchases: found.purchases, from: ledger, in: publication)
            (seal.folder, seal.folderDigest, seal.language) = (folder, digest, texts.language.rawValue)
            do {
                try ledger.write(seal, by: closing.by, reportText: text)
                try ledger.commit()
            } catch {
                publication.remove(folder)
                throw error
            }
            try publication.publish(folder, as: seal.period, isLatest: false)
            return (found.report, seal.period)
        } catch {
            try? ledger.rollback()
            throw error
        }
    }

    /// The month as it was closed, or else as the evidence known now shows it.
    private func report(_ ledger: Ledger, _ apple: AppleReports) throws -> FoundMonth {
        try ledger.requireEvidence(
            at: configuration.ledger, remedy: "A month needs a ledger that 'reconcile nightly' has filled.")
        let month = try Month(ledger, configuration, asOf: request.asOf, isFiscal: request.period.isFiscal)
        guard request.period.first <= month.run.businessDate else {
            throw Failure(
                .usage, texts.closing(.notBegun, request.period.name, month.run.businessDate.text),
                remedy: texts.closing(.nameBegun))
        }
        try refuseOtherCalendar(ledger)
        // Without --as-of, "now" is that of the last night, so that the same command gives the same bytes.
        let known = request.asOf ?? month.run.asOf
        let own = try ledger.monthSeals().first {
            $0.period == request.period.name && $0.isFiscal == request.period.isFiscal
        }
        guard let seal = own, seal.run <= month.run.id else {
            let purchases = try purchaseFile(ledger)
            var report = try report(of: month, apple, asOf: known, purchases: purchases, in: ledger)
            report.population = try purchases.sums()
            return FoundMonth(report: report, month: month, laterSeal: own, purchases: purchases)
        }
        var sealed = try month.sealedReport(seal, in: ledger)
        let isNew = apple.months.map { !$0.isContained(in: sealed.apple) } ?? false
        if isNew { sealed.takeBridge(of: try report(of: month, apple, asOf: known, in: ledger)) }
        return FoundMonth(report: sealed, month: month, seal: seal, hasNewBridge: isNew)
    }

    /// An empty list of purchases.
    private func purchaseFile(_ ledger: Ledger) throws -> PurchaseFile {
        try PurchaseFile(
            folder: configuration.output + "/.nights", names: try ledger.files().mapValues(\.name),
            labels: configuration.labels)
    }

    /// The list of purchases for files that are made again of a closed month: of the evidence that it was closed by. Nil
    /// where that no longer gives the same sums.
    private func purchases(of found: FoundMonth, as seal: MonthSeal, _ ledger: Ledger) throws -> PurchaseFile? {
        guard !found.report.population.isEmpty, let run = try ledger.runs(through: seal.run).last else { return nil }
        let month = try Month(ledger, configuration, asOf: run.asOf, isFiscal: request.period.isFiscal)
        let purchases = try purchaseFile(ledger)
        _ = try month.report(
            request.period, apple: nil, asOf: run.asOf, purchases: purchases, threads: threads, timer: clock)
        // An older program's list had fewer kinds.
        let kinds = Set(found.report.population.map(\.kind))
        return try purchases.sums().filter { kinds.contains($0.kind) } == found.report.population ? purchases : nil
    }

    private func report(
        of month: Month, _ apple: AppleReports, asOf: Instant, purchases: PurchaseFile? = nil, in ledger: Ledger
    ) throws -> MonthReport {
        let earlier = try earlierReports(month, before: nil, in: ledger)
        var months = apple.months
        months?.closed = earlier.filter { $0.first < request.period.first }
        var report = try month.report(
            request.period, apple: months, asOf: asOf, purchases: purchases, threads: threads,
            timer: clock)
        month.addYear(to: &report, earlier: earlier)
        month.addEntries(to: &report, last: earlier.last, accounts: configuration.finance.accounts)
        report.addThresholds(configuration.thresholds, since: earlier.last)
        return report
    }

    /// The reports of months that were closed before, in the order of closing.
    ///
    /// - Parameter seal: of the month, where it is closed.
    private func earlierReports(_ month: Month, before seal: MonthSeal?, in ledger: Ledger) throws -> [MonthReport] {
        try month.seals.prefix { $0.period != seal?.period }.map { try ledger.report(of: $0).report }
    }

    /// Renders the report into a new folder. Returns the folder's name, and the digest of its SHA256SUMS.
    private func render(
        _ found: FoundMonth, purchases: PurchaseFile?, from ledger: Ledger, in publication: Publication
    ) throws -> (folder: String, digest: String) {
        let folder = try publication.prepare(found.report.period)
        let earlier = try earlierReports(found.month, before: found.seal, in: ledger)
        do {
            try clock.time("report") { work in
                try writeMonthReport(
                    found.report, earlier: earlier, texts: texts, purchases: purchases,
                    into: publication.output + "/" + folder,
                    fileMode: publication.fileMode,
                    threads: threads, work: work)
            }
            let digest = try publication.seal(folder)
            try Interruption.process.check()
            return (folder, digest)
        } catch {
            publication.remove(folder)
            throw error
        }
    }
}

/// A month as the ledger has it.
private struct FoundMonth {
    var report: MonthReport
    var month: Month
    /// Nil unless it was closed.
    var seal: MonthSeal?
    /// Its seal, where it was closed with later evidence than this.
    var laterSeal: MonthSeal?
    /// Whether the month was closed without these reports of Apple's.
    var hasNewBridge = false
    /// The list of its purchases, for files that are about to be written.
    var purchases: PurchaseFile?
}
