extension NightPageWriter {
    /// Adds what lost orders have in common, and how rate and delay compare with the usual.
    func addLoss(_ html: inout HTML) {
        guard let loss = report.loss, !loss.days.isEmpty else { return }
        html.element("section") { html in
            html.element("h2", texts.why(.title))
            for alarm in texts.alarms(in: loss) { html.element("p", class: "alarm", alarm) }
            if loss.explanations.isEmpty { html.element("p", texts.why(.nothing)) }
            addExplanations(loss.explanations, &html)
            html.element("p", class: "dim", texts.why(.meaning))
            addRates(loss, &html)
            addDelays(loss, &html)
        }
    }

    private func addExplanations(_ lines: [ExplanationLine], _ html: inout HTML) {
        let dates = report.businessDate...report.businessDate
        for span in [ExplanationLine.Span.night, .week] {
            let own = lines.filter { $0.span == span }
            if own.isEmpty { continue }
            html.element("h3", texts.dates(span, of: dates))
            html.bars(own.map(bar))
            for line in own {
                html.element("p") { html in
                    html.text(texts.sentence(line))
                    // The page's search knows open exceptions by their labels.
                    guard hasSearch, line.of != .late, let label = line.values.first(where: \.isLabel) else { return }
                    html.text(" ")
                    html.link("#" + percentEncoded(label.dimension + "=" + label.value), texts.why(.find, label.value))
                }
            }
        }
    }

    /// The share of those in trouble that have it, of the whole width.
    private func bar(of line: ExplanationLine) -> BarLine {
        let share = whole(line.support * 1000)
        return BarLine(
            title: texts.why(.pair, texts.title(line.of), texts.common(line)),
            numbers: texts.why(
                .supportLine, String(line.count), String(line.ofCount), "\(whole(line.support * 100))%"),
            parts: [(share, "new"), (1000 - share, "rest")])
    }

    /// Adds the rate of each settled date, with what is usual.
    private func addRates(_ loss: LossReport, _ html: inout HTML) {
        html.element("h3", texts.why(.rates))
        // While a file of the date is missing, its purchases wait, and the rate is not known.
        let unknown = Set(report.coverageGaps.map(\.date))
        add(
            [
                ("worth", texts.column("lost_order_rate"), { unknown.contains($0.date) ? nil : $0.rate }),
                ("old", texts.why(.usual), { $0.usual }),
                ("new", texts.why(.limit), { $0.limit }),
            ], of: loss.days.filter { $0.isSettled && $0.hasEnough }, label: .rateChart, top: niceShare,
            scale: texts.percent,
            marked: { day in day.limit.map { $0 < day.rate } ?? false }, &html)
        // An alarm is said above.
        if loss.rate?.rule == nil { html.element("p", loss.rate.map(texts.sentence) ?? texts.why(.rateUnknown)) }
    }

    /// Adds the time until half, and until 90 of 100 customers had their goods.
    private func addDelays(_ loss: LossReport, _ html: inout HTML) {
        guard let sentences = texts.delays(in: loss) else { return }
        html.element("h3", texts.why(.delays))
        add(
            [
                ("worth", texts.why(.p90), { $0.p90.map { Double($0.count) } }),
                ("old", texts.why(.p50), { $0.p50.map { Double($0.count) } }),
            ], of: loss.days.filter { $0.isSettled && $0.hasEnough }, label: .delayChart, top: niceTime,
            scale: { texts.duration(Milliseconds(whole($0))) }, marked: { _ in false }, &html)
        for sentence in sentences where !texts.alarms(in: loss).contains(sentence) { html.element("p", sentence) }
    }

    /// Adds a plot of the last 60 dates. The first line is the one that matters.
    private func add(
        _ lines: [(style: String, title: String, value: (LossDay) -> Double?)], of days: [LossDay], label: WhyLabel,
        top: (Double) -> Double, scale: (Double) -> String, marked: (LossDay) -> Bool, _ html: inout HTML
    ) {
        let days = days.suffix(60)
        let peak = days.compactMap { day in lines[0].value(day).map { (day.date, $0) } }.max { $0.1 < $1.1 }
        guard let peak, let first = days.first?.date, let last = days.last?.date, first < last else { return }
        let values = days.flatMap { day in lines.compactMap { $0.value(day) } }
        html.legend(lines.map { ($0.style, $0.title) })
        html.plot(
            LinePlot(
                lines: lines.map { line in (line.style, days.map { ($0.date, line.value($0)) }) },
                label: texts.why(label, first.text, last.text, scale(peak.1), peak.0.text), dates: first...last,
                top: top(values.max() ?? 0), marked: days.filter(marked).map(\.date)), scale: scale)
    }
}

/// The smallest number that is not below `value` and has a short name: 1, 2 or 5 with zeros.
private func niceShare(_ value: Double) -> Double {
    let steps = [0.0001, 0.001, 0.01, 0.1].flatMap { unit in [1.0, 2, 5].map { $0 * unit } }
    return steps.first { $0 >= value } ?? 1
}

/// The same in milliseconds, with a short name in seconds, minutes, hours or days.
private func niceTime(_ value: Double) -> Double {
    let steps: [Double] = [
        1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400, 172_800,
        432_000,
        864_000, 1_728_000, 4_320_000,
    ]
    return steps.map { $0 * 1000 }.first { $0 >= value } ?? max(1, value)
}
