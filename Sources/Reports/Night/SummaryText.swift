/// `summary.txt`: the night for an e-mail or a screen, at most 78 columns wide. The first line is the headline.
public func summaryText(_ report: NightReport, texts: Texts) -> String {
    let blocks = NightBlocks(report, texts)
    let parts = [blocks.headline + "\n\n" + blocks.text(blocks.facts)] + blocks.parts.map(blocks.text)
    return parts.joined(separator: "\n")
}

extension NightBlocks {
    fileprivate var parts: [Block] {
        let lostOrders = Block(
            heading: texts.label(.lostOrders), lines: texts.lostOrders(in: report) + texts.alarms(in: report.loss))
        let common = Block(
            heading: texts.why(.title),
            lines: (report.loss?.explanations ?? []).map {
                texts.sentence($0, of: report.businessDate...report.businessDate)
            })
        let guarded = Block(
            heading: texts.label(.guardedInput), lines: report.guarded.map { texts.sentence($0) })
        return [states, verdicts, subjects] + [lostOrders, common, guarded].filter { !$0.lines.isEmpty } + [gapsInLines]
            + remarks + [controlTotals, retry, selfTest]
    }

    fileprivate func text(_ block: Block) -> String {
        let heading = block.heading.isEmpty ? "" : block.heading + "\n"
        let table = TextTable(columns: block.columns, rows: block.rows, plain: plain)
        return heading + table.rendered(columnsMax: Self.columnsMax) + block.lines.map(paragraph).joined()
    }

    /// One line per verdict and currency, and the causes of each verdict.
    private var verdicts: Block {
        var block = Block(heading: texts.label(.exceptionsByVerdict), lines: causes)
        if figures.aging.isEmpty {
            block.lines = [texts.label(.none)]
            return block
        }
        block.columns = [
            (texts.column("verdict"), false), (texts.label(.count), true), (texts.column("age_days"), true),
            (texts.column("currency"), false), (texts.column("amount"), true),
        ]
        block.rows = figures.aging.map { line in
            let isPriced = line.currency != .absent
            return [
                .text(texts.title(line.verdict)), Cell(line.total.count), Cell(line.ageDaysMax),
                .text(isPriced ? line.currency.text : texts.label(.unpriced)),
                isPriced ? .money(Money(minor: line.total.minor, currency: line.currency)) : .empty,
            ]
        }
        return block
    }

    /// `Credited twice: Two credits 3, Two orders 1`, for each verdict with open exceptions that has causes.
    private var causes: [String] {
        figures.openVerdicts.compactMap { verdict in
            let counts = figures.causes[verdict] ?? [:]
            let parts = verdict.causes.compactMap { cause in
                counts[cause].map { texts.title(verdict, cause) + " " + String($0) }
            }
            guard !parts.isEmpty, counts[.none] == nil else { return nil }
            return texts.label(.causesOf, texts.title(verdict), parts.joined(separator: texts.label(.clauseSeparator)))
        }
    }

    /// How many subjects of the whole ledger there are of each verdict that is not an exception, and how many exceptions.
    private var subjects: Block {
        var counts: [Verdict: Int] = [:]
        for tally in report.verdicts { counts[tally.verdict, default: 0] += tally.subjects }
        let exceptions = counts.filter(\.key.isException).values.reduce(0, +)
        let lines =
            Verdict.allCases.filter { !$0.isException }.map { (texts.title($0), counts[$0] ?? 0) }
            + [(texts.label(.exceptions), exceptions), (texts.label(.total), counts.values.reduce(0, +))]
        return Block(
            heading: texts.label(.subjects), rows: lines.map { [.text($0), Cell($1)] }, lines: flags.map { [$0] } ?? [])
    }

    /// `Flags: credited late 3, other month 2`: of the subjects judged tonight; nil where none has a flag.
    private var flags: String? {
        let parts = Flags.names.compactMap { flag in
            report.flags[flag.name].map { texts.word(.flag, flag.name) + " " + String($0) }
        }
        return parts.isEmpty ? nil : texts.label(.flags, parts.joined(separator: texts.label(.listSeparator)))
    }

    private var gapsInLines: Block {
        let gaps = coverageGaps.rows.map { row in
            let gap = row.map(plain)
            return display(texts.lookup(.saidOf, gap[0] + " " + gap[1], gap[2]))
        }
        return Block(heading: coverageGaps.heading, lines: gaps + coverageGaps.lines)
    }

    /// The whole text, in lines that are indented by two blanks and, from the second on, by four.
    private func paragraph(_ text: String) -> String {
        wrapped(text, to: Self.columnsMax - 4).enumerated()
            .map { ($0 == 0 ? "  " : "    ") + $1 + "\n" }.joined()
    }
}

extension Texts {
    /// The time in the report's time zone, with the zone's name.
    func local(_ instant: Instant, _ report: NightReport) -> String {
        label(.localTime, localTime(instant, report.zone), report.timeZone)
    }

    /// The word for a state where exceptions are counted: those that are neither new nor changed were carried over.
    func title(ofCount state: ExceptionState) -> String {
        state == .open ? label(.carriedOver) : word(.state, state.rawValue)
    }
}
