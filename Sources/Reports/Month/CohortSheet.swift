extension Page {
    /// Refunds by month of purchase: how much of a month's purchases was refunded so far, and in which months.
    init(_ cohorts: [RefundCohort], _ texts: Texts) {
        self.init(title: texts.monthSheet(.cohorts), widths: [16, 16, 9, 12, 16, 16, 12], texts)
        add([.text(texts.month(.cohortsWhat))])
        let totals = Dictionary(grouping: cohorts) { [$0.purchaseMonth, $0.currency.text] }.ordered {
            $0.key.lexicographicallyPrecedes($1.key)
        }
        let first = next + 3 + totals.count + 3
        addCohortHeading(.byPurchaseMonth, [.refundCount, .refunds, .purchases, .refundShare], last: [])
        for (_, own) in totals { addTotal(of: own, over: first...(first + max(0, cohorts.count - 1))) }
        addCohortHeading(.byRefundMonth, [.refundCount, .refunds], last: [.knownIn])
        for cohort in cohorts {
            add([
                .text(cohort.purchaseMonth), .text(cohort.refundMonth), .text(cohort.currency.text),
                .integer(Int64(cohort.count)), .money(cohort.minor, cohort.currency),
                .text(cohort.knownIn == cohort.refundMonth ? "" : cohort.knownIn),
            ])
        }
    }

    private mutating func addCohortHeading(_ title: MonthLabel, _ figures: [MonthLabel], last: [MonthLabel]) {
        addHeading(
            texts.month(title), texts: ["purchase_month", "refund_month", "currency"].map(texts.column),
            figures: figures.map { texts.month($0) }, last: last.map { texts.month($0) })
    }

    /// Adds the refunds, in all months, of one month's purchases in one currency.
    private mutating func addTotal(of cohorts: [RefundCohort], over rows: ClosedRange<Int>) {
        let (month, currency) = (cohorts[0].purchaseMonth, cohorts[0].currency)
        let purchases = cohorts.last { $0.purchases != nil }?.purchases
        let row = next
        let sum = { (column: Int) in
            Formula.sumProduct(rows, column: column, where: [0, 2].map { ($0, .cell(row: row, column: $0)) })
        }
        add([
            .text(month), .text(""), .text(currency.text), .formula(sum(3), nil), .formula(sum(4), currency),
            purchases.map { .money($0, currency) } ?? .text(texts.label(.unpriced)),
            Self.share(of: cohorts.reduce(0) { $0 &+ $1.minor }, in: purchases),
        ])
    }

    /// As a percentage of the purchases.
    private static func share(of refunds: Int64, in purchases: Int64?) -> Page.Entry {
        guard let purchases, purchases > 0 else { return .text("") }
        let share = (Int128(refunds) * 10_000 + Int128(purchases) / 2) / Int128(purchases)
        return .share(Int(clamping: share))
    }
}
