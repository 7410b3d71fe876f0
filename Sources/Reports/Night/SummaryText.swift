internal import Domain
public import ReportData
internal import Text

/// `summary.txt`: the night for an e-mail or a screen, at most 78 columns wide. The first line is the headline.
public func summaryText(_ report: NightReport, texts: Texts) -> String {
    let writer = SummaryTextWriter(
        report: report, figures: NightFigures(report.exceptions), texts: texts, words: WordTable(texts))
    let blocks = [
        writer.head(), writer.states(), writer.verdicts(), writer.subjects(), writer.lostOrders(),
        writer.guarded(), writer.coverageGaps(),
    ]
    return (blocks + writer.remarks() + [writer.controlTotals(), writer.counts()]).compactMap { $0 }.joined(
        separator: "\n")
}

private struct SummaryTextWriter {
    let report: NightReport
    let figures: NightFigures
    let texts: Texts
    let words: WordTable

    func head() -> String {
        var facts = TextTable(figures: [false, false])
        facts.add(texts.label(.businessDate), report.businessDate.text)
        facts.add(texts.label(.asOf), texts.local(report.asOf, report))
        facts.add(texts.label(.horizon), texts.local(report.horizon, report))
        facts.add(texts.label(.timeZone), report.timeZone)
        facts.add(texts.label(.run), "\(report.run) (reconcile \(report.version))")
        return Headline(report, figures, texts).text + "\n\n" + rendered(facts)
    }

    func states() -> String {
        var table = TextTable(figures: [false, true])
        for state in ExceptionState.allCases {
            table.add(texts.title(ofCount: state), String(figures.states[state] ?? 0))
        }
        return block(.exceptions, table)
    }

    /// One line per verdict and currency, and the causes of each verdict.
    func verdicts() -> String {
        if figures.aging.isEmpty { return heading(.exceptionsByVerdict) + none }
        let titles = ["verdict", "currency", "amount"].map(texts.column)
        var table = TextTable([
            (titles[0], false), (texts.label(.count), true), (texts.column("age_days"), true), (titles[1], false),
            (titles[2], true),
        ])
        for line in figures.aging {
            let amount = line.currency == .absent ? "" : Money(minor: line.total.minor, currency: line.currency).text
            let title = texts.explanation(line.verdict).title
            let currency = line.currency == .absent ? texts.label(.unpriced) : line.currency.text
            table.add(title, String(line.total.count), String(line.ageDaysMax), currency, amount)
        }
        return block(.exceptionsByVerdict, table) + causes()
    }

    /// `Credited twice: Two credits 3, Two orders 1`, for each verdict with open exceptions that has causes.
    private func causes() -> String {
        figures.openVerdicts.compactMap { verdict in
            let counts = figures.causes[verdict] ?? [:]
            let parts = verdict.causes.compactMap { cause in
                counts[cause].map { texts.title(verdict, cause) + " " + String($0) }
            }
            guard !parts.isEmpty, counts[.none] == nil else { return nil }
            return paragraph(
                texts.explanation(verdict).title + ": " + parts.joined(separator: texts.label(.clauseSeparator)))
        }.joined()
    }

    /// How many subjects of the whole ledger there are of each verdict that is not an exception, and how many exceptions.
    func subjects() -> String {
        var counts: [Verdict: Int] = [:]
        for tally in report.verdicts { counts[tally.verdict, default: 0] += tally.subjects }
        var table = TextTable(figures: [false, true])
        for verdict in Verdict.allCases where !verdict.isException {
            table.add(texts.explanation(verdict).title, String(counts[verdict] ?? 0))
        }
        table.add(texts.label(.exceptions), String(counts.filter(\.key.isException).values.reduce(0, +)))
        table.add(texts.label(.total), String(counts.values.reduce(0, +)))
        return block(.subjects, table) + flags()
    }

    /// `Flags: credited late 3, other month 2`: of the subjects judged tonight; empty where none has a flag.
    private func flags() -> String {
        let parts = Flags.names.compactMap { flag in
            report.flags[flag.name].map { words.word(.flag, flag.name) + " " + String($0) }
        }
        if parts.isEmpty { return "" }
        return paragraph(texts.label(.flags, parts.joined(separator: texts.label(.listSeparator))))
    }

    /// The lost-order rate; nil without purchases.
    func lostOrders() -> String? {
        let lines = texts.lostOrders(in: report)
        return lines.isEmpty ? nil : heading(.lostOrders) + lines.map(paragraph).joined()
    }

    /// The unusual input; nil if absent.
    func guarded() -> String? {
        guard let findings = report.guarded, !findings.isEmpty else { return nil }
        return heading(.guardedInput) + findings.map { paragraph(texts.sentence($0)) }.joined()
    }

    func coverageGaps() -> String {
        guard !report.coverageGaps.isEmpty else {
            return heading(.coverageGaps) + "  " + texts.label(.noCoverageGaps) + "\n"
        }
        let lines = report.coverageGaps.map { spot in
            let feed = words.word(.feed, spot.feed.rawValue) + " " + spot.date.text
            return paragraph(display(feed + ": " + texts.sentence(spot.reason)))
        }
        return heading(.coverageGaps) + lines.joined() + paragraph(texts.label(.gapRemedy))
    }

    /// Decisions about gaps and changed settings, a block each.
    func remarks() -> [String] {
        texts.remarks(on: report).map { remark in
            heading(remark.heading) + remark.lines.map(paragraph).joined()
        }
    }

    func controlTotals() -> String {
        let names = ["feed", "rows", "accepted", "duplicates", "rejected"]
        var table = TextTable(names.map { (texts.column($0), $0 != "feed") })
        for (feed, counts) in report.conservation.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            table.add(
                words.word(.feed, feed.rawValue), String(counts.rows), String(counts.accepted),
                String(counts.duplicates),
                String(counts.rejected))
        }
        return block(.controlTotals, table)
    }

    func counts() -> String {
        var table = TextTable(figures: [false, true])
        let counts: [(Label, Int)] = [
            (.retryEmitted, report.retry.emitted), (.retryWaiting, report.retry.waiting),
            (.retryHeld, report.retry.held), (.retryDead, report.retry.dead),
        ]
        for (label, count) in counts { table.add(texts.label(label), String(count)) }
        let reason = report.retry.holdReason.map { paragraph(texts.label(.retryReason, display($0))) }
        let alive = texts.label(.selfTestResult, String(report.detectorsAlive), String(report.detectors))
        return block(.retry, table) + (reason ?? "") + "\n" + heading(.selfTest) + "  " + alive + "\n"
    }

    /// The whole text, in lines that are indented by two blanks and, from the second on, by four.
    private func paragraph(_ text: String) -> String {
        wrapped(text, to: Headline.columnsMax - 4).enumerated()
            .map { ($0 == 0 ? "  " : "    ") + $1 + "\n" }.joined()
    }

    private var none: String { "  " + texts.label(.none) + "\n" }

    private func heading(_ label: Label) -> String { texts.label(label) + "\n" }

    private func block(_ label: Label, _ table: TextTable) -> String { heading(label) + rendered(table) }

    private func rendered(_ table: TextTable) -> String { table.rendered(columnsMax: Headline.columnsMax) }
}

extension Texts {
    /// The time in the report's time zone, with the zone's name.
    func local(_ instant: Instant, _ report: NightReport) -> String {
        guard let zone = Zone(report.timeZone) else { return instant.text }
        return label(.localTime, localTime(instant, zone), report.timeZone)
    }

    /// The word for a state where exceptions are counted: those that are neither new nor changed were carried over.
    func title(ofCount state: ExceptionState) -> String {
        state == .open ? label(.carriedOver) : word(.state, state.rawValue)
    }
}
