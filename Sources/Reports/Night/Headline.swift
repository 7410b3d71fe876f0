internal import Domain
internal import ReportData
internal import Text

/// The night in one line of at most 78 columns: how many exceptions are new, their value, and what needs attention.
struct Headline {
    let text: String

    static let columnsMax = 78

    init(_ report: NightReport, _ figures: NightFigures, _ texts: Texts) {
        let clauses = Clauses(report, figures, texts)
        text = cut(clauses.longestFitting(columnsMax: Self.columnsMax), to: Self.columnsMax)
    }
}

/// The clauses of the headline, each in a long form and in shorter ones.
private struct Clauses {
    private let news: String
    /// The value of the new exceptions: as many amounts as there are, down to one and the number of the others.
    private let worths: [String]
    /// What needs attention, most urgent first; of each the forms, longest first.
    private let alarms: [[String]]
    private let texts: Texts

    init(_ report: NightReport, _ figures: NightFigures, _ texts: Texts) {
        self.texts = texts
        let count = figures.count(.new)
        news = count == 0 ? texts.label(.headlineNone) : texts.label(.headlineNew, String(count))
        // The figures of unusual input are in doubt themselves, and all entries are held then.
        let isGuarded = report.guarded?.isEmpty == false
        worths = Self.worths(figures.newWorth, texts) + (isGuarded ? [""] : [])
        let held = isGuarded ? [] : Self.held(report, texts)
        let forms = [Self.guarded(report, texts), Self.missingData(report, texts), held]
        alarms = forms.filter { !$0.isEmpty }
    }

    /// Amounts give way before an alarm does, but one of them is always shown, except beside unusual input.
    func longestFitting(columnsMax: Int) -> String {
        let between = texts.label(.clauseSeparator)
        let candidates = (0..<3).flatMap { level in
            let sight = alarms.map { $0[min(level, $0.count - 1)] }
            return worths.map { worth in
                ([news + worth] + (sight.isEmpty ? [texts.label(.complete)] : sight)).joined(separator: between)
            }
        }
        return candidates.first { displayWidth($0) <= columnsMax } ?? candidates.last!
    }

    private static func worths(_ amounts: [Money], _ texts: Texts) -> [String] {
        if amounts.isEmpty { return [""] }
        let shown = amounts.map { $0.currency.text + " " + $0.text }
        return shown.indices.reversed().map { last in
            let hidden = shown.count - last - 1
            let rest = hidden == 0 ? [] : [texts.label(.moreCurrencies, String(hidden))]
            return texts.label(
                .headlineWorth, (shown[...last] + rest).joined(separator: texts.label(.listSeparator)))
        }
    }

    private static func guarded(_ report: NightReport, _ texts: Texts) -> [String] {
        guard let findings = report.guarded, let first = findings.first else { return [] }
        let others = rest(findings.count, texts)
        let date = texts.word(.feed, first.feed.rawValue) + " " + first.date.text
        return [texts.sentence(first) + others, date + others, String(findings.count)].map {
            texts.label(.guarded, $0)
        }
    }

    private static func missingData(_ report: NightReport, _ texts: Texts) -> [String] {
        guard let first = report.coverageGaps.first else { return [] }
        let feed = display(texts.word(.feed, first.feed.rawValue))
        let others = rest(report.coverageGaps.count, texts)
        return [feed + " " + first.date.text + others, feed + others, String(report.coverageGaps.count)].map {
            texts.label(.missingData, $0)
        }
    }

    private static func held(_ report: NightReport, _ texts: Texts) -> [String] {
        report.retry.held > 0 ? [texts.label(.headlineHeld, String(report.retry.held))] : []
    }

    /// How many there are besides the first: `, 2 more`.
    private static func rest(_ count: Int, _ texts: Texts) -> String {
        count == 1 ? "" : texts.label(.listSeparator) + texts.label(.more, String(count - 1))
    }
}

extension Texts {
    /// Why a day has a gap: `missing: inbox/credits-{date}.csv`.
    func sentence(_ reason: CoverageGap.Reason) -> String {
        switch reason {
        case .missing(let feed): label(.missing, feed)
        case .refused(let file, _, let text): label(.refused, file, text)
        }
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
