internal import Domain
internal import ReportData
internal import Text

/// The night in one line of at most 78 columns: how many exceptions are new, their value, and whether data is missing.
struct Headline {
    let text: String

    static let columnsMax = 78

    init(_ report: NightReport, _ figures: NightFigures, _ texts: Texts) {
        let count = figures.states[.new] ?? 0
        let news = count == 0 ? texts.label(.headlineNone) : texts.label(.headlineNew, String(count))
        let sight = Self.sight(report, texts)
        let between = texts.label(.clauseSeparator)
        let left = Self.columnsMax - displayWidth(news + between + sight)
        let worth = Self.worth(figures.newWorth, columnsMax: left, texts)
        text = cut(news + worth + between + sight, to: Self.columnsMax)
    }

    /// As many amounts as fit, and the number of the others.
    private static func worth(_ amounts: [Money], columnsMax: Int, _ texts: Texts) -> String {
        let comma = texts.label(.listSeparator)
        var shown = amounts.map { $0.currency.text + " " + $0.text }
        while !shown.isEmpty {
            let hidden = amounts.count - shown.count
            let rest = hidden == 0 ? [] : [texts.label(.moreCurrencies, String(hidden))]
            let text = texts.label(.headlineWorth, (shown + rest).joined(separator: comma))
            if displayWidth(text) <= columnsMax { return text }
            shown.removeLast()
        }
        return ""
    }

    /// What needs attention, most urgent first, or that all feeds are complete.
    private static func sight(_ report: NightReport, _ texts: Texts) -> String {
        guard let finding = report.guarded?.first else { return missingData(report, texts) ?? texts.label(.complete) }
        let others = (report.guarded?.count ?? 1) - 1
        let rest = others == 0 ? "" : texts.label(.listSeparator) + texts.label(.more, String(others))
        let guarded = texts.label(.guarded, texts.sentence(finding) + rest)
        return ([guarded] + [missingData(report, texts)].compactMap { $0 }).joined(
            separator: texts.label(.clauseSeparator))
    }

    private static func missingData(_ report: NightReport, _ texts: Texts) -> String? {
        guard let first = report.coverageGaps.first else { return nil }
        let others = report.coverageGaps.count - 1
        let rest = others == 0 ? "" : texts.label(.listSeparator) + texts.label(.more, String(others))
        return texts.label(.missingData, display(texts.word(.feed, first.feed.rawValue) + " " + first.date.text) + rest)
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

    /// What people decided about coverage gaps, and what changed in the configuration: a heading and a line for each.
    /// Empty on most nights.
    func remarks(on report: NightReport) -> [(heading: Label, lines: [String])] {
        let accepted = (report.acceptedGaps ?? []).map { gap in
            display(label(.acceptedGap, gap.feed, gap.date.text, gap.by, gap.note))
        }
        let changed = (report.settingsChanged ?? []).map { change in
            display(
                label(
                    .settingChanged, change.setting, change.old ?? label(.notSet), change.new ?? label(.notSet)))
        }
        return [(.acceptedGaps, accepted), (.settingsChanged, changed)].filter { !$0.1.isEmpty }
    }

    /// An unusual input in words: `Credits 2026-11-21: 0 rows, usually 58–63`.
    func sentence(_ finding: GuardFinding) -> String {
        let feed = word(.feed, finding.feed.rawValue)
        let (date, count, total) = (finding.date.text, String(finding.count), String(finding.total))
        return switch finding.kind {
        case .rows: label(.guardRows, feed, date, count, finding.usualText)
        case .uncredited: label(.guardUncredited, feed, date, count, total)
        case .invalid: label(.guardInvalid, feed, date, count, total)
        }
    }
}
