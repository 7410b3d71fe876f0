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

    private func refund(_ kind: MonthRefund.Kind, _ minor: Int64?, bought: String) -> MonthRefund {
        var refund = MonthRefund(
            transaction: "1", product: "coins", storefront: "CHN",
            purchasedAt: Zone("Asia/Shanghai")!.start(of: BusinessDate(bought)!), revokedAt: Instant(milliseconds: 0),
            kind: kind, verdict: .matched, cause: .none)
        refund.amount = minor.map { Money(minor: $0, currency: "CNY") }
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

    /// Whatever the figures are, the obligation is left with the cut-off.
    @Test(arguments: [1, -1] as [Int64]) func theObligationIsLeftWithTheCutOff(sign: Int64) {
        let parts: [DifferenceClass] = [
            .cutOff, .partialRefund, .verdict(.paidNotCredited), .verdict(.creditedTwice), .verdict(.waiting),
        ]
        let explained = parts.enumerated().map {
            MoneyLine.Explained(reason: $1, minor: sign * Int64(100 << $0))
        }
        let rest = explained.reduce(0) { $0 + $1.minor } + 7
        let moved = Movements(purchases: 9000 + rest, refunds: 500, refundReversals: 40, credited: 8900, reversed: 360)
        let line = MoneyLine(currency: "CNY", movements: moved, explained: explained, unexplained: 7)
        #expect(moved.difference == rest)
        let entries = journal(of: report([line]), accounts: [.obligation: "2205"])
        let left = entries.reduce(0) {
            $0 + ($1.creditAccount == "2205" ? $1.minor : 0) - ($1.debitAccount == "2205" ? $1.minor : 0)
        }
        #expect(left == sign * 100 && entries.allSatisfy { $0.minor > 0 })
        let free = entries.filter { $0.debit == .givenFree }.map(\.subject)
        #expect(free == (sign > 0 ? [] : ["partial_refund", "paid_not_credited", "credited_twice"]))
        #expect(entries.contains { $0.subject == "waiting" && ($0.debit == .suspense || $0.credit == .suspense) })
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
