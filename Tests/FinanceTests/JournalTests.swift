import Domain
import Testing

@testable import Engine

/// Refunds by month of purchase, and suggested entries.
@Suite struct JournalTests {
    private func report(_ lines: [MoneyLine] = []) -> MonthReport {
        var report = MonthReport(
            Period(calendarMonth: "2026-01")!, timeZone: "Asia/Shanghai", asOf: Instant(milliseconds: 0), run: 1,
            lastNight: BusinessDate("2026-01-31")!, version: "1")
        report.money = lines
        return report
    }

    private func refund(_ kind: RefundLine.Kind, _ minor: Int64?, bought: String) -> RefundLine {
        var refund = RefundLine(
            transaction: "1", product: "coins", storefront: "CHN",
            purchasedAt: Zone("Asia/Shanghai")!.start(of: BusinessDate(bought)!), revokedAt: Instant(milliseconds: 0),
            kind: kind, verdict: .matched, cause: .none)
        refund.amount = minor.map { Money(minor: $0, currency: "CNY") }
        let at = Zone("Asia/Shanghai")!.start(of: BusinessDate("2026-01-10")!)
        if kind == .reversed { refund.ended = minor.map { [RefundEnd(at: at, count: 1, minor: $0)] } ?? [] }
        return refund
    }

    @Test func refundsThatWereTakenBackAreSubtracted() {
        var report = report()
        report.refunds = [
            refund(.full, 600, bought: "2025-12-31"), refund(.partial, 300, bought: "2025-12-01"),
            refund(.reversed, 600, bought: "2025-12-31"), refund(.full, nil, bought: "2026-01-05"),
            refund(.full, 700, bought: "2026-01-01"),
        ]
        let cohorts = report.ownCohorts { month, _ in
            month == "2025-12" ? 9000 : nil
        }
        #expect(cohorts.map(\.purchaseMonth) == ["2025-12", "2026-01"] && cohorts.map(\.count) == [1, 1])
        #expect(cohorts.map(\.minor) == [300, 700] && cohorts.map(\.purchases) == [9000, nil])
        // Fiscal January 2026 begins on 28 December.
        report.isFiscal = true
        let fiscal = report.ownCohorts { _, _ in nil }
        #expect(fiscal.map(\.purchaseMonth) == ["2025-12", "2026-01"] && fiscal.map(\.minor) == [300, 700])
    }

    @Test func quartersAreThoseOfTheCalendarOrOfApple() throws {
        for (name, quarter, year, fiscal, fiscalYear) in [
            ("2026-01", 1, 2026, 2, 2026), ("2026-12", 4, 2026, 1, 2027), ("2026-09", 3, 2026, 4, 2026),
            ("2026-10", 4, 2026, 1, 2027),
        ] {
            let (business, apple) = (
                try #require(Period(calendarMonth: name)), try #require(FiscalCalendar.month(name))
            )
            #expect(business.yearAndQuarter.quarter == quarter && business.yearAndQuarter.year == year)
            #expect(apple.yearAndQuarter.quarter == fiscal && apple.yearAndQuarter.year == fiscalYear)
        }
    }
}
