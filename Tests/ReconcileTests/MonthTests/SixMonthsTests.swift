import Foundation
import Testing

@testable import Domain
@testable import Reconcile

/// Six of Apple's months with Apple's reports, in which money is short in five ways.
///
/// Two `coins` are sold each day in China for CNY 6.00, and one `gems` in Japan for JPY 600. Apple reports what was sold
/// in the last seven days of its month with the next month, which is right. Wrong is:
///
/// - In November Apple reports 5 `coins` too few, and never makes up for it.
/// - In December Apple has `gems` at JPY 500.
/// - Three `gems` that were sold in Hong Kong in October are never reported.
/// - The file for January is cut off; the one named for February is of 2014.
@Suite struct SixMonthsTests {
    typealias Sale = MonthFolder.Sale
    let folder: MonthFolder
    private static let names = ["2025-10", "2025-11", "2025-12", "2026-01", "2026-02", "2026-03"]
    private static let starts = [
        "2025-09-28", "2025-11-02", "2025-11-30", "2025-12-28", "2026-02-01", "2026-03-01", "2026-03-29",
    ].map { BusinessDate($0)! }

    init() throws {
        folder = try MonthFolder()
        let text = try folder.nights.folder.read("reconcile.json").replacing(
            "feeds: [",
            with: "finance: { calendar: \"fiscal\", otherProducts: [\"other_app\"] }, "
                + "feeds: [{kind: \"apple-finance\", path: \"apple/*.txt\"}, ")
        try folder.nights.folder.write(text, to: "reconcile.json")
        try FileManager.default.createDirectory(
            atPath: folder.nights.folder.path + "/apple", withIntermediateDirectories: false)
        var sales: [Sale] = []
        var day = Self.starts[0]
        while day < Self.starts[6] {
            for hour in ["10", "11"] { sales.append(sale(sales.count, at: "\(day) \(hour):00:00")) }
            var gems = sale(sales.count, at: "\(day) 12:00:00")
            (gems.product, gems.currency, gems.storefront) = ("gems", "JPY", "JPN")
            sales.append(gems)
            day = day.advanced(by: 1)
        }
        for _ in 0..<3 {
            var lost = sale(sales.count, at: "2025-10-05 12:00:00")
            (lost.product, lost.currency, lost.storefront) = ("gems", "HKD", "HKG")
            sales.append(lost)
        }
        try folder.deliver(
            "2026-03-31", orders: sales.map(folder.order), credits: sales.map { folder.credit($0, at: $0.at) },
            transactions: sales.map { folder.record($0) })
        try folder.night("2026-03-31")
        for month in Self.names.indices { try writeReport(month) }
    }

    private func sale(_ id: Int, at: String) -> Sale { Sale(id: id + 1000, minor: 600, at: at) }

    /// What Apple reports: everything but the month's last week, and the last week of the month before.
    private func report(_ month: Int) -> String {
        let days = Int(Self.starts[month + 1].day - Self.starts[month].day) - 7 + (month > 0 ? 7 : 0)
        let (first, last) = (Self.starts[month], Self.starts[month + 1].advanced(by: -1))
        let dates = [first, last].map { date in
            let (year, month, day) = date.yearMonthDay
            return "\(padded(month, 2))/\(padded(day, 2))/\(year)"
        }.joined(separator: "\t")
        var rows = [
            "coins\t\(2 * days - (month == 1 ? 5 : 0))\t8.40\tCNY\tS\tCN\t6.00\tCNY",
            "gems\t\(days)\t350\tJPY\tS\tJP\t\(month == 2 ? 500 : 600)\tJPY",
        ]
        // Something is reported in Hong Kong's currency, so the region's report is there.
        rows.append("other_app\t1\t0.70\tHKD\tS\tHK\t1.00\tHKD")
        return "Start Date\tEnd Date\tVendor Identifier\tQuantity\tExtended Partner Share\tPartner Share Currency\t"
            + "Sales or Return\tCountry Of Sale\tCustomer Price\tCustomer Currency\n"
            + rows.map { "\(dates)\t\($0)\n" }.joined() + "Total_Rows\t3\nTotal_Amount\t359.10\n"
    }

    private func writeReport(_ month: Int) throws {
        try folder.nights.folder.write(report(month), to: "apple/85012345_\(Self.names[month])_ZZ.txt")
    }

    private func line(_ month: String, _ product: String, _ country: String) throws -> MonthFile.Bridge {
        _ = try folder.nights.run(["monthly", month])
        return try #require(
            try folder.read(month).apple.first { $0.product_id == product && $0.country == country })
    }

    @Test func theShortPaymentIsFoundOnceItCannotBeTimingAnyMore() throws {
        let november = try line("2025-11", "coins", "CN")
        #expect(november.steps["closing_in_transit"]?.units == 14 + 5 && november.unexplained == 0)
        #expect(november.aging.map(\.units).reduce(0, +) == 19)
        // The youngest that they can be.
        let late = november.aging.dropLast()
        #expect(
            late.map(\.sold_until) == ["2025-11-20", "2025-11-21", "2025-11-22"] && late.map(\.units) == [1, 2, 2])
        let january = try line("2026-01", "coins", "CN")
        #expect(january.steps["never_collected"]?.value == "30.00")
        #expect(january.steps["closing_in_transit"]?.units == 14)
        // It is named once, and stays on the list.
        let february = try line("2026-02", "coins", "CN")
        #expect(february.steps["never_collected"]?.units == 0)
        #expect(february.aging.filter(\.never_collected).map(\.value) == ["6.00", "12.00", "12.00"])
        let outcome = try folder.nights.run(["monthly", "2026-01"])
        #expect(outcome.code == .look)
        #expect(outcome.output.contains("coins, CN, sale: never collected 30.00"))
    }

    @Test func thePriceErrorIsAPriceErrorInItsMonthOnly() throws {
        let december = try line("2025-12", "gems", "JP")
        #expect(december.steps["price_difference"]?.value == "2800" && december.unexplained == 0)
        #expect(december.steps["never_collected"]?.units == 0 && december.difference == 0)
        #expect(try line("2026-01", "gems", "JP").steps["price_difference"]?.value == "0")
        let outcome = try folder.nights.run(["monthly", "2025-12"])
        #expect(outcome.code == .look && outcome.output.contains("gems, JP, sale: price differences 2800"))
    }

    @Test func aMonthWithoutAFaultEndsWellAndItsTimingIsExact() throws {
        let outcome = try folder.nights.run(["monthly", "2026-03"])
        #expect(outcome.code == .done, "\(outcome)")
        let coins = try line("2026-03", "coins", "CN")
        #expect(coins.steps["opening_in_transit"]?.units == -14 && coins.steps["closing_in_transit"]?.units == 14)
        #expect(coins.difference == 0 && coins.unexplained == 0)
    }

    @Test func aCutFileIsRefusedAndNamed() throws {
        let lines = report(3).split(separator: "\n")
        try folder.nights.folder.write(
            lines.prefix(3).joined(separator: "\n") + "\n", to: "apple/85012345_2026-01_ZZ.txt")
        let outcome = try folder.nights.run(["monthly", "2026-01"])
        #expect(outcome.code == .inputRefused && outcome.errors.contains("2026-01_ZZ.txt"))
        #expect(outcome.errors.contains("Total_Rows and Total_Amount"))
    }

    @Test func aWrongReportIsRefused() throws {
        let old = report(4).replacing("02/01/2026\t02/28/2026", with: "08/31/2014\t09/27/2014")
        try folder.nights.folder.write(old, to: "old.txt")
        let outcome = try folder.nights.run(["monthly", "2026-02", "--apple-report", "old.txt"])
        #expect(outcome.code == .inputRefused && outcome.errors.contains("2014-08-31 to 2014-09-27"))
        #expect(outcome.errors.contains("--period 2014-08-31..2014-09-27"))
        // Last month's is wrong, too, also beside the right one if days lie between them.
        let path = { (month: Int) in "apple/85012345_\(Self.names[month])_ZZ.txt" }
        #expect(try folder.nights.run(["monthly", "2026-02", "--apple-report", path(3)]).code == .inputRefused)
        let apart = try folder.nights.run(["monthly", "2026-02", "--apple-report", path(4), "--apple-report", path(2)])
        #expect(apart.code == .inputRefused && apart.errors.contains("nor leads up to it without a gap"))
        let half = report(4).replacing("02/28/2026", with: "02/14/2026")
        try folder.nights.folder.write(half, to: "half.txt")
        #expect(try folder.nights.run(["monthly", "2026-02", "--apple-report", "half.txt"]).code == .inputRefused)
        // A person may state the period; that is on record.
        let stated = try folder.nights.run([
            "monthly", "2026-02", "--apple-report", "half.txt", "--period", "2026-02-01..2026-02-14",
        ])
        #expect([.done, .look].contains(stated.code))
        #expect(try folder.read("2026-02").apple_period_stated == true)
        #expect(try folder.strings("2026-02").contains("because --period states it"))
        #expect(try folder.nights.run(["monthly", "2026-02", "--period", "2026-02-01..2026-02-14"]).code == .usage)
    }

    @Test func earlierReportsAreNamedOnTheCommandLineToo() throws {
        let words = Self.names.prefix(4).flatMap { ["--apple-report", "apple/85012345_\($0)_ZZ.txt"] }
        #expect(try folder.nights.run(["monthly", "2026-01"] + words).code == .look)
        let named = try folder.read("2026-01").apple.map(\.steps)
        #expect(try folder.nights.run(["monthly", "2026-01"]).code == .look)
        #expect(try folder.read("2026-01").apple.map(\.steps) == named)
    }

    @Test func withoutTheReportsBeforeItTheBalanceIsNotKnown() throws {
        let own = ["--apple-report", "apple/85012345_2026-03_ZZ.txt"]
        let alone = try folder.nights.run(["monthly", "2026-03"] + own)
        #expect(alone.code == .look && alone.output.contains("period before 2026-03-01 is missing"))
        #expect(try folder.read("2026-03").apple_missing_before == "2026-03-01")
        // 28 days before are not enough for 40, 63 are.
        let february = own + ["--apple-report", "apple/85012345_2026-02_ZZ.txt"]
        #expect(try folder.nights.run(["monthly", "2026-03"] + february).code == .look)
        let january = february + ["--apple-report", "apple/85012345_2026-01_ZZ.txt"]
        #expect(try folder.nights.run(["monthly", "2026-03"] + january).code == .done)
        #expect(try folder.read("2026-03").apple_missing_before == nil)
    }

    /// The report has the currency, but of another country: the region's own report may be missing.
    @Test func aCountryWithoutAnyRowIsNamed() throws {
        let path = "apple/85012345_\(Self.names[0])_ZZ.txt"
        let words = ["monthly", Self.names[0], "--apple-report", path]
        #expect(try !folder.nights.run(words).output.contains("has no row of"))
        try folder.nights.folder.write(report(0).replacing("HKD\tS\tHK", with: "HKD\tS\tUS"), to: path)
        let outcome = try folder.nights.run(words)
        #expect(outcome.output.contains("Apple's report has no row of HK, though sales there are late"), "\(outcome)")
    }

    @Test func thePaymentIsTiedToTheReport() throws {
        let payment = """
            "iTunes Connect - Payments and Financial Reports\t(March, 2026)",,,,
            ,,,,
            Region (Currency),Earned,Withholding Tax,Total Owed,Exchange Rate,Proceeds,Bank Account Currency,
            China (CNY),8.40,0,8.40,1.00000,8.40,CNY,
            Japan (JPY),350,-37,313,0.05000,15.65,CNY,
            Hong Kong (HKD),0.70,0,0.70,0.90000,0.63,CNY,
            ,,,,
            ,,,,,24.68 CNY,
            """
        let reports = (1...3).map { "apple/85012345_2026-0\($0)_ZZ.txt" } + ["pay.csv"]
        let words = ["monthly", "2026-03"] + reports.flatMap { ["--apple-report", $0] }
        try folder.nights.folder.write(payment, to: "pay.csv")
        #expect(try folder.nights.run(words).code == .done)
        #expect(try folder.read("2026-03").payout?.tied == true)
        #expect(try folder.strings("2026-03").contains(#/ROUND\(\$H\$\d+\*0.05000,2\)<\/f><v>15.65</#))
        try folder.nights.folder.write(payment.replacing("24.68", with: "20.68"), to: "pay.csv")
        let short = try folder.nights.run(words)
        #expect(short.code == .look && short.output.contains("payment does not tie to the report"))
        #expect(try folder.read("2026-03").payout?.paid_difference == "-4.00")
        // Japan is owed 100 yen less than its parts come to: told in money, and by a formula on the sheet.
        let owed = payment.replacing("313,0.05000,15.65", with: "213,0.05000,10.65").replacing("24.68", with: "19.68")
        try folder.nights.folder.write(owed, to: "pay.csv")
        let less = try folder.nights.run(words)
        #expect(
            less.code == .look && less.output.contains("JPY, Japan (JPY), Total owed: difference -100\n"), "\(less)")
        let formula = #/\$H\$\d+-\$D\$\d+-\$E\$\d+-\$F\$\d+-\$G\$\d+<\/f><v>-100</#
        #expect(try folder.strings("2026-03").contains(formula))
        try folder.nights.folder.write(payment.replacing("March", with: "April"), to: "pay.csv")
        #expect(try folder.nights.run(words).code == .inputRefused)
        #expect(try folder.nights.run(["monthly", "2026-03", "--apple-report", "pay.csv"]).code == .inputRefused)
    }
}
