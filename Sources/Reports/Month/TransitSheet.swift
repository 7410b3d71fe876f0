extension Page {
    /// What was sold and not reported by Apple yet: rolled forward by Apple's periods, and by the time of sale.
    init(inTransit bridge: AppleBridge, _ texts: Texts) {
        self.init(
            title: texts.monthSheet(.inTransit), widths: [26, 12, 9, 9] + Array(repeating: 14, count: 9), texts)
        addTotal(of: texts.month(.allChecks), column: 3)
        addRollForward(.transit, of: bridge) { .money($1.minor, $0.currency) }
        addRollForward(.transitUnits, of: bridge) { .integer($1.units) }
    }

    /// What is in transit when the last period ends, by day of sale.
    init(agingOf bridge: AppleBridge, _ texts: Texts) {
        self.init(title: texts.monthSheet(.transitAging), widths: [26, 18, 12, 9, 9, 56, 12, 16], texts)
        addAging(bridge)
    }

    private mutating func addRollForward(
        _ title: MonthLabel, of bridge: AppleBridge, _ entry: (TransitLine, UnitsAndValue) -> Entry
    ) {
        addHeading(
            texts.month(title), texts: ["from", "to", "currency", "sales_or_return"].map(texts.column),
            figures: transitFigures.map { $0.title(texts) } + [texts.label(.check)])
        for line in bridge.rollForward {
            let row = next
            let sum: Formula =
                .cell(row: row, column: 4) + .cell(row: row, column: 5) - .sum(.cells(row...row, columns: 6...11))
            add(
                [
                    .cell(.date(line.first)), .cell(.date(line.last)), .text(texts.code(line.currency)),
                    .text(texts.title(line.kind)),
                ] + transitFigures.map { entry(line, $0.sum(line)) } + [.check(sum, line.currency)])
        }
    }

    private mutating func addAging(_ bridge: AppleBridge) {
        add()
        addHeader(
            texts: ["product_id", "country", "sold_until", "currency", "sales_or_return"].map(texts.column)
                + [texts.month(.status)],
            figures: [texts.month(.units), texts.month(.value)])
        for line in bridge.lines {
            for part in line.aging {
                add([
                    .text(line.product), .text(texts.country(of: line)), .cell(.date(part.soldUntil)),
                    .text(texts.code(line.currency)), .text(texts.title(line.kind)),
                    .text(
                        texts.month(
                            part.isNeverCollected
                                ? line.lostLabel : part.isLate ? .late : part.isSteady ? .steady : .inTransit)),
                    .integer(part.sum.units), .money(part.sum.minor, line.currency),
                ])
            }
            let undecided = line.undecided.map {
                ($0.isWithheld != nil ? MonthLabel.withheld : $0.soldOn == nil ? .undecided : .price, $0)
            }
            for (label, part) in line.inExcess.map({ (.bridgeUnexplained, $0) }) + undecided {
                let words = [texts.month(label), part.source].filter { !$0.isEmpty }
                add([
                    .text(line.product), .text(texts.country(of: line)),
                    part.soldOn.map { .cell(.date($0)) } ?? .text(""),
                    .text(texts.code(line.currency)), .text(texts.title(line.kind)),
                    .text(words.joined(separator: " · ")), .integer(0 - part.sum.units),
                    .money(0 - part.sum.minor, line.currency),
                ])
            }
        }
    }
}

/// The sums of a line of the roll-forward, by their names in `month.json`.
let transitFigures:
    [(name: String, title: @Sendable (Texts) -> String, sum: @Sendable (TransitLine) -> UnitsAndValue)] = [
        ("opening", { $0.month(.opening) }, { $0.opening }), ("sold", { $0.month(.sold) }, { $0.sold }),
        ("reported", { $0.month(.reportedByApple) }, { $0.reported }),
        ("unknown_product", { $0.title(.unknownProduct) }, { $0.unknownProduct }),
        ("never_collected", { $0.month(.lost) }, { $0.neverCollected }),
        ("price", { $0.title(.priceDifference) + " / " + $0.title(.rounding) }, { $0.price }),
        ("unexplained", { $0.month(.unexplained) }, { $0.unexplained }),
        ("closing", { $0.month(.closing) }, { $0.closing }),
    ]
