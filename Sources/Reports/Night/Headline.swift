extension NightBlocks {
    static let columnsMax = 78

    /// The night in one line of at most 78 columns: how many exceptions are new, their value, and what needs attention.
    ///
    /// Each clause has a long form and shorter ones. Amounts give way before an alarm does, but one of them is always shown,
    /// except beside unusual input.
    var headline: String {
        let between = texts.label(.clauseSeparator)
        // The figures of unusual input are in doubt themselves, and all entries are held then.
        let worths = worths + (guarded.isEmpty ? [] : [""])
        // Most urgent first.
        let alarms = [guarded, missingData, guarded.isEmpty ? held : []].filter { !$0.isEmpty }
        let candidates = (0..<3).flatMap { level in
            let sight = alarms.map { $0[min(level, $0.count - 1)] }
            return worths.map { worth in
                ([news + worth] + (sight.isEmpty ? [texts.label(.complete)] : sight)).joined(separator: between)
            }
        }
        let fitting = candidates.first { displayWidth($0) <= Self.columnsMax }
        return cut(fitting ?? candidates.last!, to: Self.columnsMax)
    }

    private var news: String {
        let count = figures.count(.new)
        return count == 0 ? texts.label(.headlineNone) : texts.label(.headlineNew, String(count))
    }

    /// The value of the new exceptions: as many amounts as there are, down to one and the number of the others.
    private var worths: [String] {
        let amounts = figures.newWorth
        return amounts.isEmpty ? [""] : amounts.indices.reversed().map { texts.worth(amounts, shown: $0 + 1) }
    }

    private var guarded: [String] {
        guard let findings = report.guarded, let first = findings.first else { return [] }
        let others = rest(findings.count)
        let date = texts.word(.feed, first.feed.rawValue) + " " + first.date.text
        return [texts.sentence(first) + others, date + others, String(findings.count)].map {
            texts.label(.guarded, $0)
        }
    }

    private var missingData: [String] {
        guard let first = report.coverageGaps.first else { return [] }
        let feed = display(texts.word(.feed, first.feed.rawValue))
        let others = rest(report.coverageGaps.count)
        return [feed + " " + first.date.text + others, feed + others, String(report.coverageGaps.count)].map {
            texts.label(.missingData, $0)
        }
    }

    private var held: [String] {
        report.retry.held > 0 ? [texts.label(.headlineHeld, String(report.retry.held))] : []
    }

    /// How many there are besides the first: `, 2 more`.
    private func rest(_ count: Int) -> String {
        count == 1 ? "" : texts.label(.listSeparator) + texts.label(.more, String(count - 1))
    }
}

extension Texts {
    /// `, worth CNY 156.00, other currencies: 2`.
    ///
    /// - Parameter count: how many amounts are shown.
    func worth(_ amounts: [Money], shown count: Int) -> String {
        let shown = amounts.prefix(count).map { $0.currency.text + " " + $0.text }
        let hidden = amounts.count - shown.count
        let rest = hidden == 0 ? [] : [label(.moreCurrencies, String(hidden))]
        return label(.headlineWorth, (shown + rest).joined(separator: label(.listSeparator)))
    }

    /// Why a day has a gap: `missing: inbox/credits-{date}.csv`.
    func sentence(_ reason: CoverageGap.Reason) -> String {
        reason.file.map { label(.refused, $0, reason.text ?? "") } ?? label(.missing, reason.feed)
    }

    /// An unusual input in words: `Credits 2026-11-21: 0 rows, usually 58–63`.
    func sentence(_ finding: GuardFinding) -> String {
        let feed = word(.feed, finding.feed.rawValue)
        let (date, count, total) = (finding.date.text, String(finding.count), String(finding.total))
        return switch finding.kind {
        case .rows: label(.guardRows, feed, date, count, finding.usualText)
        case .uncredited: label(.guardUncredited, feed, date, count, total)
        case .invalid: label(.guardInvalid, feed, date, count, total)
        case .collisions: label(.guardCollisions, feed, date, count, total)
        case .clock: label(finding.isLate ? .guardLate : .guardEarly, feed, date, count, total, finding.shift)
        }
    }
}
