/// A part of a night's summary: a heading, a table and sentences. Text, sheet and page show it each in its own form.
struct Block {
    /// Empty for none.
    var heading: String
    /// Empty for a table without titles.
    var columns: [(title: String, isFigure: Bool)] = []
    var rows: [[Cell]] = []
    /// What stands below the table.
    var lines: [String] = []
}

extension Block {
    /// A table of rows, with the columns' own titles.
    init<Row>(heading: String, table columns: [Column<Row>], rows: some Sequence<Row>, texts: Texts) {
        self.heading = heading
        self.columns = columns.map { (texts.column($0.name), $0.isFigure) }
        self.rows = rows.map { row in columns.map { $0.cell(row) } }
    }
}

/// The parts that text, sheet and page of a night have in common.
struct NightBlocks {
    let report: NightReport
    let figures: RegisterFigures
    let texts: Texts

    init(_ report: NightReport, _ texts: Texts) {
        self.report = report
        self.texts = texts
        figures = RegisterFigures(report.exceptions)
    }

    /// Titles of columns of texts, then of figures, by the columns' names.
    func titles(_ names: [String], figures: [String]) -> [(title: String, isFigure: Bool)] {
        names.map { (texts.column($0), false) } + figures.map { (texts.column($0), true) }
    }

    var facts: Block {
        Block(
            heading: "",
            rows: [
                (.businessDate, .date(report.businessDate)), (.asOf, .instant(report.asOf)),
                (.horizon, .instant(report.horizon)), (.timeZone, .text(report.timeZone)),
                (.run, .text(texts.label(.programRun, "\(report.run)", report.version))),
            ].map { (label: Label, value: Cell) in [.text(texts.label(label)), value] })
    }

    var states: Block {
        Block(
            heading: texts.label(.exceptions),
            rows: ExceptionState.allCases.map { [.text(texts.title(ofCount: $0)), Cell(figures.count($0))] })
    }

    var coverageGaps: Block {
        var block = Block(heading: texts.label(.coverageGaps), lines: [texts.label(.noCoverageGaps)])
        if report.coverageGaps.isEmpty { return block }
        block.columns = titles(["feed", "file_date", "why"], figures: [])
        block.rows = report.coverageGaps.map { spot in
            [texts.cell(.feed, spot.feed.rawValue), .date(spot.date), .text(texts.sentence(spot.reason))]
        }
        block.lines = [texts.label(.gapRemedy)]
        return block
    }

    /// Credits without a row, what looks wrong in the files, what people decided about coverage gaps, what changed in the
    /// configuration, and how the work went.
    var remarks: [Block] {
        let doubted = report.statusOnly.map { [texts.label(.statusOnlyMeaning, String($0))] } ?? []
        let remedy =
            report.settingsChanged.contains(where: \.isOfReading) ? [texts.label(.settingsRemedy)] : []
        let work = WorkFigures(report).text(texts)
        let doubts = report.toldPrices
        let row = (report.withholdingRow.map { [$0] }) ?? []
        let goodsBreak = report.toldBreak.map { [texts.sentence($0)] } ?? []
        let blocks = [
            (Label.withholdingRow, row), (.goodsBreak, goodsBreak), (.statusOnly, doubted),
            (
                .lostColumns,
                report.lostColumns.map {
                    texts.label(.lostColumn, $0.feed, $0.columns.joined(separator: texts.label(.listSeparator)))
                }
            ),
            (
                .doubtfulPrices,
                texts.first(10, of: doubts) {
                    texts.label(.doubtfulPrice, $0.product, $0.listed.description, $0.apples.description)
                }
            ),
            (.acceptedGaps, report.acceptedGaps.map(texts.sentence)),
            (.settingsChanged, report.settingsChanged.map(texts.sentence) + remedy),
            (.work, work),
        ]
        return blocks.filter { !$0.1.isEmpty }.map { Block(heading: texts.label($0), lines: $1.map(display)) }
    }

    /// What became of the rows of each feed.
    var controlTotals: Block {
        Block(
            heading: texts.label(.controlTotals),
            columns: titles(["feed"], figures: ["rows", "accepted", "duplicates", "rejected"]),
            rows: report.conservation.ordered { $0.key.rawValue < $1.key.rawValue }.map { feed, counts in
                [texts.cell(.feed, feed.rawValue)]
                    + [counts.rows, counts.accepted, counts.duplicates, counts.rejected].map { Cell($0) }
            })
    }

    var retry: Block {
        let retry = report.retry
        let counts: [(Label, Int)] = [
            (.retryEmitted, retry.emitted), (.retryWaiting, retry.waiting), (.retryHeld, retry.held),
            (.retryDead, retry.dead),
        ]
        return Block(
            heading: texts.label(.retry), rows: counts.map { [.text(texts.label($0)), Cell($1)] },
            lines: report.withheld.map(texts.sentence)
                + (report.lacksCredits ? [texts.label(.retryNoCredits)] : [])
                + (texts.holdReason(of: report).map { [texts.label(.retryReason, $0)] } ?? []))
    }

    var selfTest: Block {
        let (alive, all) = (String(report.detectorsAlive), String(report.detectors))
        return Block(heading: texts.label(.selfTest), lines: [texts.label(.selfTestResult, alive, all)])
    }

    /// The cell as text and page show it.
    func plain(_ cell: Cell) -> String {
        switch cell {
        case .empty: ""
        case .text(let text), .severity(let text, _): text
        case .list(let texts): texts.joined(separator: " ")
        case .integer(let number): String(number)
        case .money(let amount): amount.text
        case .instant(let instant): texts.local(instant, report)
        case .date(let date): date.text
        }
    }
}

extension Texts {
    func sentence(_ gap: GapDecision) -> String { label(.acceptedGap, gap.feed, gap.date.text, gap.by, gap.note) }

    func sentence(_ change: SettingChange) -> String {
        label(.settingChanged, change.setting, change.old ?? label(.notSet), change.new ?? label(.notSet))
    }
}
