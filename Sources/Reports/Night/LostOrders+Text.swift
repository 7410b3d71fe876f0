extension LostOrders {
    /// A share in hundredths of a percent as text: `3.72%`.
    static func percent(_ part: Int64, of whole: Int64) -> String? {
        ratio(part, of: whole).map { decimal(Int64($0), exponent: 2) + "%" }
    }
}

extension LostOrders.Count {
    /// `3.72%`: lost orders of all purchases. Nil without a purchase.
    var rate: String? { LostOrders.percent(Int64(lost), of: Int64(purchases)) }
}

extension Texts {
    /// The lost-order rate in sentences: of the business date and of all dates on record. Empty without purchases.
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
        return lines.map(display)
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
