internal import Domain
internal import ReportData
internal import Xlsx

/// Refunds by month of purchase: how much of a month's purchases was refunded so far, and in which months.
struct CohortSheet {
    private let texts: Texts
    private(set) var page: Page

    init(_ cohorts: [RefundCohort], _ texts: Texts) {
        self.texts = texts
        page = Page(title: texts.monthSheet(.cohorts), widths: [16, 16, 9, 12, 16, 16, 12])
        page.add([.text(texts.month(.cohortsWhat))])
        let totals = Self.totals(cohorts)
        let first = page.next + 3 + totals.count + 3
        let range = first...(first + max(0, cohorts.count - 1))
        heading(.byPurchaseMonth, [.refundCount, .refunds, .purchases, .refundShare])
        for total in totals { add(total, range) }
        heading(.byRefundMonth, [.refundCount, .refunds])
        for cohort in cohorts {
            page.add([
                .text(cohort.purchaseMonth), .text(cohort.refundMonth), .text(cohort.currency.text),
                .integer(Int64(cohort.count)), .money(cohort.minor, cohort.currency),
            ])
        }
    }

    /// The refunds of all months, by month of purchase and currency.
    private static func totals(_ cohorts: [RefundCohort]) -> [RefundCohort] {
        var totals: [RefundCohort] = []
        for cohort in cohorts {
            let place = totals.firstIndex {
                $0.purchaseMonth == cohort.purchaseMonth && $0.currency == cohort.currency
            }
            if let place {
                totals[place].count += cohort.count
                totals[place].minor &+= cohort.minor
                totals[place].purchases = cohort.purchases ?? totals[place].purchases
            } else {
                totals.append(cohort)
            }
        }
        return totals.sorted { ($0.purchaseMonth, $0.currency) < ($1.purchaseMonth, $1.currency) }
    }

    private mutating func heading(_ title: MonthLabel, _ figures: [MonthLabel]) {
        page.addHeading(
            texts.month(title), ["purchase_month", "refund_month", "currency"].map(texts.column),
            figures.map { texts.month($0) })
    }

    private mutating func add(_ total: RefundCohort, _ range: ClosedRange<Int>) {
        let row = page.next
        let column = { (index: Int) in rangeName(range, column: index) }
        // SUMIFS would read the month as a date.
        let rows =
            "(\(column(0))=\(cellName(row: row, column: 0)))*(\(column(2))=\(cellName(row: row, column: 2)))"
        page.add([
            .text(total.purchaseMonth), .text(""), .text(total.currency.text),
            .formula("SUMPRODUCT(\(rows)*\(column(3)))", nil),
            .formula("SUMPRODUCT(\(rows)*\(column(4)))", total.currency),
            total.purchases.map { .money($0, total.currency) } ?? .text(texts.label(.unpriced)),
            Self.share(total),
        ])
    }

    /// As a percentage of the purchases, with two decimals like an amount of most currencies.
    private static func share(_ total: RefundCohort) -> Page.Entry {
        guard let purchases = total.purchases, purchases > 0 else { return .text("") }
        let share = (Int128(total.minor) * 10_000 + Int128(purchases) / 2) / Int128(purchases)
        return .money(Int64(clamping: share), "EUR")
    }
}
