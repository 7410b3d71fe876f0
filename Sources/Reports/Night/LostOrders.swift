/// The lost-order rate of a night: how the goods of recent purchases reached the customers.
/// See docs/spec/rules.md#lost-orders.
struct LostOrders {
    /// The purchases of one date, or of several.
    struct Count {
        private var counts: [Fulfilment: Int] = [:]
        private var worth: [Fulfilment: MoneySum] = [:]

        mutating func add(_ line: PurchaseLine) {
            counts[line.fulfilment, default: 0] += line.count
            worth[line.fulfilment, default: MoneySum()].add(MoneySum(line.amounts))
        }

        subscript(_ fulfilment: Fulfilment) -> Int { counts[fulfilment] ?? 0 }
        var purchases: Int { counts.values.reduce(0, +) }
        /// The purchases whose goods did not come by themselves within 24 hours.
        var lost: Int { Fulfilment.allCases.filter(\.isLost).reduce(0) { $0 + self[$1] } }

        /// The worth of all purchases that `belongs` accepts, by currency.
        func worth(of belongs: (Fulfilment) -> Bool) -> MoneySum {
            Fulfilment.allCases.filter(belongs).reduce(into: MoneySum()) { $0.add(worth[$1] ?? MoneySum()) }
        }

        /// `3.72%`: lost orders of all purchases. Nil without a purchase.
        var rate: String? { LostOrders.percent(Int64(lost), of: Int64(purchases)) }
        /// Lost orders as a share of all purchases, in ten thousandths.
        var ratio: Int? { LostOrders.ratio(Int64(lost), of: Int64(purchases)) }
    }

    /// The dates with purchases, ascending.
    private(set) var days: [(date: BusinessDate, count: Count)] = []
    /// All of these dates together.
    private(set) var total = Count()
    /// The purchases of a night's business date.
    private(set) var today = Count()

    init(_ report: NightReport) {
        self.init(report.purchases)
        today = days.last { $0.date == report.businessDate }?.count ?? Count()
    }

    /// - Parameter lines: sorted by date.
    init(_ lines: [PurchaseLine]) {
        for line in lines {
            if days.last?.date != line.date { days.append((line.date, Count())) }
            days[days.count - 1].count.add(line)
            total.add(line)
        }
    }

    /// Nil if `whole` is not positive.
    static func ratio(_ part: Int64, of whole: Int64) -> Int? {
        whole > 0 ? Int((Double(part) / Double(whole) * 10_000).rounded()) : nil
    }

    static func percent(_ part: Int64, of whole: Int64) -> String? {
        ratio(part, of: whole).map { decimal(Int64($0), exponent: 2) + "%" }
    }
}

/// A cause, a product and an hour that lost orders may share.
private struct LostOrderGroup: Hashable {
    var cause: Cause
    var product: String
    /// Hours since 1970 in the report's time zone.
    var hour: Int64
}

extension Texts {
    /// The lost-order rate in sentences: of the business date and of all dates on record, and where tonight's come from.
    /// Empty without purchases.
    func lostOrders(in report: NightReport) -> [String] {
        let orders = LostOrders(report)
        guard let rate = orders.total.rate else { return [] }
        let (date, gaps) = (report.businessDate, report.coverageGaps)
        let rateOfDate = orders.today.rate ?? label(.none)
        var lines = [sentence(date.text, orders.today, rate: rateOfDate, isKnown: !gaps.contains { $0.date == date })]
        if let first = orders.days.first?.date, first != date {
            let isKnown = !gaps.contains { $0.date >= first }
            lines.append(sentence("\(first.text) – \(date.text)", orders.total, rate: rate, isKnown: isKnown))
        }
        if let peak = lostOrderPeak(in: report) { lines.append(peak) }
        return lines.map(display)
    }

    /// Where most of the night's new lost orders come from: one cause, product and hour that more than half of them share. Nil
    /// if none stands out.
    private func lostOrderPeak(in report: NightReport) -> String? {
        let zone = report.zone
        let rows = report.exceptions.filter { $0.state == .new && $0.verdict == .paidNotCredited }
        let groups = Dictionary(grouping: rows) { row in
            let local = row.eventAt.milliseconds + zone.offset(at: row.eventAt)
            return LostOrderGroup(
                cause: row.cause, product: row.product ?? "", hour: local.flooredDivision(by: 3_600_000))
        }
        // Fewer than four lost orders show no pattern.
        guard rows.count >= 4, let (group, peak) = groups.first(where: { $1.count * 2 > rows.count }) else {
            return nil
        }
        let start = Instant(milliseconds: group.hour * 3_600_000 - zone.offset(at: peak[0].eventAt))
        return label(
            .lostOrderPeak, String(peak.count), String(rows.count), title(.paidNotCredited, group.cause),
            group.product, localTime(start, zone))
    }

    /// The lost-order rate of a month in a sentence; nil without purchases.
    func lostOrders(in report: MonthReport) -> String? {
        let total = LostOrders(report.fulfilment).total
        let isKnown = report.coverageGaps.isEmpty
        return total.rate.map { display(sentence(label(.lostOrders), total, rate: $0, isKnown: isKnown)) }
    }

    /// - Parameter isKnown: whether no file of the span is missing. Otherwise the rate is left out: more may be lost.
    private func sentence(_ span: String, _ count: LostOrders.Count, rate: String, isKnown: Bool) -> String {
        let amounts = count.worth(of: \.isLost).amounts
        return label(
            isKnown ? .lostOrderLine : .lostOrderLineOpen, span, String(count.lost), String(count.purchases), rate,
            amounts.isEmpty ? "" : worth(amounts, shown: 2))
    }
}
