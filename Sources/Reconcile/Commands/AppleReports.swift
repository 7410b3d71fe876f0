internal import Intake
internal import Reports

/// Apple's files for a month: those named on the command line, or else those of the feeds. They are the reports of
/// Apple's month, earlier reports that lead up to them, and the summary of payments.
struct AppleReports {
    private var reports: [AppleReport] = []
    private var payouts: [Payout] = []
    /// Nil without a report.
    private(set) var months: AppleMonths?

    /// The largest reports have a few megabytes.
    private static let bytesMax = 256 << 20

    /// - Throws: `Failure` with `inputRefused` if a named file is not such a report, is not of the month, or covers the
    ///   same as another; `IntakeError`.
    init(_ request: MonthlyRequest, _ configuration: Configuration, folder: String, _ texts: Texts) throws {
        if request.appleReports.isEmpty {
            try readFeeds(of: configuration, for: request.period.name)
        } else {
            for name in request.appleReports { try take(name, path: absolute(name, in: folder)) { _ in true } }
            try requirePeriod(request, texts)
        }
        let sums = reports
        reports.removeAll { report in sums.contains { $0.details(report) } }
        try refuseRepetitions()
        guard var months = AppleMonths(reports, collectDays: configuration.finance.collectDays) else {
            if let payout = payouts.first {
                throw Self.refused(payout.file, "it can be compared only together with Apple's financial reports")
            }
            return
        }
        months.isPeriodStated = request.statedPeriod != nil
        months.payout = try payout(request)
        self.months = months
    }

    /// Takes the reports of Apple's month of that name, and those that lead up to it.
    private mutating func readFeeds(of configuration: Configuration, for name: String) throws {
        let feeds = configuration.feeds.filter { $0.kind == .appleFinance }
        guard !feeds.isEmpty, let month = FiscalCalendar.month(name) else { return }
        // Later than the date of any file.
        let future = BusinessDate(day: 1_000_000)
        for file in try findFiles(of: feeds, base: configuration.folder, through: future) {
            try take(file.name, path: file.path) { $0.last <= month.last }
        }
        payouts.removeAll { $0.period != name }
        let isOwn = { (report: AppleReport) in report.first == month.first && report.last == month.last }
        let starts =
            reports.contains(where: isOwn) ? starts(leadingTo: month.first, atMost: AppleMonths.earlierMax) : []
        reports.removeAll { !isOwn($0) && !starts.contains($0.first) }
        if reports.isEmpty { payouts = [] }
    }

    /// The first days of the reports that lead up to a day, as long as each joins on to the next.
    private func starts(leadingTo day: BusinessDate, atMost count: Int = .max) -> Set<BusinessDate> {
        var starts: Set<BusinessDate> = []
        var next = day
        while starts.count < count, let earlier = reports.first(where: { $0.last.advanced(by: 1) == next }) {
            starts.insert(earlier.first)
            next = earlier.first
        }
        return starts
    }

    /// Named reports must be of the month, or of the period that the command line states; earlier ones must lead up to
    /// it.
    private func requirePeriod(_ request: MonthlyRequest, _ texts: Texts) throws(Failure) {
        let month = request.period
        let isOwn = { (report: AppleReport) in
            request.statedPeriod.map { report.first == $0.lowerBound && report.last == $0.upperBound }
                ?? report.isOf(month)
        }
        guard let own = reports.first(where: isOwn) else {
            guard let other = reports.last else { return }
            let days = [other.first, other.last].map(\.text)
            throw Failure(
                .inputRefused,
                texts.closing(
                    .otherPeriod, quoted(other.file.name), days[0], days[1], month.first.text, month.last.text),
                remedy: texts.closing(.namePeriod, month.name, days[0], days[1]))
        }
        let starts = starts(leadingTo: own.first)
        for other in reports where !isOwn(other) && !(starts.contains(other.first) && other.last < own.first) {
            throw Self.refused(
                other.file.name,
                "it is of \(other.first) to \(other.last), which is neither \(own.first) to \(own.last) nor leads "
                    + "up to it without a gap",
                remedy: "Name only the month's reports and those right before them; nothing was changed.")
        }
    }

    private mutating func take(
        _ name: String, path: String, where isWanted: (AppleReport) -> Bool
    ) throws {
        switch try WholeFile(path: path, bytesMax: Self.bytesMax) {
        case .refused(let reason): throw Self.refused(name, reason)
        case .read(let bytes, let digest):
            let text = String(decoding: bytes, as: UTF8.self)
            do {
                if Payout.isOne(text) {
                    return payouts.append(try Payout(text, file: name, digest: digest.hex))
                }
                let report = try AppleReport(text, name: name, digest: digest.hex)
                // The same file twice adds nothing.
                guard isWanted(report), !reports.contains(where: { $0.file.digest == digest.hex }) else { return }
                reports.append(report)
            } catch {
                throw Self.refused(name + (error.line.map { ":\($0)" } ?? ""), error.reason)
            }
        }
    }

    /// The summary of payments, which must be the month's.
    private func payout(_ request: MonthlyRequest) throws(Failure) -> Payout? {
        guard let payout = payouts.first else { return nil }
        if let other = payouts.dropFirst().first(where: { $0.digest != payout.digest }) {
            throw Self.refused(other.file, "\(quoted(payout.file)) is a summary of payments, too")
        }
        guard payout.period == request.period.name || request.statedPeriod != nil else {
            throw Self.refused(payout.file, "it is of \(payout.month), and the month is \(request.period.name)")
        }
        return payout
    }

    private static func refused(
        _ name: String, _ reason: String,
        remedy: String = "Name Apple's financial report as downloaded; nothing was changed."
    ) -> Failure {
        Failure(.inputRefused, "\(quoted(name)) is refused: \(reason)", remedy: remedy)
    }

    /// Two files must not cover the same days, country and currency, because units would count twice.
    private func refuseRepetitions() throws(Failure) {
        for index in reports.indices {
            for other in 0..<index where reports[other].repeats(reports[index]) {
                throw Failure(
                    .inputRefused,
                    "\(quoted(reports[other].file.name)) and \(quoted(reports[index].file.name)) "
                        + "cover the same days and country",
                    remedy: "Name one of them; nothing was changed.")
            }
        }
    }
}
