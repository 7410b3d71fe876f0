internal import Engine

extension FetchTask {
    /// `reconcile fetch --finance`: a financial report of App Store Connect, as Apple's file.
    func fetchReport(of name: String, _ invocation: Invocation) throws -> ExitCode {
        guard let month = FiscalCalendar.month(name) else {
            throw invocation.usage("--finance takes a month as YYYY-MM, not \(quoted(name))")
        }
        guard let finance = apple.finance else {
            throw Failure(
                .configuration, "the configuration has no 'apple.finance'",
                remedy: "Financial reports need a Team key of their own: see apple.md.")
        }
        guard let path = finance.feed.path(of: month.last) else {
            preconditionFailure("the configuration admits no '*' there")
        }
        guard !exists(path) else {
            context.log.notice("\(quoted(path)) is there already; remove it to fetch it again")
            return .done
        }
        let client = try AppleClient(finance.key, credential: "apple-finance-key", context)
        let period = Self.fiscalPeriod(of: name)
        guard let report = try client.financialReport(period, vendor: finance.vendor, region: finance.region) else {
            throw Failure(
                .noInput, "Apple has no financial report of \(name) (\(period)) for the vendor \(finance.vendor)",
                remedy: "Apple publishes it by the first Friday of the next fiscal month; try again then.")
        }
        try makeDayFolder(of: path)
        var file = try AtomicFile(path)
        try file.write(report)
        try file.publish()
        context.log.notice("\(name): \(quoted(path)), \(report.count) bytes")
        return .done
    }

    /// Apple's fiscal year and period of a month: `2026-02` for `2025-11`.
    static func fiscalPeriod(of month: String) -> String {
        let parts = month.split(separator: "-").compactMap { Int($0) }
        precondition(parts.count == 2, "a month has a year and a number")
        return padded(parts[1] >= 10 ? parts[0] + 1 : parts[0], 4) + "-" + padded((parts[1] + 2) % 12 + 1, 2)
    }
}
