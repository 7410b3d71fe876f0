/// What the desk's lead sees at a glance. See docs/spec/interfaces.md#lead.
public struct LeadReport: Sendable {
    /// Goods given by hand by one person.
    public struct HandOuts: Sendable {
        var by: String
        var count: Int
        /// Those after which a night has run and no credit came.
        var open: Int

        public init(by: String, count: Int, open: Int) { (self.by, self.count, self.open) = (by, count, open) }
    }
    /// The last night of each date, newest first, without rows; the first one with what lost orders have in common.
    public var nights: [NightReport]
    /// What waits for a person, the oldest first.
    public var oldest: [QueueRow]
    /// Of the last seven dates, by name.
    public var handOuts: [HandOuts]

    /// How many dates, and how many open cases, the page shows.
    public static let (datesMax, casesMax) = (14, 10)

    public init(nights: [NightReport], oldest: [QueueRow], handOuts: [HandOuts]) {
        (self.nights, self.oldest, self.handOuts) = (nights, oldest, handOuts)
    }
}

extension DeskPage {
    func addLead(_ lead: LeadReport, zone: Zone, to html: inout HTML, _ texts: Texts) {
        guard let last = lead.nights.first else { return }
        html.element("section") { html in
            html.element("h2", texts.queue(.nights))
            html.table(
                [(texts.label(.businessDate), false), (texts.queue(.ranAt), false)]
                    + [
                        texts.queue(.late), texts.label(.coverageGaps), texts.queue(.held), texts.sheet(.new),
                        texts.queue(.closed), texts.queue(.open),
                    ].map { ($0, true) },
                dates(of: lead.nights).map { cells(of: $0.date, $0.night, zone: zone, texts) }, isList: true)
        }
        var writer = NightPageWriter(last, texts)
        writer.hasSearch = false
        writer.addLoss(&html)
        writer.addLostOrders(&html)
        html.element("section") { html in
            html.element("h2", texts.queue(.oldest))
            if lead.oldest.isEmpty { html.element("p", texts.label(.none)) }
            let columns: [WorkQueue.Column] = [.age, .amount, .trouble, .account, .assignee, .ticket]
            html.list(
                [texts.queue(.purchase)] + columns.map { texts.queue($0) },
                lead.oldest.map { row in (row.id, columns.map { row.text($0, zone: zone, texts) }) },
                open: { addOpening(of: $0, to: &$1, texts) })
        }
        html.element("section") { html in
            html.element("h2", texts.queue(.handOuts))
            if lead.handOuts.isEmpty { return html.element("p", texts.label(.none)) }
            html.table(
                [
                    (texts.queue(.recordedBy), false), (texts.label(.count), true),
                    (texts.queue(QueueItem.Reason.given), true),
                ],
                lead.handOuts.map { [$0.by, String($0.count), String($0.open)] })
        }
    }

    /// The newest dates, each with its night; nil for a date without one.
    private func dates(of nights: [NightReport]) -> [(date: BusinessDate, night: NightReport?)] {
        guard let first = nights.last?.businessDate, let last = nights.first?.businessDate else { return [] }
        return (0..<LeadReport.datesMax).map { last.advanced(by: -$0) }.filter { $0 >= first }.map { date in
            (date, nights.first { $0.businessDate == date })
        }
    }

    private func cells(of date: BusinessDate, _ night: NightReport?, zone: Zone, _ texts: Texts) -> [String] {
        guard let night else { return [date.text, texts.queue(.noNight)] + [String](repeating: "", count: 6) }
        func sum(_ figures: [KeyPath<RollForwardLine, CountAndAmount>]) -> Int {
            night.rollForward.reduce(0) { sum, line in figures.reduce(sum) { $0 + line[keyPath: $1].count } }
        }
        let figures = [
            night.files.count(where: \.isLate), night.coverageGaps.count, night.retry.held, sum([\.new, \.reopened]),
            sum([\.resolved, \.waived]), sum([\.closing]),
        ]
        return [date.text, localTime(night.asOf, zone)] + figures.map { String($0) }
    }
}
