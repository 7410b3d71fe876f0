internal import Domain
internal import Engine

extension NightPageWriter {
    /// Adds the charts: carried over, new, resolved and waived exceptions by verdict, and the value of open ones by currency.
    func addCharts(_ html: inout HTML) {
        html.element("section") { html in
            html.element("h2", texts.label(.exceptionsByVerdict))
            let changes = ChangeCounts(report.exceptions)
            if changes.lines.isEmpty {
                html.element("p", class: "dim", texts.label(.none))
                return
            }
            addLegend(&html)
            html.element("div", [("class", "bars")]) { html in
                for line in changes.lines {
                    let parts = [
                        (line.old, "old"), (line.new, "new"), (line.resolved, "done"), (line.waived, "waived"),
                    ]
                    let title = texts.explanation(line.verdict).title
                    let numbers = line.numbers
                    html.element("span", title)
                    html.element("span", numbers)
                    html.bar(
                        parts.map { (Int64($0.0), $0.1) }, of: Int64(changes.longest), label: "\(title): \(numbers)")
                }
            }
        }
        addWorth(&html)
    }

    private func addLegend(_ html: inout HTML) {
        html.element("p", [("class", "legend")]) { html in
            let parts = [
                ("old", texts.page(.carried)), ("new", texts.word(.state, "new")),
                ("done", texts.word(.state, "resolved")), ("waived", texts.word(.state, "waived")),
            ]
            for (style, word) in parts {
                html.element("span") { html in
                    html.bar([(1, style)], of: 1, label: word)
                    html.text(word)
                }
            }
        }
    }

    /// Adds the lost-order rate: sentences, and a bar of lost orders for each date.
    func addLostOrders(_ html: inout HTML) {
        let lines = texts.lostOrders(in: report)
        if lines.isEmpty { return }
        let orders = LostOrders(report)
        let longest = Int64(orders.days.map(\.count.lost).max() ?? 0)
        let parts: [(way: Fulfilment, style: String)] = [(.later, "old"), (.byHand, "done"), (.lost, "new")]
        html.element("section") { html in
            html.element("h2", texts.label(.lostOrders))
            for line in lines { html.element("p", line) }
            html.element("p", class: "dim", texts.label(.lostOrdersMeaning))
            if longest == 0 { return }
            html.element("p", [("class", "legend")]) { html in
                for part in parts {
                    let word = texts.column("purchases_" + part.way.name)
                    html.element("span") { html in
                        html.bar([(1, part.style)], of: 1, label: word)
                        html.text(word)
                    }
                }
            }
            html.element("div", [("class", "bars")]) { html in
                for (date, count) in orders.days {
                    let numbers = "\(count.lost) / \(count.purchases) · \(count.rate ?? "")"
                    html.element("span", date.text)
                    html.element("span", numbers)
                    html.bar(
                        parts.map { (Int64(count[$0.way]), $0.style) }, of: longest, label: "\(date.text): \(numbers)")
                }
            }
        }
    }

    private func addWorth(_ html: inout HTML) {
        let lines = Dictionary(grouping: figures.aging.filter { $0.currency != .absent }, by: \.currency)
        if lines.isEmpty { return }
        html.element("section") { html in
            html.element("h2", texts.page(.worth))
            html.element("div", [("class", "grid")]) { html in
                for currency in lines.keys.sorted() { add(lines[currency]!, of: currency, &html) }
            }
        }
    }

    private func add(_ lines: [AgingLine], of currency: Currency, _ html: inout HTML) {
        let greatest = lines.map { $0.total.minor.magnitude }.max() ?? 0
        html.element("div") { html in
            html.element("h3", currency.text)
            html.element("div", [("class", "bars")]) { html in
                for line in lines {
                    let amount = Money(minor: line.total.minor, currency: currency).text
                    let title = texts.explanation(line.verdict).title
                    html.element("span", title)
                    html.element("span", amount)
                    html.bar(
                        [(line.total.minor, "worth")], of: Int64(clamping: greatest), label: "\(title): \(amount)")
                }
            }
        }
    }
}

/// For each verdict, most severe first: exceptions carried over, new or reopened, resolved, and waived.
private struct ChangeCounts {
    struct Line {
        var verdict: Verdict
        /// Open before, and still open.
        var old = 0
        var new = 0
        var resolved = 0
        var waived = 0

        /// `7 + 1 − 2 = 6`: opened before, new, resolved or waived, open now. `6` where nothing changed.
        var numbers: String {
            let cleared = resolved + waived
            if new == 0, cleared == 0 { return String(old) }
            return [
                String(old + cleared), new == 0 ? nil : "+ \(new)", cleared == 0 ? nil : "− \(cleared)",
                "= \(old + new)",
            ].compactMap { $0 }.joined(separator: " ")
        }
    }
    private(set) var lines: [Line]

    init(_ rows: [ExceptionRow]) {
        var counts: [Verdict: Line] = [:]
        for row in rows {
            var line = counts[row.verdict] ?? Line(verdict: row.verdict)
            switch row.state {
            case .new, .reopened: line.new += 1
            case .open, .changed: line.old += 1
            case .resolved: line.resolved += 1
            case .waived: line.waived += 1
            }
            counts[row.verdict] = line
        }
        lines = exceptionVerdicts.compactMap { counts[$0] }
    }

    /// The length of the longest bar.
    var longest: Int { lines.map { $0.old + $0.new + $0.resolved + $0.waived }.max() ?? 0 }
}
