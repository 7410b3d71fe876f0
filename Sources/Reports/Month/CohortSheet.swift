internal import Domain
internal import ReportData
internal import Xlsx

/// Refunds by month of purchase: how much of a month's purchases was refunded so far, and in which months.
struct CohortSheet {
    private let writer: SheetWriter
    private let texts: Texts
    private(set) var page = Page()
    static let widths: [Double] = [16, 16, 9, 12, 16, 16, 12]

    init(_ cohorts: [RefundCohort], _ writer: SheetWriter) {
        self.writer = writer
        texts = writer.texts
        page.add([.text(texts.monthSheet(.cohorts), writer.styles.title)])
        page.add([.text(texts.month(.cohortsWhat))])
        let totals = Self.totals(cohorts)
        let first = page.next + 3 + totals.count + 3
        let range = first...(first + max(0, cohorts.count - 1))
        heading(.byPurchaseMonth, [.refundCount, .refunds, .purchases, .refundShare])
        for total in totals { add(total, range) }
        heading(.byRefundMonth, [.refundCount, .refunds])
        for cohort in cohorts { add(cohort) }
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
        page.add()
        page.add([.text(texts.month(title), writer.styles.heading)])
        let ids = [texts.column("purchase_month"), texts.column("refund_month"), texts.column("currency")]
        page.add(
            ids.map { .text($0, writer.styles.header) }
                + figures.map { .text(texts.month($0), writer.styles.figureHeader) }, height: 32)
    }

    private mutating func add(_ total: RefundCohort, _ range: ClosedRange<Int>) {
        let row = page.next
        let column = { (index: Int) in
            cellName(row: range.lowerBound, column: index) + ":" + cellName(row: range.upperBound, column: index)
        }
        // SUMIFS would read the month as a date.
        let rows =
            "(\(column(0))=\(cellName(row: row, column: 0)))*(\(column(2))=\(cellName(row: row, column: 2)))"
        page.add([
            .text(total.purchaseMonth), .text(""), .text(total.currency.text),
            .formula("SUMPRODUCT(\(rows)*\(column(3)))", .integer(Int64(total.count))),
            .formula("SUMPRODUCT(\(rows)*\(column(4)))", .money(Money(minor: total.minor, currency: total.currency))),
            total.purchases.map { .cell(.money(Money(minor: $0, currency: total.currency))) }
                ?? .text(texts.label(.unpriced)),
            Self.share(total),
        ])
    }

    /// As a percentage of the purchases, with two decimals like an amount of most currencies.
    private static func share(_ total: RefundCohort) -> Page.Entry {
        guard let purchases = total.purchases, purchases > 0 else { return .text("") }
        let share = (Int128(total.minor) * 10_000 + Int128(purchases) / 2) / Int128(purchases)
        return .cell(.money(Money(minor: Int64(clamping: share), currency: "EUR")))
    }

    private mutating func add(_ cohort: RefundCohort) {
        page.add([
            .text(cohort.purchaseMonth), .text(cohort.refundMonth), .text(cohort.currency.text),
            .cell(.integer(Int64(cohort.count))),
            .cell(.money(Money(minor: cohort.minor, currency: cohort.currency))),
        ])
    }
}
