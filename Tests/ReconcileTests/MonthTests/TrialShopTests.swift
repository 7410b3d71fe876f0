import Foundation
import Testing

@testable import Domain
@testable import Reconcile

/// A shop of subscriptions, in three of Apple's months.
///
/// Two trials of `vip` begin each day. One of them goes on after a week at CNY 25.00. One payment is refunded by 40 %. Apple reports
/// all of it rightly, the last two days' sales with the next month. Three `bundle` that were sold on 5 January are never
/// reported, and one `gems` is sold each day, of which three do not arrive.
@Suite struct TrialShopTests {
    typealias Sale = MonthFolder.Sale
    private static let starts = ["2025-11-30", "2025-12-28", "2026-02-01", "2026-03-01"].map { BusinessDate($0)! }
    private static let names = ["2025-12", "2026-01", "2026-02"]
    let folder: MonthFolder

    init() throws {
        folder = try MonthFolder()
        let text = try folder.nights.folder.read("reconcile.json").replacing(
            "feeds: [",
            with: "finance: { calendar: \"fiscal\" }, feeds: [{kind: \"apple-finance\", path: \"apple/*.txt\"}, ")
        try folder.nights.folder.write(text, to: "reconcile.json")
        try FileManager.default.createDirectory(
            atPath: folder.nights.folder.path + "/apple", withIntermediateDirectories: false)
        var sales: [Sale] = []
        func sell(_ product: String, _ minor: Int, _ day: BusinessDate) {
            sales.append(Sale(id: 1000 + sales.count, minor: minor, product: product, at: "\(day) 12:00:00"))
        }
        var day = Self.starts[0]
        while day < Self.starts[3] {
            for _ in 0..<2 { sell("vip", 0, day) }
            if Self.starts[0].advanced(by: 7) <= day { sell("vip", 2500, day) }
            sell("gems", 300, day)
            if day.text == "2026-01-05" { for _ in 0..<3 { sell("bundle", 999, day) } }
            if day.text == "2026-01-10" {
                sales[sales.count - 2].more = folder.refund("2026-01-20 12:00:00", percentage: 40_000)
            }
            day = day.advanced(by: 1)
        }
        try folder.deliver(
            "2026-02-28", orders: sales.map(folder.order), credits: sales.map { folder.credit($0, at: $0.at) },
            transactions: sales.map { folder.record($0, signed: $0.more.isEmpty ? nil : "2026-01-20 12:00:00") })
        try folder.night("2026-02-28")
        for month in Self.names.indices { try writeReport(month) }
    }

    private func american(_ date: BusinessDate) -> String {
        let (year, month, day) = date.yearMonthDay
        return "\(padded(month, 2))/\(padded(day, 2))/\(year)"
    }

    /// The days whose sales Apple reports with a month: all but its last two, and the last two of the month before.
    private func days(_ month: Int) -> ClosedRange<BusinessDate> {
        Self.starts[month].advanced(by: month == 0 ? 0 : -2)...Self.starts[month + 1].advanced(by: -3)
    }

    private func writeReport(_ month: Int) throws {
        let dates = american(Self.starts[month]) + "\t" + american(Self.starts[month + 1].advanced(by: -1))
        let count = Int(days(month).upperBound.day - days(month).lowerBound.day) + 1
        var rows = [
            "vip\t\(count - (month == 0 ? 7 : 0))\t1.00\tCNY\tS\tCN\t25.00\tCNY",
            "gems\t\(count - (month == 1 ? 3 : 0))\t1.00\tCNY\tS\tCN\t3.00\tCNY",
        ]
        if month == 1 { rows.append("vip\t-1\t1.00\tCNY\tR\tCN\t-10.00\tCNY") }
        try folder.nights.folder.write(
            "Start Date\tEnd Date\tVendor Identifier\tQuantity\tExtended Partner Share\tPartner Share Currency\t"
                + "Sales or Return\tCountry Of Sale\tCustomer Price\tCustomer Currency\n"
                + rows.map { "\(dates)\t\($0)\n" }.joined()
                + "Total_Rows\t\(rows.count)\nTotal_Amount\t\(rows.count).00\n",
            to: "apple/\(Self.names[month])_ZZ.txt")
    }

    /// The same reports with the day of each sale. Three `gems` of 5 to 7 January are missing.
    private func writeDetails(_ month: Int) throws {
        var rows = month == 1 ? ["01/20/2026\t01/22/2026\tvip\t-1\t1.00\tCNY\tR\tCN\t-10.00\tCNY"] : []
        for day in days(month).lowerBound.day...days(month).upperBound.day {
            let date = BusinessDate(day: day)
            let both = american(date) + "\t" + american(date.advanced(by: 2))
            if date >= Self.starts[0].advanced(by: 7) { rows.append("\(both)\tvip\t1\t1.00\tCNY\tS\tCN\t25.00\tCNY") }
            if date.text < "2026-01-05" || date.text > "2026-01-07" {
                rows.append("\(both)\tgems\t1\t1.00\tCNY\tS\tCN\t3.00\tCNY")
            }
        }
        let last = Self.starts[month + 1].advanced(by: -1)
        try folder.nights.folder.write(
            "Start Date\t\(american(Self.starts[month]))\nEnd Date\t\(american(last))\nTransaction Date\tSettlement Date\tSKU\t"
                + "Quantity\tExtended Partner Share\tPartner Share Currency\tSale or Return\tCountry of Sale\tCustomer Price\t"
                + "Customer Currency\n" + rows.map { $0 + "\n" }.joined(), to: "apple/\(Self.names[month])_Z1.txt")
    }

    @Test func trialsAndRefundsOfAShareAreNoDifference() throws {
        for month in Self.names {
            let outcome = try folder.nights.run(["monthly", month])
            #expect(!outcome.output.contains("vip"), "\(outcome.output)")
        }
        let vip = try folder.read("2026-02").apple.filter { $0.product_id == "vip" }
        #expect(vip.first?.steps["free"]?.units == 56 && vip.first?.steps["closing_in_transit"]?.value == "50.00")
        let refund = try #require(try folder.read("2026-01").apple.first { $0.sales_or_return == "R" })
        #expect(refund.ledger_value == "-10.00" && refund.apple_value == "-10.00" && refund.ledger_units == -1)
        #expect(refund.value_unexplained == "0.00" && refund.steps["rounding"]?.value == "0.00")
    }

    @Test func aSaleAgesFromItsOwnDay() throws {
        #expect(try folder.nights.run(["monthly", "2026-01"]).code == .done)
        let january = try #require(try folder.read("2026-01").apple.first { $0.product_id == "bundle" })
        #expect(january.aging.map(\.sold_until) == ["2026-01-05"] && january.aging.map(\.units) == [3])
        // 54 days later.
        let february = try folder.nights.run(["monthly", "2026-02"])
        #expect(february.code == .look && february.output.contains("bundle, CN, sale: never collected 29.97"))
    }

    @Test func aSteadyHoleIsSeenByTheDaysOfADetailReport() throws {
        _ = try folder.nights.run(["monthly", "2026-02"])
        let sums = try #require(try folder.read("2026-02").apple.first { $0.product_id == "gems" })
        #expect(sums.steps["closing_in_transit"]?.units == 5 && sums.aging.count == 1)
        for month in Self.names.indices { try writeDetails(month) }
        _ = try folder.nights.run(["monthly", "2026-01"])
        let january = try #require(try folder.read("2026-01").apple.first { $0.product_id == "gems" })
        #expect(january.aging.map(\.sold_until) == ["2026-01-05", "2026-01-06", "2026-01-07", "2026-01-31"])
        let february = try folder.nights.run(["monthly", "2026-02"])
        #expect(february.output.contains("gems, CN, sale: never collected 9.00"))
        #expect(!february.output.contains("vip"))
    }
}
