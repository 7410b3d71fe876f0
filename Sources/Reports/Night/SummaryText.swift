internal import Domain
public import ReportData
internal import Text

/// `summary.txt`: the night for an e-mail or a screen, at most 78 columns wide. The first line is the headline.
public func summaryText(_ report: NightReport, texts: Texts) -> String {
    let writer = SummaryTextWriter(
        report: report, figures: NightFigures(report.exceptions), texts: texts, words: WordTable(texts))
    let blocks = [
        writer.head(), writer.states(), writer.verdicts(), writer.guarded(), writer.coverageGaps(),
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
        facts.add(texts.label(.asOf), report.asOf.text)
        facts.add(texts.label(.horizon), report.horizon.text)
        facts.add(texts.label(.timeZone), report.timeZone)
        facts.add(texts.label(.run), "\(report.run) (reconcile \(report.version))")
        return Headline(report, figures, texts).text + "\n\n" + rendered(facts)
    }

    func states() -> String {
        var table = TextTable(figures: [false, true])
        for state in ExceptionState.allCases {
            table.add(words.word(.state, state.rawValue), String(figures.states[state] ?? 0))
        }
        return block(.exceptions, table)
    }

    /// One line per verdict and currency.
    func verdicts() -> String {
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
        return figures.aging.isEmpty ? heading(.exceptionsByVerdict) + none : block(.exceptionsByVerdict, table)
    }

    /// The unusual input; nil if there is none.
    func guarded() -> String? {
        guard let findings = report.guarded, !findings.isEmpty else { return nil }
        let lines = findings.map { "  " + cut(texts.sentence($0), to: Headline.columnsMax - 2) + "\n" }
        return heading(.guardedInput) + lines.joined()
    }

    func coverageGaps() -> String {
        guard !report.coverageGaps.isEmpty else {
            return heading(.coverageGaps) + "  " + texts.label(.noCoverageGaps) + "\n"
        }
        var table = TextTable(figures: [false, false, false])
        for spot in report.coverageGaps {
            table.add(words.word(.feed, spot.feed.rawValue), spot.date.text, texts.sentence(spot.reason))
        }
        return block(.coverageGaps, table) + "  " + texts.label(.gapRemedy) + "\n"
    }

    /// Decisions about gaps and changed settings, a block each.
    func remarks() -> [String] {
        texts.remarks(on: report).map { remark in
            heading(remark.heading)
                + remark.lines.map { "  " + cut($0, to: Headline.columnsMax - 2) + "\n" }.joined()
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
        let reason = report.retry.holdReason.map {
            "  " + cut(texts.label(.retryReason, display($0)), to: Headline.columnsMax - 2) + "\n"
        }
        let alive = texts.label(.selfTestResult, String(report.detectorsAlive), String(report.detectors))
        return block(.retry, table) + (reason ?? "") + "\n" + heading(.selfTest) + "  " + alive + "\n"
    }

    private var none: String { "  " + texts.label(.none) + "\n" }

    private func heading(_ label: Label) -> String { texts.label(label) + "\n" }

    private func block(_ label: Label, _ table: TextTable) -> String { heading(label) + rendered(table) }

    private func rendered(_ table: TextTable) -> String { table.rendered(columnsMax: Headline.columnsMax) }
}
