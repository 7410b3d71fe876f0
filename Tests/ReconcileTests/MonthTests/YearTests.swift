import Foundation
import Testing

@testable import Domain
@testable import Reconcile

/// What a month says beyond itself: the year so far, refunds by month of purchase, and suggested entries.
///
/// | sale | bought | price | what happens |
/// |---|---|---|---|
/// | 1 | 10 Nov | CNY 30.00 | given; refunded 5 Jan and taken back |
/// | 2 | 10 Dec | CNY 20.00 | given; refunded 20 Dec and kept |
/// | 3 | 10 Jan | CNY 6.00 | given; refunded 12 Jan and taken back |
/// | 4 | 31 Jan | CNY 8.00 | given on 1 Feb: cut-off |
/// | 5 | 11 Jan | CNY 9.00 | never given |
/// | 6 | 15 Nov | CNY 50.00 | given; delivered only with January's files |
@Suite struct YearTests {
    typealias Sale = MonthFolder.Sale
    let folder: MonthFolder

    init() throws {
        folder = try MonthFolder()
        func sale(_ id: Int, _ minor: Int, _ day: String, refunded: String? = nil) -> Sale {
            var sale = Sale(id: id, minor: minor, at: day + " 12:00:00")
            sale.more = refunded.map { folder.refund($0 + " 12:00:00") } ?? ""
            return sale
        }
        let first = sale(1, 3000, "2025-11-10")
        try folder.deliver(
            "2025-11-30", orders: [folder.order(first)], credits: [folder.credit(first, at: first.at)],
            transactions: [folder.record(first)])
        try folder.night("2025-11-30")
        let second = sale(2, 2000, "2025-12-10", refunded: "2025-12-20")
        try folder.deliver(
            "2025-12-31", orders: [folder.order(second)], credits: [folder.credit(second, at: second.at)],
            transactions: [folder.record(second, signed: "2025-12-20 12:00:00")])
        try folder.night("2025-12-31")
        let (third, fourth, fifth) = (
            sale(3, 600, "2026-01-10", refunded: "2026-01-12"), sale(4, 800, "2026-01-31"),
            sale(5, 900, "2026-01-11")
        )
        let (late, refunded) = (sale(6, 5000, "2025-11-15"), sale(1, 3000, "2025-11-10", refunded: "2026-01-05"))
        let given =
            [third, late].map { folder.credit($0, at: $0.at) } + [
                folder.credit(fourth, at: "2026-02-01 12:00:00"),
                folder.credit(third, at: "2026-01-12 13:00:00", "reversal", number: 2),
                folder.credit(first, at: "2026-01-05 13:00:00", "reversal", number: 2),
            ]
        try folder.deliver(
            "2026-02-01", orders: [third, fourth, fifth, late].map(folder.order), credits: given,
            transactions: [
                folder.record(third, signed: "2026-01-12 12:00:00"), folder.record(fourth), folder.record(fifth),
                folder.record(late), folder.record(refunded, signed: "2026-01-05 12:00:00"),
            ])
    }

    private func close(_ months: String...) throws {
        for month in months { #expect(try folder.month(month, "--close", "--by", "li").code == .done) }
    }

    private func january() throws {
        try close("2025-11", "2025-12")
        try folder.night("2026-02-01")
    }

    @Test func theYearHasItsClosedMonthsAndWhatChangedSince() throws {
        try close("2025-11")
        try folder.night("2026-02-01")
        // December is of the same year as November, and restates it.
        let december = try folder.month("2025-12").file
        #expect(december.year.map(\.period) == ["2025-11", "2025-12"])
        #expect(december.year.map(\.quarter) == [4, 4] && december.year.map(\.closed) == [true, false])
        #expect(december.year[0].reported["purchases"] == "30.00" && december.year[0].change["purchases"] == "50.00")
        #expect(december.year[1].reported["refunds"] == "20.00")
        let texts = try folder.strings("2025-12")
        #expect(texts.contains("changed since") && texts.contains("not closed yet"))
        try close("2025-12")
        #expect(try folder.read("2025-12").year.map(\.closed) == [true, true])
        // January begins a year. The year before has changed, so it is shown again.
        let january = try folder.month("2026-01").file
        #expect(january.year.map(\.period) == ["2026-01"])
        #expect(january.prior_year.map(\.period) == ["2025-11", "2025-12"])
        #expect(january.prior_year[0].change["purchases"] == "50.00" && december.prior_year.isEmpty)
        #expect(try folder.strings("2026-01").contains("The year before, as changed since"))
    }

    @Test func aClosedMonthSaysWhatLaterMonthsChangedInIt() throws {
        try january()
        // November was closed before sale 6 was known; December was closed then, too.
        #expect(try !folder.nights.run(["monthly", "2025-11"]).output.contains("changed since"))
        try close("2026-01")
        let shown = try folder.nights.run(["monthly", "2025-11"]).output
        #expect(shown.contains("changed since it was closed, CNY: Net 50.00"), "\(shown)")
        #expect(try !folder.nights.run(["monthly", "2025-12"]).output.contains("changed since"))
        // On the first page of January stands what is a change.
        #expect(try folder.strings("2026-01").contains("Change in net"))
    }

    @Test func applesYearBeginsWithOctober() throws {
        let text = try folder.nights.folder.read("reconcile.json")
        try folder.nights.folder.write(
            text.replacing("feeds: [", with: "finance: { calendar: \"fiscal\" }, feeds: ["), to: "reconcile.json")
        try close("2025-11", "2025-12")
        try folder.night("2026-02-01")
        let january = try folder.month("2026-01").file
        #expect(january.year.map(\.period) == ["2025-11", "2025-12", "2026-01"])
        #expect(january.year.map(\.quarter) == [1, 1, 2])
    }

    @Test func refundsAreByMonthOfPurchase() throws {
        try january()
        let cohorts = try folder.month("2026-01").file.cohorts
        #expect(
            cohorts.map { "\($0.purchase_month) \($0.refund_month) \($0.count) \($0.amount) \($0.purchases ?? "-")" }
                == [
                    "2025-12 2025-12 1 20.00 20.00",
                    // November's purchases with the one that came late.
                    "2025-11 2026-01 1 30.00 80.00", "2026-01 2026-01 1 6.00 23.00",
                ])
        #expect(try folder.strings("2026-01").contains("<v>0.375</v>"))
    }

    /// December's refund of sale 2, which Apple takes back on 15 January: known before January is closed, and after.
    @Test(arguments: [false, true]) func aRefundThatAppleTookBackNoLongerCountsInItsOwnMonth(isLate: Bool) throws {
        try january()
        if isLate { try close("2026-01") }
        let second = Sale(id: 2, minor: 2000, at: "2025-12-10 12:00:00")
        try folder.deliver("2026-02-28", transactions: [folder.record(second, signed: "2026-01-15 12:00:00")])
        try folder.night("2026-02-28")
        let cohorts = try folder.month(isLate ? "2026-02" : "2026-01").file.cohorts
        let texts = cohorts.map { "\($0.purchase_month) \($0.refund_month) \($0.known_in) \($0.count) \($0.amount)" }
        let known = isLate ? "2026-02" : "2026-01"
        #expect(
            texts.sorted()
                == [
                    "2025-11 2026-01 2026-01 1 30.00", "2025-12 2025-12 \(known) -1 -20.00",
                    "2025-12 2025-12 2025-12 1 20.00", "2026-01 2026-01 2026-01 1 6.00",
                ].sorted())
    }

    /// January was closed with purchases of 30.00 and one refund. A purchase of 8.00 comes after that.
    @Test func refundsAreAShareOfThePurchasesAsKnownNow() throws {
        let folder = try MonthFolder()
        let refund = folder.refund("2026-01-20 12:00:00")
        let sale = Sale(id: 1, minor: 3000, at: "2026-01-10 12:00:00", more: refund)
        try folder.deliver(
            "2026-01-31", orders: [folder.order(sale)], credits: [folder.credit(sale, at: sale.at)],
            transactions: [folder.record(sale, signed: "2026-01-20 12:00:00")])
        try folder.night("2026-01-31")
        _ = try folder.month("2026-01", "--close", "--by", "Li")
        let late = Sale(id: 2, minor: 800, at: "2026-01-11 12:00:00")
        try folder.deliver(
            "2026-02-28", orders: [folder.order(late)], credits: [folder.credit(late, at: late.at)],
            transactions: [folder.record(late)])
        try folder.night("2026-02-28")
        let cohorts = try folder.month("2026-02").file.cohorts
        #expect(cohorts.map { "\($0.known_in) \($0.amount) \($0.purchases ?? "")" } == ["2026-01 30.00 38.00"])
    }

    /// January's refund comes with February's files, after January was closed. February and March have it in January's
    /// cohort, and the row that says so is named.
    @Test func aRefundThatIsKnownLateIsInItsCohort() throws {
        let folder = try MonthFolder()
        var sale = Sale(id: 1, minor: 3000, at: "2026-01-10 12:00:00")
        try folder.deliver(
            "2026-01-31", orders: [folder.order(sale)], credits: [folder.credit(sale, at: sale.at)],
            transactions: [folder.record(sale)])
        try folder.night("2026-01-31")
        _ = try folder.month("2026-01", "--close", "--by", "Li")
        sale.more = folder.refund("2026-01-20 12:00:00")
        try folder.deliver("2026-02-20", transactions: ["", folder.record(sale, signed: "2026-02-19 12:00:00")])
        try folder.night("2026-02-20")
        try folder.deliver("2026-03-31")
        try folder.night("2026-03-31")
        let february = try folder.month("2026-02", "--close", "--by", "Li").file
        let march = try folder.month("2026-03").file
        for file in [february, march] {
            #expect(
                file.cohorts.map { "\($0.purchase_month) \($0.refund_month) \($0.known_in) \($0.count) \($0.amount)" }
                    == ["2026-01 2026-01 2026-02 1 30.00"])
        }
        let row = try #require(february.restated_subjects.first)
        #expect(row.file?.hasSuffix("transactions-2026-02-20.jsonl") == true)
        #expect(row.line == 2 && row.night == "2026-02-20")
        #expect(try folder.strings("2026-02").contains("transactions-2026-02-20.jsonl"))
    }

    /// One refund is raised from 30 % to 60 % and taken back, another is lowered from 60 % to 30 %: the one stands no
    /// longer, the other once.
    @Test func aCohortCountsTheRefundsThatStand() throws {
        let folder = try MonthFolder()
        let sales = [(1, "2026-01-10"), (2, "2025-12-10")].map { Sale(id: $0, minor: 3000, at: $1 + " 12:00:00") }
        try folder.deliver(
            "2026-01-31", orders: sales.map(folder.order), credits: sales.map { folder.credit($0, at: $0.at) },
            transactions: sales.map { folder.record($0) })
        try folder.night("2026-01-31")
        for (index, shares) in [[30_000, 60_000], [60_000, 30_000], [nil, 30_000]].enumerated() {
            let day = "2026-02-0\(index + 1)"
            let records = zip(sales, shares).map { sale, share in
                var sale = sale
                sale.more = share.map { folder.refund(day + " 10:00:00", percentage: $0) } ?? ""
                return folder.record(sale, signed: day + " 11:00:00")
            }
            try folder.deliver(day, transactions: records)
            try folder.night(day)
        }
        try folder.deliver("2026-02-28")
        try folder.night("2026-02-28")
        #expect(
            try folder.month("2026-02").file.cohorts.map {
                "\($0.purchase_month) \($0.refund_month) \($0.count) \($0.amount)"
            }
                == ["2025-12 2026-02 1 9.00"])
    }

    @Test func aChangedAccountIsNamedAndItsBalanceIsCarriedOver() throws {
        let text = try folder.nights.folder.read("reconcile.json")
        func set(_ accounts: String) throws {
            let finance = "finance: { accounts: { \(accounts) } }, feeds: ["
            try folder.nights.folder.write(text.replacing("feeds: [", with: finance), to: "reconcile.json")
        }
        try set("receivable: \"1122\"")
        try january()
        try close("2026-01")
        try set("receivable: \"1123\", revenue: \"1123\"")
        let told = try folder.nights.run(["check"]).output
        #expect(told.contains("LOOK   finance.accounts: receivable and revenue share the account '1123'"), "\(told)")
        #expect(told.contains("LOOK   finance.accounts.receivable: it was 1122 when 2026-01 was closed, and is 1123."))
        try folder.deliver("2026-02-28")
        try folder.night("2026-02-28")
        #expect(try folder.text("2026-02-28", "summary.json").contains("\"setting\": \"finance.accounts.receivable\""))
        let shown = try folder.nights.run(["monthly", "2026-02"]).output
        #expect(
            shown.contains("Settings changed since a month was closed last: finance.accounts.receivable: 1122 → 1123"))
        let february = try folder.read("2026-02")
        #expect(
            february.journal.map { "\($0.subject): \($0.debit_account) to \($0.credit_account) \($0.amount)" }.prefix(2)
                == [
                    "account_changed: 1123 to 1122 67.00", "account_changed: revenue to 1123 70.00",
                ])
        let moved = february.accounts.filter { $0.role == "receivable" || $0.role == "revenue" }
        #expect(
            moved.map { "\($0.account) \($0.opening) \($0.closing)" } == [
                "1122 67.00 0.00", "1123 0.00 67.00", "revenue -70.00 0.00", "1123 0.00 -78.00",
            ])
        // The vouchers of closed months keep the accounts that they were signed with.
        let books = try folder.text("2026-02", "month-journal.ledger")
        #expect(
            books.contains("  Assets:Receivable:1122  30.00 CNY\n")
                && books.contains("Assets:Receivable:1123  67.00 CNY\n"))
        #expect(books.contains("  Assets:Receivable:1122  0.00 CNY = 0.00 CNY\n"))
        _ = try folder.month("2026-02", "--close", "--by", "li")
        #expect(try !folder.nights.run(["check"]).output.contains("finance.accounts.receivable"))
    }

    @Test func entriesLeadFromTheLastClosingToNow() throws {
        try january()
        let text = try folder.nights.folder.read("reconcile.json")
        let accounts = "finance: { accounts: { receivable: \"1122\", owed: \"2241 Customers\" } }, feeds: ["
        try folder.nights.folder.write(text.replacing("feeds: [", with: accounts), to: "reconcile.json")
        let file = try folder.month("2026-01").file
        // November is restated by sale 6, and December's goods of sale 2 stay given free.
        #expect(
            file.journal.map {
                "\($0.concerns) \($0.subject): \($0.debit_account) to \($0.credit_account) \($0.amount)"
            } == [
                "2026-01 account_changed: 1122 to receivable 30.00",
                "2026-01 paid_not_credited: obligation to 2241 Customers 9.00",
                "2025-11 purchases: 1122 to obligation 50.00", "2025-11 credited: obligation to revenue 50.00",
                "2026-01 purchases: 1122 to obligation 23.00", "2026-01 refunds: obligation to 1122 36.00",
                "2026-01 credited: obligation to revenue 6.00", "2026-01 reversed: revenue to obligation 36.00",
            ])
        // What is left with the obligation is the cut-off: 8.00 of sale 4.
        #expect(
            file.accounts.map { "\($0.role) \($0.opening) \($0.closing)" } == [
                "receivable 30.00 0.00", "receivable 0.00 67.00", "obligation 0.00 -8.00", "revenue -50.00 -70.00",
                "givenFree 20.00 20.00",
                "owed 0.00 -9.00",
            ])
        let csv = try folder.text("2026-01", "month-journal.csv").split(separator: "\n")
        #expect(csv[0] == "voucher,posting_date,period,account,debit,credit,currency,text,class,concerns,rows")
        #expect(
            csv[5]
                == "2026-01-003,2026-01-31,2026-01,1122,50.00,,CNY,Adjustment of 2025-11: Purchases,purchases,2025-11,month.xlsx Restated"
        )
        #expect(csv[6].hasPrefix("2026-01-003,2026-01-31,2026-01,obligation,,50.00,CNY,"))
        #expect(try folder.strings("2026-01").contains("2241 Customers · Owed to customers"))
        let december = try folder.read("2025-12").journal
        #expect(december.first?.subject == "refunded_not_reversed")
        #expect(december.first?.debit == "givenFree" && december.first?.credit == "obligation")
    }
}
