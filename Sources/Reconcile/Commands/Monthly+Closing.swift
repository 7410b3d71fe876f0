internal import Ledger
import Reports

/// What a month must satisfy before it is closed. Every refusal leaves the ledger and the reports as they were.
extension Monthly {
    /// - Throws: `Failure`; `LedgerError.damaged`.
    func requireClosable(_ report: MonthReport, _ month: Month, in ledger: Ledger, as closing: MonthClosing) throws {
        guard report.isOver else {
            throw Failure(
                .usage, texts.closing(.notOver, report.period, report.lastNight.text),
                remedy: texts.closing(.runNights, report.last.text))
        }
        if let first = report.recordsFrom, report.isBeforeRecords {
            throw Failure(
                .noInput, "the records begin on \(first), after \(report.period); a closed month cannot be reopened",
                remedy: "Name a month that the records cover.")
        }
        let seals = try ledger.monthSeals()
        try requireCalendar(seals)
        try requireJoin(seals)
        try requireLatest(report, seals, in: ledger)
        try requireJudged(month)
        try refuseUnknownSeal(ledger)
        try requireExplained(report, closing)
        try clock.time("prove") {
            let problems = try ledger.chainProblems() + ledger.checksumProblems() + ledger.sealProblems()
            if let problem = problems.first { throw LedgerError.damaged(problem) }
        }
    }

    /// Months of two calendars would overlap or leave holes, so a ledger has one.
    private func requireCalendar(_ seals: [MonthSeal]) throws(Failure) {
        let own = configuration.finance.calendar
        let name = { (isFiscal: Bool) in isFiscal ? "Apple's fiscal months" : "calendar months" }
        if let other = seals.first(where: { $0.isFiscal != (own == .fiscal) }) {
            throw Failure(
                .cannotCreate,
                "\(other.period) was closed by \(name(other.isFiscal)), and finance.calendar is \(quoted(own.rawValue))",
                remedy: "A ledger has one calendar: set finance.calendar to "
                    + "\"\(other.isFiscal ? "fiscal" : "calendar")\" again.")
        }
        guard request.period.isFiscal == (own == .fiscal) else {
            throw Failure(
                .usage, "this ledger closes \(name(own == .fiscal)) (finance.calendar)",
                remedy: "Leave out --fiscal. To close by Apple's months instead, set finance.calendar to \"fiscal\" "
                    + "before the first month is closed.")
        }
    }

    /// Closed months lie side by side: no day between them is left out.
    private func requireJoin(_ seals: [MonthSeal]) throws(Failure) {
        let months = seals.compactMap(\.month).ordered { $0.first < $1.first }
        guard let first = months.first, let last = months.last else { return }
        let period = request.period
        let (isLater, isEarlier) = (period.first > last.last, period.last < first.first)
        // Months of one calendar with different names have no day in common.
        guard isLater || isEarlier else { return }
        if period.first == last.last.advanced(by: 1) || period.last.advanced(by: 1) == first.first { return }
        let (from, to) =
            isLater
            ? (last.last.advanced(by: 1), period.first.advanced(by: -1))
            : (period.last.advanced(by: 1), first.first.advanced(by: -1))
        throw Failure(
            .usage, texts.closing(.between, from.text, to.text), remedy: texts.closing(.closeBetween))
    }

    /// A closed month knows those that were closed before: without their evidence it would post their amounts again.
    private func requireLatest(_ report: MonthReport, _ seals: [MonthSeal], in ledger: Ledger) throws {
        guard let last = seals.max(by: { $0.run < $1.run }), last.run > report.run,
            let run = try ledger.runs(through: last.run).last
        else { return }
        throw Failure(
            .usage, texts.closing(.lessEvidence, last.period, run.asOf.text, report.period),
            remedy: texts.closing(.nameLater))
    }

    /// A closing records the settings of its night. Judged by others, it would be restated by the next month.
    private func requireJudged(_ month: Month) throws {
        let changes = try month.settingChanges()
        if changes.isEmpty { return }
        let unset = texts.closing(.unset)
        let list = changes.map { texts.closing(.changed, $0.setting, $0.old ?? unset, $0.new ?? unset) }
        throw Failure(
            .usage,
            texts.closing(
                .settingsChanged, month.run.businessDate.text, request.period.name, texts.clauses(list)),
            remedy: texts.closing(request.asOf == nil ? .nextNight : .nextNightNow))
    }

    /// Names the closed months that have no approval yet.
    func warnOfUnapproved(_ ledger: Ledger) throws {
        let approved = Set(try ledger.monthApprovals().map(\.digest))
        let open = try ledger.monthSeals().filter { !approved.contains($0.digest) }.map(\.period)
        if open.isEmpty { return }
        context.log.warning(unapprovedText(open, texts: texts))
    }

    /// A bridge that was made after the closing is on no signed page, so whoever replaces it is told what changed.
    func warnOfOtherFiles(_ report: MonthReport, in label: String) {
        guard let former = PublishedMonth(publishedAt: configuration.output + "/\(label)/month.json"),
            let bridge = report.apple
        else { return }
        for (first, last, amounts) in former.changes(in: bridge) {
            context.log.warning(
                "\(label) was made from another file for \(first) to \(last), and is replaced. \(amounts)")
        }
    }

    /// The calendar month and Apple's fiscal month of one name have folders of one name. Once one of them is closed, that
    /// in its output folder is its own.
    func refuseOtherCalendar(_ ledger: Ledger) throws {
        let published = PublishedMonth(publishedAt: configuration.output + "/" + request.period.name + "/month.json")
        // A provisional page there is one of the other calendar's.
        if let published, published.closing == nil { return }
        let isTaken = try ledger.monthSeals().contains {
            $0.period == request.period.name && $0.isFiscal != request.period.isFiscal
                && (published != nil || Console.exists(configuration.output + "/" + $0.folder))
        }
        guard isTaken else { return }
        throw Failure(
            .cannotCreate,
            "\(request.period.name) is closed as \(request.period.isFiscal ? "the calendar's" : "Apple's fiscal") month",
            remedy: "To see the other month of that name, name another folder with --output.")
    }

    /// Refuses to replace the files of a month that was closed in a ledger later than this one.
    func refuseUnknownSeal(_ ledger: Ledger) throws {
        let period = request.period.name
        let unknown = PublishedMonth.unknown(to: try ledger.monthSeals(), in: configuration.output)
        guard unknown.contains(where: { $0.period == period }) else { return }
        throw Failure(
            .cannotCreate,
            "\(quoted(configuration.output + "/" + period)) holds \(period) as it was closed, "
                + "with a seal that is not in this ledger: an older ledger is in its place",
            remedy: PublishedMonth.remedy(period, in: configuration.output))
    }

    /// What is unexplained beyond the tolerance, by currency: in the money, and in the bridge if there is one. Of a month
    /// that was closed all the same: what is more than was accepted then.
    func unexplained(_ report: MonthReport) throws -> [Money] {
        var found = unexplainedSum(report)
        if report.closing?.acceptedUnexplained != nil {
            let ledger = try Ledger.reading(path: configuration.ledger)
            let seal = try ledger.monthSeals().first { $0.period == report.period && $0.isFiscal == report.isFiscal }
            let accepted = try seal.map { unexplainedSum(try ledger.report(of: $0).report) } ?? found
            for amount in accepted.amounts { found.add(Money(minor: 0 &- amount.minor, currency: amount.currency)) }
        }
        return found.amounts.filter { $0.minor > configuration.finance.tolerance($0.currency) }
    }

    /// What is unexplained within the tolerance, for the record. Nil if nothing is.
    func tolerated(_ report: MonthReport) -> String? {
        let found = unexplainedSum(report).amounts.filter {
            $0.minor != 0 && $0.minor <= configuration.finance.tolerance($0.currency)
        }
        return found.isEmpty ? nil : found.map(\.description).joined(separator: ", ")
    }

    private func unexplainedSum(_ report: MonthReport) -> MoneySum {
        var found = MoneySum()
        for line in report.money { found.add(Money(minor: line.unexplained.clampedMagnitude, currency: line.currency)) }
        for line in report.apple?.accountable ?? [] where line.currency != .absent {
            var parts = [line.unexplained, line.withheld, line.steps[.priceDifference], line.steps[.neverCollected]]
            if !configuration.finance.otherProducts.match(line.product) { parts.append(line.steps[.unknownProduct]) }
            for part in parts.compactMap(\.self) {
                found.add(Money(minor: part.minor.clampedMagnitude, currency: line.currency))
            }
        }
        return found
    }

    private func requireExplained(_ report: MonthReport, _ closing: MonthClosing) throws {
        if closing.acceptedUnexplained != nil { return }
        let rest = try unexplained(report)
        guard !rest.isEmpty else { return }
        throw Failure(
            .usage, texts.closing(.unexplained, rest.map(\.description).joined(separator: ", "), report.period),
            remedy: texts.closing(.acceptStep))
    }
}

extension Int64 {
    /// The absolute value; the greatest number for the smallest one, which has none.
    fileprivate var clampedMagnitude: Int64 { Int64(clamping: magnitude) }
}
