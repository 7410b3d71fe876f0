/// What the first sheet says about the month's closing, and about closed months that were restated since.
extension TieOutSheet {
    mutating func addClosing() {
        guard let closing = report.closing else { return }
        let approver = closing.approver.map { closing.isSegregated ? $0 : texts.month(.samePerson, $0) }
        let accepted = closing.acceptedUnexplained.map { note in
            closing.acceptedAmount.map { texts.month(.pair, byKind($0), note) } ?? note
        }
        // The labels are longer than the first column, so the second one stays empty.
        let person = closing.user.map { texts.month(.closedAs, closing.by, $0) } ?? closing.by
        // A column of amounts is too narrow for a time.
        let closed = localTime(closing.at, report.zone) + " · " + person
        let facts: [(MonthLabel, String?)] = [
            (.closedBy, closed),
            (.approvedBy, approver), (.approval, texts.month(.approvalElsewhere, report.period)), (.note, closing.note),
            (.acceptedUnexplained, accepted), (.tolerated, closing.tolerated.map(byKind)),
            (.seal, closing.seal),
        ]
        // The files stay as they were sealed, so they cannot say whether the month was approved.
        for case (let label, let fact?) in facts {
            for (index, line) in wrapped(fact, to: 110).enumerated() {
                page.add([.label(index == 0 ? texts.month(label) : ""), .text(""), .text(line)])
            }
        }
    }

    /// Amounts that were accepted or tolerated at the closing, each with what it consists of, and the products.
    private func byKind(_ amounts: String) -> String {
        let currencies = Dictionary(currencies.map { ($0.text, $0) }) { $1 }
        return amounts.split(separator: ", ").map { part in
            let amount = String(part)
            guard let currency = currencies[String(amount.suffix(3))] else { return amount }
            let money = report.money.filter { $0.currency == currency }.reduce(0) { $0 &+ $1.unexplained }
            let lines = report.apple?.accountable.filter { $0.currency == currency } ?? []
            let titles =
                [texts.month(.bridgeUnexplained)]
                + [BridgeStep.priceDifference, .neverCollected, .unknownProduct].map(texts.title)
            let figures: [(String, (BridgeLine) -> Int64)] =
                [(texts.month(.withheld), { $0.withheld.minor })]
                + zip(titles, [BridgeLine].residuals).map { ($0, $1) }
            let parts: [(String, Int64, String)] =
                [(texts.month(.unexplained), money, "")]
                + figures.map { ($0, lines.gross($1), products(of: lines, $1)) }
            // Where other apps' products are left out, the amount is without them.
            let others = [parts, parts.dropLast()].first { parts in
                Money(minor: parts.reduce(0) { $0 &+ Int64(clamping: $1.1.magnitude) }, currency: currency).description
                    == amount
            }
            let words = (others ?? []).filter { $0.1 != 0 }.map { label, sum, products in
                let words = label.withinSentence + " " + decimalText(sum, currency)
                return products.isEmpty ? words : texts.month(.pair, words, products)
            }
            return words.isEmpty
                ? amount : texts.month(.amountOf, amount, words.joined(separator: texts.label(.clauseSeparator)))
        }.joined(separator: texts.label(.listSeparator))
    }

    /// The products of a figure, the largest first. One alone has the whole amount, if that is above 0.
    private func products(of lines: [BridgeLine], _ figure: (BridgeLine) -> Int64) -> String {
        let own = lines.filter { figure($0) != 0 }.ordered { figure($0).magnitude > figure($1).magnitude }
        let named = texts.first(3, of: own) {
            own.count == 1 && figure($0) > 0 ? $0.product : $0.product + " " + decimalText(figure($0), $0.currency)
        }
        return named.joined(separator: texts.label(.listSeparator))
    }

    /// The closed months that changed, each with its currencies.
    var restatedMonths: [[String]] {
        let figures = report.restatedFigures.map { [$0.period, $0.currency.text] }
        let moved = report.restated.map { [$0.period, $0.currency.text] }
        let places = report.restatedSubjects.filter { $0.storefront != nil }.map { [$0.period, $0.currency.text] }
        return Set(figures + moved + places).ordered { ($0[0], $0[1]) < ($1[0], $1[1]) }
    }

    var restatedTitle: String {
        texts.month(
            !report.gapDecisions.isEmpty
                ? .restatedOrDecided : report.isRestatedBySettings ? .restatedOrSet : .restatedSince)
    }

    mutating func addRestated() {
        page.beginPart()
        page.add(settingsChanged: report, texts)
        if let apple = report.apple { page.add(changesOf: apple, most: 8, texts) }
        let figures = Dictionary(grouping: report.restatedFigures) { [$0.period, $0.currency.text] }
        let moved = Dictionary(report.restated.map { ([$0.period, $0.currency.text], $0) }) { $1 }
        let months = restatedMonths
        if months.isEmpty { return }
        page.addHeading(
            restatedTitle, texts: ["closed_month", "currency"].map(texts.column),
            figures: [MonthLabel.net, .netCredited, .difference].map {
                texts.month(.changeOf, texts.month($0).lowercased())
            },
            last: [texts.month(.otherChanges)])
        for month in months {
            let change = moved[month]?.change ?? .zero
            let currency = Currency(month[1]) ?? .absent
            var others = (figures[month] ?? []).map {
                texts.title(ofFigure: $0.figure) + ($0.change > 0 ? " +" : " ") + decimalText($0.change, currency)
            }
            if let moved = texts.moved(report, month[0], month[1]) { others.append(moved) }
            let first: [Page.Entry] =
                month.map { .text($0) }
                + [change.net, change.netCredited, change.difference].map { .money($0, currency) }
            for (index, line) in lines(of: others).enumerated() {
                page.add((index == 0 ? first : first.map { _ in .text("") }) + [.text(line)])
            }
        }
    }

    /// A list in lines that end between its items, so that it makes no printed page wider. At least one line.
    func lines(of items: [String]) -> [String] {
        items.reduce(into: [""]) { lines, item in
            let last = lines[lines.count - 1]
            let longer = last.isEmpty ? item : last + texts.label(.listSeparator) + item
            if last.isEmpty || displayWidth(longer) <= 80 {
                lines[lines.count - 1] = longer
            } else {
                lines.append(item)
            }
        }
    }
}

extension Page {
    /// What the closed months have otherwise of Apple's reports and of what is in transit.
    mutating func add(changesOf bridge: AppleBridge, most: Int = .max, _ texts: Texts) {
        for line in texts.first(most, of: texts.changes(bridge), \.self) { addLines(line) }
    }

    /// The settings that changed since a month was closed last, and what people decided about its files.
    mutating func add(settingsChanged report: MonthReport, most: Int = 10, _ texts: Texts) {
        for change in texts.settingsSince(report, most: most) {
            addLines(texts.month(.pair, texts.month(.settingsSince), change))
        }
        for (label, gap) in texts.decisions(report) {
            let (feed, said) = (texts.feed(of: gap, report), texts.month(.pair, gap.by, gap.note))
            addLines(texts.month(.pair, label, texts.month(.gapOf, feed, gap.date.text, display(said))))
        }
        for line in texts.gapLines(report) { addLines(line) }
    }
}
