extension NightPageWriter {
    /// Adds the charts: carried over, new, resolved and waived exceptions by verdict, and the value of open ones by currency.
    func addCharts(_ html: inout HTML) {
        let lines = exceptionVerdicts.filter { figures.states[$0] != nil }.map(changes)
        html.element("section") { html in
            html.element("h2", texts.label(.exceptionsByVerdict))
            if lines.isEmpty {
                html.element("p", class: "dim", texts.label(.none))
                return
            }
            html.legend([
                ("old", texts.page(.carried)), ("new", texts.word(.state, "new")),
                ("done", texts.word(.state, "resolved")), ("waived", texts.word(.state, "waived")),
            ])
            html.bars(lines)
        }
        addWorth(&html)
    }

    /// The exceptions of a verdict: `7 + 1 − 2 = 6` opened before, new or reopened, resolved or waived, open now; `6` where
    /// nothing changed.
    private func changes(of verdict: Verdict) -> BarLine {
        let old = figures.count(of: verdict) { $0 == .open || $0 == .changed }
        let new = figures.count(of: verdict) { $0 == .new || $0 == .reopened }
        let resolved = figures.count(of: verdict) { $0 == .resolved }
        let waived = figures.count(of: verdict) { $0 == .waived }
        let cleared = resolved + waived
        let sum = [
            String(old + cleared), new == 0 ? nil : "+ \(new)", cleared == 0 ? nil : "− \(cleared)", "= \(old + new)",
        ]
        return BarLine(
            title: texts.title(verdict),
            numbers: new == 0 && cleared == 0 ? String(old) : sum.compactMap { $0 }.joined(separator: " "),
            parts: [(old, "old"), (new, "new"), (resolved, "done"), (waived, "waived")].map { (Int64($0.0), $0.1) })
    }

    /// Adds the lost-order rate: sentences, and a bar of lost orders for each date.
    func addLostOrders(_ html: inout HTML) {
        let lines = texts.lostOrders(in: report)
        if lines.isEmpty { return }
        let orders = LostOrders(report)
        let parts: [(way: Fulfilment, style: String)] = [(.later, "old"), (.byHand, "done"), (.lost, "new")]
        html.element("section") { html in
            html.element("h2", texts.label(.lostOrders))
            for line in lines { html.element("p", line) }
            html.element("p", class: "dim", texts.label(.lostOrdersMeaning))
            if orders.total.lost == 0 { return }
            html.legend(parts.map { ($0.style, texts.column("purchases_" + $0.way.name)) })
            html.bars(
                orders.days.map { date, count in
                    // While a file of the date is missing, its purchases wait, and a rate would say too little.
                    let isKnown = !report.coverageGaps.contains { $0.date == date }
                    let waiting = texts.column("purchases_waiting") + " " + String(count[.waiting])
                    return BarLine(
                        title: date.text,
                        numbers: "\(count.lost) / \(count.purchases) · \(isKnown ? count.rate ?? "" : waiting)",
                        parts: parts.map { (Int64(count[$0.way]), $0.style) })
                })
        }
    }

    private func addWorth(_ html: inout HTML) {
        let lines = Dictionary(grouping: figures.aging.filter { $0.currency != .absent }, by: \.currency)
        if lines.isEmpty { return }
        html.element("section") { html in
            html.element("h2", texts.page(.worth))
            html.element("div", [("class", "grid")]) { html in
                for (currency, lines) in lines.ordered() {
                    html.element("div") { html in
                        html.element("h3", currency.text)
                        html.bars(lines.map(worth))
                    }
                }
            }
        }
    }

    private func worth(of line: AgingLine) -> BarLine {
        BarLine(
            title: texts.title(line.verdict),
            numbers: Money(minor: line.total.minor, currency: line.currency).text, parts: [(line.total.minor, "worth")])
    }
}
