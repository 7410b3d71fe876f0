import Foundation
internal import Reference
import Testing

@testable import Domain
@testable import Ledger
@testable import Reconcile

@Suite struct MonthlyTests {
    typealias Sale = MonthFolder.Sale

    /// One sale a day at noon, given at once.
    private func deliver(_ date: String, id: Int, to folder: MonthFolder) throws {
        let sale = Sale(id: id, minor: 600, at: date + " 12:00:00")
        try folder.deliver(
            date, orders: [folder.order(sale)], credits: [folder.credit(sale, at: sale.at)],
            transactions: [folder.record(sale)])
    }

    @Test(arguments: [
        // Time zones where clocks are set forward on the month's first or last day, and where they are not.
        ("Asia/Shanghai", "2026-01", "2026-01-31 23:59:59.999", "2026-02-01 00:00:00"),
        ("America/New_York", "2026-11", "2026-11-30 23:59:59.999", "2026-12-01 00:00:00"),
        ("Europe/Berlin", "2026-03", "2026-03-31 23:59:59.999", "2026-04-01 00:00:00"),
        ("America/Sao_Paulo", "2026-01", "2026-01-31 23:59:59.999", "2026-02-01 00:00:00"),
        // Summer time begins at midnight of the month's first day: its first instant is 01:00.
        ("Africa/Cairo", "2020-01", "2020-01-31 23:59:59.999", "2020-02-01 00:00:00"),
    ])
    func aMonthEndsWithItsLastMillisecondInItsZone(
        zone: String, month: String, last: String, next: String
    ) throws {
        let folder = try MonthFolder(zone: zone)
        let first = Sale(id: 1, minor: 100, at: month + "-01 00:00:00")
        let (final, after) = (Sale(id: 2, minor: 20, at: last), Sale(id: 3, minor: 3, at: next))
        let before = Sale(id: 4, minor: 4000, at: "2019-01-01 00:00:00")
        let date = String(next.prefix(10))
        let sales = [first, final, after, before]
        try folder.deliver(
            date, orders: sales.map(folder.order), credits: sales.map { folder.credit($0, at: $0.at) },
            transactions: sales.map { folder.record($0) })
        try folder.night(date)
        #expect(try folder.month(month).file.money["CNY"]?.purchases == "1.20")
        #expect(try folder.month(String(next.prefix(7))).file.money["CNY"]?.credited == "0.03")
    }

    /// A purchase of the month that was given a day late, one that was not given, and one of another month.
    @Test func theMonthHasItsLostOrderRate() throws {
        let folder = try MonthFolder()
        let times = ["2026-01-10 12:00:00", "2026-01-10 12:00:00", "2026-01-12 12:00:00", "2025-12-31 12:00:00"]
        let sales = times.enumerated().map { Sale(id: $0 + 1, minor: 600, at: $1) }
        try folder.deliver(
            "2026-01-31", orders: sales.map(folder.order),
            credits: [
                folder.credit(sales[0], at: "2026-01-10 12:05:00"), folder.credit(sales[1], at: "2026-01-11 12:00:01"),
                folder.credit(sales[3], at: "2025-12-31 12:05:00"),
            ], transactions: sales.map { folder.record($0) })
        try folder.night("2026-01-31")
        _ = try folder.month("2026-01")
        let json = try folder.text("2026-01", "month.json")
        #expect(json.contains("\"date\": \"2026-01-10\"") && !json.contains("\"date\": \"2025-12-31\""))
        #expect(json.contains("\"later\": 1") && json.contains("\"lost\": 1"))
    }

    /// 9,300 purchases at the greatest price that a file may have are more than 64 bits hold. `AbsurdAmountTests` is the
    /// short form.
    @Test(.enabled(if: Trials.areLong)) func absurdAmountsStopNeitherTheNightNorTheMonth() throws {
        let folder = try MonthFolder()
        func sales(_ ids: Range<Int>, on date: String) -> [Sale] {
            ids.map { Sale(id: $0, currency: "KWD", minor: 100_000_000_000_000, at: date + " 12:00:00") }
        }
        let first = sales(1..<9301, on: "2026-01-29")
        try folder.deliver("2026-01-29", transactions: first.map { folder.record($0) })
        try folder.night("2026-01-29")
        let second = sales(9301..<9321, on: "2026-01-30")
        try folder.deliver(
            "2026-01-30", credits: first.prefix(5).map { folder.credit($0, at: "2026-01-30 10:00:00") },
            transactions: second.map { folder.record($0) })
        try folder.night("2026-01-30")
        let (code, file) = try folder.month("2026-01")
        #expect(code == .done && file.money["KWD"]?.purchases.isEmpty == false)
        let line = try #require(file.exceptions.first { $0.verdict == "paid_not_credited" })
        #expect((line.new, line.changed_out, line.closing) == (9320, 5, 9315))
        #expect(try folder.nights.run(["check"]).code == .done)
    }

    @Test func aMonthWithABlindSpotIsIncompleteAndAPersonMustLook() throws {
        let folder = try MonthFolder(required: [.orders, .credits, .transactions])
        try deliver("2026-01-30", id: 1, to: folder)
        try folder.night("2026-01-30")
        #expect(try folder.month("2026-01").code == .done)
        try deliver("2026-02-01", id: 2, to: folder)
        try folder.night("2026-02-01")
        let (code, file) = try folder.month("2026-01")
        #expect(code == .look && !file.complete)
        #expect(try folder.month("2026-02").code == .done)
    }

    /// Figures of days without records must not pass for a month's, and a closed month cannot be reopened.
    @Test func aMonthFromBeforeTheRecordsIsIncompleteOrCannotBeClosed() throws {
        let folder = try MonthFolder(historyFrom: nil)
        for (id, date) in ["2026-01-19", "2026-01-31", "2026-02-28"].enumerated() {
            try deliver(date, id: id, to: folder)
            try folder.night(date)
        }
        let (code, file) = try folder.month("2026-01")
        #expect(code == .look && !file.complete && file.records_from == "2026-01-19")
        let shown = try folder.nights.run(["monthly", "2026-01"])
        #expect(shown.output.contains("INCOMPLETE: the records begin on 2026-01-19"), "\(shown)")
        #expect(try folder.month("2026-02").code == .done)
        // A slip of the year.
        let closed = try folder.nights.run(["monthly", "2025-01", "--close", "--by", "li"])
        #expect(closed.code == .noInput && closed.errors.contains("begin on 2026-01-19"), "\(closed)")
        #expect(try folder.nights.ledger().monthSeals().isEmpty)
        #expect(try folder.month("2025-12").code == .look)
        #expect(try folder.month("2026-01", "--close", "--by", "li").code == .look)
    }

    @Test func aMonthThatIsNotOverCannotBeClosed() throws {
        let folder = try MonthFolder()
        try deliver("2026-01-30", id: 1, to: folder)
        try folder.night("2026-01-30")
        #expect(try folder.month("2026-01", "--close", "--by", "li").code == .usage)
        #expect(try folder.month("2026-02").code == .usage)
        #expect(try folder.month("2026-01").file.status == "provisional")
        #expect(try folder.nights.ledger().monthSeals().isEmpty)
    }

    @Test func withoutANightThereIsNothingToTieOut() throws {
        #expect(try MonthFolder().month("2026-01").code == .noInput)
        let folder = try MonthFolder()
        try deliver("2026-01-30", id: 1, to: folder)
        try folder.night("2026-01-30")
        #expect(try folder.month("2026-01", "--as-of", "2026-01-01T00:00:00Z").code == .noInput)
    }

    @Test(arguments: ["2026-13", "2026-1", "january", "2026-01-01"]) func aMonthIsAMonth(name: String) throws {
        #expect(try MonthFolder().month(name).code == .usage)
    }

    @Test func theSameCommandGivesTheSameBytes() throws {
        let folder = try MonthFolder()
        try deliver("2026-01-31", id: 1, to: folder)
        try folder.night("2026-01-31")
        let names = ["month.xlsx", "month.csv", "month.json", "SHA256SUMS"]
        _ = try folder.month("2026-01")
        let first = try names.map { try folder.bytes("2026-01", $0) }
        _ = try folder.month("2026-01")
        #expect(try names.map { try folder.bytes("2026-01", $0) } == first)
        #expect(
            try Program.shell("sha256sum -c --quiet SHA256SUMS", in: folder.nights.folder.path + "/out/2026-01").code
                == 0)
    }

    @Test func aSealThatWasEditedIsNoticed() throws {
        let folder = try MonthFolder()
        try deliver("2026-01-31", id: 1, to: folder)
        try folder.night("2026-01-31")
        #expect(try folder.month("2026-01", "--close", "--by", "li").file.status == "closed")
        do {
            let ledger = try Ledger(path: folder.nights.folder.path + "/ledger.sqlite")
            try ledger.connection.execute("UPDATE month_seal SET report = replace(report, '600', '601')")
        }
        #expect(try folder.month("2026-01").code == .inputOutput)
        #expect(try folder.nights.run(["check"]).output.contains("the closed month 2026-01 was changed"))
    }

    @Test func whatIsClosedByOneCalendarIsNotReplacedByTheOther() throws {
        let folder = try MonthFolder()
        try deliver("2026-02-28", id: 1, to: folder)
        try folder.night("2026-02-28")
        #expect(try folder.month("2026-01", "--fiscal").code == .done)
        #expect(try folder.month("2026-01", "--close", "--by", "li").code == .done)
        #expect(try folder.month("2026-01", "--fiscal").code == .cannotCreate)
        #expect(try folder.month("2026-02", "--fiscal").code == .done)
    }

    @Test func aFiscalMonthHasApplesDays() throws {
        let folder = try MonthFolder()
        // Fiscal January 2026 is 2025-12-28 to 2026-01-31, fiscal February from 2026-02-01 on.
        for (index, date) in ["2025-12-27", "2025-12-28", "2026-01-31", "2026-02-01"].enumerated() {
            try deliver(date, id: index, to: folder)
            try folder.night(date)
        }
        #expect(try folder.month("2026-01", "--fiscal").file.money["CNY"]?.purchases == "12.00")
        #expect(try folder.month("2026-01").file.money["CNY"]?.purchases == "6.00")
    }

    @Test func aMonthLeavesNoHiddenFolderBehind() throws {
        let folder = try MonthFolder()
        try deliver("2026-01-31", id: 1, to: folder)
        try folder.night("2026-01-31")
        _ = try folder.month("2026-01")
        // An interrupted run left this behind.
        try FileManager.default.createDirectory(
            atPath: folder.nights.folder.path + "/out/.nights/2026-01-7", withIntermediateDirectories: false)
        _ = try folder.month("2026-01")
        let hidden = try FileManager.default.contentsOfDirectory(atPath: folder.nights.folder.path + "/out/.nights")
        #expect(hidden.count == 2)
        // The night keeps the month's reports.
        try deliver("2026-02-01", id: 2, to: folder)
        try folder.night("2026-02-01")
        #expect(try folder.read("2026-01").status == "provisional")
    }

    /// The largest entry, revenue, has its rows: each credit and each reversal with its file and line.
    @Test func theGoodsOfTheMonthAreRowsThatSumUpToThePage() throws {
        let folder = try MonthFolder()
        var refunded = MonthFolder.Sale(id: 2, minor: 3000, quantity: 3, at: "2026-01-11 12:00:00")
        refunded.more = folder.refund("2026-01-20 12:00:00", percentage: 33_333)
        let sales = [
            MonthFolder.Sale(id: 1, minor: 600, at: "2026-01-10 12:00:00"), refunded,
            MonthFolder.Sale(id: 3, minor: 900, at: "2026-01-12 12:00:00"),
            MonthFolder.Sale(id: 4, minor: 700, at: "2026-01-31 23:59:00"),
        ]
        let later = folder.credit(sales[3], at: "2026-02-01 00:00:30")
        try folder.deliver(
            "2026-01-31", orders: sales.map(folder.order),
            credits: sales.dropLast().map { folder.credit($0, at: $0.at) } + [
                folder.credit(refunded, at: "2026-01-21 12:00:00", "reversal", number: 2, quantity: 1), later,
            ],
            // The third was never paid.
            transactions: [sales[0], sales[1], sales[3]].map { folder.record($0) })
        try folder.night("2026-01-31")
        let month = try folder.month("2026-01").file
        let money = try #require(month.money["CNY"])
        let sums = month.population.map { "\($0.kind) \($0.amount)" }
        #expect(sums.contains("credited \(money.credited)") && money.credited == "45.00", "\(sums)")
        #expect(sums.contains("reversed \(money.reversed)") && money.reversed == "10.00", "\(sums)")
        let rows = try Program.shell(
            "gzip -dc out/2026-01/month-purchases.csv.gz | grep -E '^(credited|reversed),'",
            in: folder.nights.folder.path
        ).output.split(separator: "\n")
        #expect(rows.count == 4 && rows.allSatisfy { $0.contains("/credits-2026-01-31.csv,") }, "\(rows)")
        #expect(rows.contains { $0.hasPrefix("reversed,2026-01-21T04:00:00Z,2000000000000102,") && $0.hasSuffix(",5") })
        #expect(rows.contains { $0.hasPrefix("credited,2026-01-12T04:00:00Z,,,coins,") && $0.contains(",A3,ORD3,") })
        #expect(
            try folder.text("2026-01", "month-journal.csv").contains("month-purchases.csv.gz kind=credited"))
    }
}
