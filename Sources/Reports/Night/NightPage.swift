internal import Domain
internal import ReportData

/// `report.html`: the night as a self-contained page that can be opened from disk.
/// See docs/spec/interfaces.md#night-files.
func writeNightPage(_ report: NightReport, _ texts: Texts, to file: inout OutputFile) throws(ReportError) {
    let title = texts.label(.title) + " " + report.businessDate.text
    let page = HTMLPage(title: title, language: texts.language, script: searchScript)
    try file.append(page.head.utf8)
    let writer = NightPageWriter(report, texts)
    try file.append(writer.body.utf8)
    try SearchIndex(report, texts).write(to: &file)
    try file.append(page.foot.utf8)
}

/// The sections of the page, from the most urgent to the proof that no row was lost.
struct NightPageWriter {
    let report: NightReport
    let texts: Texts
    let figures: NightFigures
    let words: WordTable
    /// How many rows a list shows. All rows are in the workbook and can be found by the page's search.
    static let rowsMax = 100

    init(_ report: NightReport, _ texts: Texts) {
        self.report = report
        self.texts = texts
        figures = NightFigures(report.exceptions)
        words = WordTable(texts)
    }

    var body: String {
        var html = HTML()
        addHead(&html)
        addSearch(&html)
        addCoverageGaps(&html)
        addRemarks(&html)
        addList(.new, of: { $0.state == .new }, &html)
        addCharts(&html)
        addLostOrders(&html)
        addList(.resolved, of: { $0.state == .resolved }, &html)
        addSubjects(&html)
        addControlTotals(&html)
        addFiles(&html)
        addRun(&html)
        return html.source
    }

    private func addHead(_ html: inout HTML) {
        html.element("h1", texts.label(.title) + " " + report.businessDate.text)
        html.element("p", Headline(report, figures, texts).text)
        html.element("div", [("class", "counts")]) { html in
            for state in ExceptionState.allCases {
                html.element("div") { html in
                    html.element("b", String(figures.states[state] ?? 0))
                    html.element("span", texts.title(ofCount: state))
                }
            }
        }
    }

    private func addCoverageGaps(_ html: inout HTML) {
        if report.coverageGaps.isEmpty { return }
        html.element("section", [("class", "warning")]) { html in
            html.element("h2", texts.label(.coverageGaps))
            let rows = report.coverageGaps.map { spot in
                [words.word(.feed, spot.feed.rawValue), spot.date.text, texts.sentence(spot.reason)]
            }
            html.table(["feed", "file_date", "why"].map { (texts.column($0), false) }, rows)
            html.element("p", texts.label(.gapRemedy))
        }
    }

    private func addRemarks(_ html: inout HTML) {
        for remark in texts.remarks(on: report) {
            html.element("section") { html in
                html.element("h2", texts.label(remark.heading))
                for line in remark.lines { html.element("p", line) }
            }
        }
    }

    private func addList(_ sheet: SheetKind, of belongs: (ExceptionRow) -> Bool, _ html: inout HTML) {
        let rows = report.exceptions.filter(belongs)
        html.element("section") { html in
            html.element("h2", texts.sheet(sheet))
            if rows.isEmpty {
                html.element("p", class: "dim", texts.label(.none))
                return
            }
            let names = ["verdict", "cause", "account_id", "order_id", "transaction_id", "amount", "action"]
            html.table(
                names.map { (texts.column($0), $0 == "amount") },
                rows.prefix(Self.rowsMax).map { row in
                    [
                        texts.explanation(row.verdict).title,
                        row.cause == .none ? "" : texts.explanation(row.verdict, row.cause).title,
                        row.accounts.joined(separator: " "), row.orders.joined(separator: " "),
                        row.transactions.joined(separator: " "),
                        row.amount.map { "\($0)" } ?? "",
                        words.word(.action, row.action.rawValue),
                    ]
                })
            if rows.count > Self.rowsMax {
                html.element("p", class: "dim", texts.page(.rest, String(rows.count - Self.rowsMax)))
            }
        }
    }

    private func addSubjects(_ html: inout HTML) {
        html.element("section") { html in
            html.element("h2", texts.label(.allSubjects))
            html.table(
                [(texts.column("verdict"), false), (texts.label(.count), true), (texts.column("amounts"), false)],
                talliesByVerdict(report).map { tally in
                    [
                        texts.explanation(tally.verdict).title, String(tally.subjects),
                        tally.amounts.map { $0.currency.text + " " + $0.text }.joined(
                            separator: texts.label(.listSeparator)),
                    ]
                })
        }
    }
}

extension NightPageWriter {
    private func addControlTotals(_ html: inout HTML) {
        html.element("section") { html in
            html.element("h2", texts.label(.controlTotals))
            let names = ["feed", "rows", "accepted", "duplicates", "rejected"]
            html.table(
                names.map { (texts.column($0), $0 != "feed") },
                report.conservation.sorted { $0.key.rawValue < $1.key.rawValue }.map { feed, counts in
                    [words.word(.feed, feed.rawValue)]
                        + [counts.rows, counts.accepted, counts.duplicates, counts.rejected].map { String($0) }
                })
        }
    }

    private func addFiles(_ html: inout HTML) {
        if report.files.isEmpty { return }
        html.element("section") { html in
            html.element("details") { html in
                html.element("summary", texts.sheet(.sources))
                let names = ["file", "feed", "rows", "accepted", "duplicates", "rejected", "digest"]
                html.table(
                    names.map { (texts.column($0), ["rows", "accepted", "duplicates", "rejected"].contains($0)) },
                    report.files.map { file in
                        let counts = [
                            file.counts.rows, file.counts.accepted, file.counts.duplicates, file.counts.rejected,
                        ]
                        return [file.name, words.word(.feed, file.feed.rawValue)] + counts.map { String($0) } + [
                            file.digest
                        ]
                    })
            }
        }
    }

    private func addRun(_ html: inout HTML) {
        let retry = report.retry
        let counts: [(Label, Int)] = [
            (.retryEmitted, retry.emitted), (.retryWaiting, retry.waiting), (.retryHeld, retry.held),
            (.retryDead, retry.dead),
        ]
        var retries = counts.map { texts.label($0.0) + " " + String($0.1) }
        if let reason = retry.holdReason { retries.append(texts.label(.retryReason, reason)) }
        html.element("section") { html in
            html.pairs([
                (texts.label(.businessDate), report.businessDate.text),
                (texts.label(.asOf), texts.local(report.asOf, report)),
                (texts.label(.horizon), texts.local(report.horizon, report)),
                (texts.label(.timeZone), report.timeZone),
                (texts.label(.run), "\(report.run) (reconcile \(report.version))"),
                (texts.label(.retry), retries.joined(separator: texts.label(.listSeparator))),
                (
                    texts.label(.selfTest),
                    texts.label(.selfTestResult, String(report.detectorsAlive), String(report.detectors))
                ),
            ])
        }
    }
}
