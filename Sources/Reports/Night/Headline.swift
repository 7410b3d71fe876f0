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
        let alarms = ([guarded, hidden, missingData] + (guarded.isEmpty ? [held, losses, unrepaired, settings] : []))
            .filter { !$0.isEmpty }
        let notes = notes
        let quiet = notes.isEmpty ? [texts.label(.complete)] : notes
        let candidates = [(0, true), (0, false), (1, false), (2, false), (3, false)].flatMap { level, isNoted in
            let sight = alarms.map { $0[min(level, $0.count - 1)] }.filter { !$0.isEmpty }
            // What lost orders have in common says more than what they are worth.
            return (worths + (level == 1 && !losses.isEmpty ? [""] : [])).map { worth in
                ([news + worth] + (sight.isEmpty ? quiet : sight + (isNoted ? notes : []))).joined(separator: between)
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

    /// What is not urgent: what no machine gives, and how many rows were not used. All alarms come first. What clients send
    /// always has some rows that cannot be used.
    private var notes: [String] {
        let counts: [(Label, Int)] = [
            (.headlineWithheld, report.withheld.map(\.count).reduce(0, +)),
            (.headlineRejected, report.conservation.filter { $0.key != .receipts }.values.map(\.rejected).reduce(0, +)),
        ]
        return counts.filter { $0.1 > 0 }.map { texts.label($0, String($1)) }
    }

    private var guarded: [String] {
        guard let first = report.guarded.first else { return [] }
        let count = report.guarded.count
        let others = rest(count)
        let date = texts.word(.feed, first.feed.rawValue) + " " + first.date.text
        return [texts.sentence(first) + others, date + others, String(count)].map {
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

    /// Entries that stopped, or that were sent again and again without an answer, or without effect. Other alarms take precedence.
    private var unrepaired: [String] {
        let counts: [(Label, Int)] = [
            (.headlineStopped, report.retry.dead), (.headlineUnanswered, report.retry.unanswered ?? 0),
            (.headlineIneffective, report.retry.ineffective ?? 0),
        ]
        let parts = counts.filter { $0.1 > 0 }.map { texts.label($0, String($1)) }
        if parts.isEmpty { return [] }
        let whole = parts.joined(separator: texts.label(.listSeparator))
        return [whole, parts[0]].map { texts.label(.headlineRetry, $0) } + [""]
    }

    /// What a change of the configuration hides, and what looks wrong in the files.
    private var hidden: [String] {
        let reasons = report.attention.map { $0.clause(texts) }
        if reasons.isEmpty { return [] }
        let named = reasons.map { texts.label($0.label, display($0.names[0]) + rest($0.names.count)) }
        // Names give way last.
        let counted = reasons.map { texts.label($0.label, String($0.count)) }
        return [named, named, named, counted].map { $0.joined(separator: texts.label(.clauseSeparator)) }
    }

    /// A change of the configuration may hide what it does.
    private var settings: [String] {
        let count = report.settingsChanged.count
        return !hidden.isEmpty || count == 0 ? [] : [texts.label(.headlineSettings, String(count))]
    }

    /// A rate that stands out, or else a delay, which comes before orders are lost; with what is first in common.
    private var losses: [String] {
        guard let loss = report.loss else { return [] }
        if let rate = loss.rate, rate.rule != nil {
            let figures = [rate.rate, rate.usual].map(texts.percent)
            return clauses([.headlineRate, .headlineRateShort], on: rate.date, figures, in: loss, of: .lost)
        }
        guard let delay = loss.delay, delay.isAbove else { return [] }
        let figures = [delay.p90, delay.usual].map(texts.duration)
        return clauses([.headlineDelay, .headlineDelayShort], on: delay.date, figures, in: loss, of: .late)
    }

    private func clauses(
        _ labels: [WhyLabel], on date: BusinessDate, _ figures: [String], in loss: LossReport,
        of kind: ExplanationLine.Kind
    ) -> [String] {
        let clauses = labels.map { texts.why($0, String(date.text.suffix(5)), figures[0], figures[1]) }
        // The weekday of a week's loss is not this date's, or says nothing beside it.
        guard let line = loss.explanations.first(where: { $0.of == kind && !$0.namesWeekday }) else { return clauses }
        let common = texts.common(line, width: 24)
        return clauses.map { texts.why(.headlineExplained, $0, common) } + [clauses[1]]
    }

    /// How many follow the first one: `, 2 more`.
    private func rest(_ count: Int) -> String {
        count == 1 ? "" : texts.label(.listSeparator) + texts.label(.more, String(count - 1))
    }
}

extension Attention {
    /// The reason's label in the headline, the names to show, and the number to show in place of them.
    fileprivate typealias Clause = (label: Label, names: [String], count: Int)

    fileprivate func clause(_ texts: Texts) -> Clause {
        func named(_ label: Label, _ names: [String]) -> Clause { (label, names, names.count) }
        func counted(_ label: Label, _ count: Int) -> Clause { (label, [String(count)], count) }
        func kinds(_ feeds: [FeedKind]) -> [String] { feeds.map { texts.word(.feed, $0.rawValue) } }
        return switch self {
        case .closed(let count): counted(.headlineClosed, count)
        case .removed(let feeds): named(.headlineRemoved, kinds(feeds))
        case .unrequired(let feeds): named(.headlineUnrequired, kinds(feeds))
        case .row(let place): named(.headlineRow, [place])
        case .columns(let names): named(.headlineColumns, names)
        case .prices(let products): named(.headlinePrices, products)
        case .goodsBreak(let count): counted(.headlineBreak, count)
        case .renewals(let products): named(.headlineRenewals, products)
        case .settings(let count): counted(.headlineSettings, count)
        }
    }
}

extension Texts {
    /// `, worth CNY 156.00, other currencies: 2`.
    ///
    /// - Parameter count: how many amounts are shown.
    func worth(_ amounts: [Money], shown count: Int) -> String {
        label(.headlineWorth, self.amounts(amounts, shown: count))
    }

    /// `CNY 156.00, other currencies: 2`; empty without an amount.
    func amounts(_ amounts: [Money], shown count: Int) -> String {
        let shown = amounts.prefix(count).map { $0.currency.text + " " + $0.text }
        let hidden = amounts.count - shown.count
        let rest = hidden == 0 ? [] : [label(.moreCurrencies, String(hidden))]
        return (shown + rest).joined(separator: label(.listSeparator))
    }

    /// Why a day has a gap: `missing: inbox/credits-{date}.csv`.
    func sentence(_ reason: CoverageGap.Reason) -> String {
        guard let file = reason.file else { return label(.missing, reason.feed) }
        return label(reason.isUncollected ? .uncollected : .refused, file, reason.text ?? "")
    }

    /// The payments in a gap of the goods on record, and what to do.
    func sentence(_ found: GoodsBreak) -> String {
        let place = found.place.map { " (\($0))" } ?? ""
        return label(.goodsBreakMeaning, String(found.count), found.oldest.text, found.end.text, place)
    }

    /// What is withheld, how much it is worth, and why: `withheld: 3, worth CNY 18.00: rejected rows …`.
    func sentence(_ withheld: WithheldCredits) -> String {
        let worth = withheld.worth.isEmpty ? "" : self.worth(withheld.worth, shown: withheld.worth.count)
        let names = first(3, of: withheld.names, display).joined(separator: label(.listSeparator))
        return label(
            .retryWithheld, String(withheld.count), worth,
            filled(word("withheld.\(withheld.reason.rawValue)"), [names]))
    }

    /// An unusual input in words: `Credits 2026-11-21: 0 rows, usually 58–63`.
    public func sentence(_ finding: GuardFinding) -> String { filled(word("guard.\(finding.code)"), values(finding)) }

    /// Three findings, what to do about those of a kind once, and the number of the others; nil without findings. Each kind is named
    /// before any is named twice, and what other findings may follow from is named first.
    public func advice(_ findings: [GuardFinding]) -> String? {
        if findings.isEmpty { return nil }
        let causes = findings.filter { [.collisions, .olderLedger].contains($0.kind) }
        let ordered = causes + findings.filter { !causes.contains($0) }
        let firsts = ordered.indices.filter { index in !ordered[..<index].contains { $0.code == ordered[index].code } }
        let chosen = (firsts + ordered.indices.filter { !firsts.contains($0) }).prefix(3)
        let shown = firsts.flatMap { first in
            chosen.filter { ordered[$0].code == ordered[first].code }.map { ordered[$0] }
        }
        let texts = shown.enumerated().map { index, finding in
            let isSaidLater = shown.dropFirst(index + 1).contains { $0.code == finding.code }
            let remedy = isSaidLater ? nil : words["guard_remedy.\(finding.code)"]
            let said = sentence(finding)
            return remedy.map { label(.guardAdvice, said, filled($0, values(finding))) } ?? said
        }
        let rest = ordered.indices.filter { !chosen.contains($0) }.map { ordered[$0] }
        let named = rest.isEmpty ? [] : [label(.moreNamed, String(rest.count), dates(of: rest))]
        return (texts + named).joined(separator: label(.clauseSeparator))
    }

    /// Which dates of which feeds the findings are about: `credits 2026-11-02 – 2026-11-04, orders 2026-11-03`.
    private func dates(of findings: [GuardFinding]) -> String {
        var spans: [(feed: FeedKind, first: BusinessDate, last: BusinessDate)] = []
        for finding in findings.ordered(by: { ($0.feed.rawValue, $0.date) < ($1.feed.rawValue, $1.date) }) {
            if let span = spans.last, span.feed == finding.feed, finding.date <= span.last.advanced(by: 1) {
                spans[spans.count - 1].last = finding.date
            } else {
                spans.append((finding.feed, finding.date, finding.date))
            }
        }
        return spans.map { "\(word(.feed, $0.feed.rawValue)) " + dates($0.first, $0.last) }
            .joined(separator: label(.listSeparator))
    }

    private func dates(_ first: BusinessDate, _ last: BusinessDate) -> String {
        first == last ? first.text : "\(first.text) – \(last.text)"
    }

    private func values(_ finding: GuardFinding) -> [String] {
        var about = finding.times ?? [""]
        if case .product(let product) = finding.detail { about = [display(product)] }
        return [
            word(.feed, finding.feed.rawValue), dates(finding.since ?? finding.date, finding.date),
            String(finding.count), String(finding.total), finding.usualText, label(.guardUndo),
        ] + about
    }

    public func sentence(_ reason: HoldReason) -> String { filled(word("hold.\(reason.code.rawValue)"), reason.values) }

    /// Why a night's entries are held; nil if they are not.
    func holdReason(of report: NightReport) -> String? {
        let reasons = [advice(report.guarded), report.retry.holdReason.map(sentence)].compactMap(\.self)
        return reasons.isEmpty ? nil : reasons.joined(separator: label(.clauseSeparator))
    }
}

extension GuardFinding {
    /// Names the finding's texts in the templates.
    fileprivate var code: String {
        switch detail {
        case .shift(let shift): shift.halfHours > 0 ? "late" : "early"
        case .product: "product_lost"
        case .ends: "ends_lost"
        default: kind == .creditedNotPaid && feed == .transactions ? "credited_in_test" : kind.rawValue
        }
    }

    /// What is usual, `58–63` or `58`; or how far the times are off, `8 h`.
    fileprivate var usualText: String {
        if case .shift(let shift) = detail { return shift.text }
        guard let least = usual.first, let most = usual.last, least != most else { return String(usual.first ?? total) }
        return "\(least)–\(most)"
    }
}
