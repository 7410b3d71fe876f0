import Domain
import Testing

@testable import Engine

/// A report with Apple's columns.
func appleReport(_ rows: [String], totals: [String] = [], lineEnd: String = "\n") -> String {
    let header =
        "Start Date\tEnd Date\tUPC\tISRC/ISBN\tVendor Identifier\tQuantity\tPartner Share\tExtended Partner Share\t"
        + "Partner Share Currency\tSales or Return\tApple Identifier\tArtist/Show/Developer/Author\tTitle\t"
        + "Label/Studio/Network/Developer/Publisher\tGrid\tProduct Type Identifier\tISAN/Other Identifier\t"
        + "Country Of Sale\tPre-order Flag\tPromo Code\tCustomer Price\tCustomer Currency"
    return ([header] + rows + totals).map { $0 + lineEnd }.joined()
}

/// One row: proceeds are 7 tenths of the price.
func appleRow(
    _ product: String, _ units: Int, price: String, share: String, total: String, _ currency: String, _ country: String,
    days: String = "01/04/2026\t01/31/2026"
) -> String {
    let kind = units < 0 ? "R" : "S"
    return
        "\(days)\t\t\t\(product)\t\(units)\t\(share)\t\(total)\t\(currency)\t\(kind)\t1\tDev\t\(product)\t\t\tIA1\t\t"
        + "\(country)\t\t\t\(price)\t\(currency)"
}

/// The totals of rows that `appleRow` made.
func appleTotals(_ rows: [String]) -> [String] {
    let total = rows.reduce(0.0) { $0 + Double($1.split(separator: "\t", omittingEmptySubsequences: false)[7])! }
    return ["Total_Rows\t\(rows.count)", "Total_Amount\t\((total * 1000).rounded() / 1000)"]
}

@Suite struct AppleReportTests {
    /// The shape of Apple's own sample: a return, a promotional code, and units that count sales alone.
    private let european = [
        appleRow("pass", -1, price: "-19.99", share: "12.17", total: "-12.17", "EUR", "DE"),
        appleRow("pass", 2, price: "0.00", share: "0.00", total: "0.00", "EUR", "DE"),
        appleRow("pass", 14, price: "19.99", share: "12.17", total: "170.38", "EUR", "DE"),
    ]

    @Test func aReturnIsNegativeAndAPromotionalCodeCostsNothing() throws {
        let report = try AppleReport(
            appleReport(european, totals: ["Total_Rows\t3", "Total_Amount\t158.21", "Total_Units\t16"]))
        #expect(report.rows.map(\.units) == [-1, 2, 14])
        #expect(report.rows.map(\.minor) == [-1999, 0, 27986])
        #expect(report.rows.map(\.kind) == [.returns, .sales, .sales])
        #expect(report.first.text == "2026-01-04" && report.last.text == "2026-01-31")
        #expect(report.file.remarks.isEmpty)
    }

    /// Found by fuzzing: it ended the program.
    @Test(arguments: ["01/04/20262017", "01/04/99999999999999999999", "02/30/2026", "1/4/1999", "01/04/-2026"])
    func aYearBeyondAllYearsIsNoDate(_ date: String) {
        let row = appleRow(
            "p", 1, price: "1.00", share: "0.70", total: "0.70", "EUR", "DE", days: date + "\t01/31/2026")
        #expect(throws: AppleReportProblem(line: 2, reason: "Start Date must be a date as MM/DD/YYYY")) {
            try AppleReport(appleReport([row]))
        }
    }

    @Test func yenHaveNoDecimalsWhateverApplesFileShows() throws {
        let row = appleRow("coins", 2, price: "170.00", share: "119.00", total: "238.00", "JPY", "JP")
        let report = try AppleReport(
            appleReport([row], totals: ["Total_Rows\t1", "Total_Amount\t238", "Total_Units\t2"]))
        #expect(report.rows[0].minor == 340)
    }

    @Test func linesMayEndAsWindowsEndsThem() throws {
        let report = try AppleReport(
            appleReport(european, totals: ["Total_Rows\t3", "Total_Amount\t158.21"], lineEnd: "\r\n"))
        #expect(report.rows.count == 3 && report.rows[2].currency == "EUR")
    }

    @Test func whatFollowsTheTotalsIsNotReadAsRows() throws {
        let totals = ["Total_Rows\t3", "Total_Amount\t158.21", "Country Of Sale\tPartner Share Currency", "DE\tEUR"]
        #expect(try AppleReport(appleReport(european, totals: totals)).rows.count == 3)
    }

    @Test(arguments: [
        ("Total_Rows\t4\nTotal_Amount\t158.21", "its Total_Rows is 4, but it has 3 rows"),
        ("Total_Rows\t3", "it does not end with Total_Rows and Total_Amount, so it may be cut off"),
        ("", "it does not end with Total_Rows and Total_Amount, so it may be cut off"),
        ("Total_Rows\t3\nTotal_Amount\t158.22", "its Total_Amount is 158.2200, but its rows add up to 158.2100"),
    ])
    func aFileWhoseTotalsAreNotItsRowsIsRefused(total: String, reason: String) {
        #expect(throws: AppleReportProblem(line: nil, reason: reason)) {
            try AppleReport(appleReport(european, totals: [total]))
        }
    }

    @Test func unitsThatDoNotAddUpAreRemarkedOnly() throws {
        let report = try AppleReport(
            appleReport(european, totals: ["Total_Rows\t3", "Total_Amount\t158.21", "Total_Units\t99"]))
        #expect(report.file.remarks == ["Total_Units is 99; sales add up to 16, sales less returns to 15"])
        // Some of Apple's files count sales less returns.
        let net = ["Total_Rows\t3", "Total_Amount\t158.21", "Total_Units\t15"]
        #expect(try AppleReport(appleReport(european, totals: net)).file.remarks.isEmpty)
    }

    @Test(arguments: [
        ("01/04/2026", "04.01.2026", "Start Date must be a date as MM/DD/YYYY"),
        ("\t14\t", "\tmany\t", "Quantity must be a number"), ("\tS\t", "\tX\t", "Sales or Return must be S or R"),
        ("\t19.99\t", "\t19,99\t", "Customer Price must be a number"),
        ("\tpass\t14", "\t\t14", "Vendor Identifier is empty"),
    ])
    func aRowThatCannotBeReadIsNamedByItsLine(from: String, to: String, reason: String) {
        var rows = european
        rows[2] = rows[2].replacing(from, with: to)
        #expect(throws: AppleReportProblem(line: 4, reason: reason)) { try AppleReport(appleReport(rows)) }
    }

    /// Apple's own page and files call a column by two names. A date may have been written again by a spreadsheet.
    @Test func aColumnMayHaveAnyNameThatAppleGivesIt() throws {
        let text = appleReport(european, totals: ["Total_Rows\t3", "Total_Amount\t158.21"])
        let names = [("Sales or Return", "Sale or Return"), ("Vendor Identifier", "SKU"), ("01/04/2026", "2026-01-04")]
        let other = names.reduce(text) { $0.replacing($1.0, with: $1.1) }
        #expect(try AppleReport(other).rows == AppleReport(text).rows)
        let reason =
            "the column “Sales or Return” or “Sale or Return” is missing: download the report once more and load it "
            + "unedited; if Apple has renamed the column, write this name into the header"
        #expect(throws: AppleReportProblem(line: 1, reason: reason)) {
            try AppleReport(text.replacing("Sales or Return", with: "Kind"))
        }
    }

    @Test(arguments: [
        "", "a,b\n1,2\n", "Region (Currency),Units Sold\n", "Vendor Identifier\tQuantity\n", "\u{0}\u{1}",
    ])
    func anotherFileIsNoReport(text: String) {
        #expect(throws: AppleReportProblem.self) { try AppleReport(text) }
    }

    /// The columns of a detail report, by day and without totals.
    @Test func aDetailReportHasTheDayOfEachSale() throws {
        let head = "Vendor Name\tDev\nStart Date\t01/04/2026\nEnd Date\t01/31/2026\n\n"
        let columns =
            "Transaction Date\tSettlement Date\tApple Identifier\tSKU\tTitle\tDeveloper Name\tProduct Type Identifier\t"
            + "Country of Sale\tQuantity\tPartner Share\tExtended Partner Share\tPartner Share Currency\tCustomer Price\t"
            + "Customer Currency\tSale or Return\tPromo Code\tOrder Type\tRegion\n"
        let rows = ["01/02/2026\t01/05/2026", "01/05/2026\t01/08/2026"].map {
            "\($0)\t1\tcoins\tCoins\tDev\tIA1\tCN\t2\t4.20\t8.40\tCNY\t6.00\tCNY\tS\t\t\tCN\n"
        }.joined()
        let report = try AppleReport(head + columns + rows)
        #expect(report.rows.map(\.soldOn?.text) == ["2026-01-02", "2026-01-05"] && report.rows[0].minor == 1200)
        #expect(report.first.text == "2026-01-04" && report.last.text == "2026-01-31")
        #expect(report.file.remarks == ["it states no totals, so nothing shows whether it is complete"])
        // After the rows, a summary by country may show whether the file is whole.
        let summary = "\nCountry Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share\n"
        #expect(try AppleReport(head + columns + rows + summary + "CN\tCNY\t4\t16.80\n").file.remarks.isEmpty)
        let short = try AppleReport(head + columns + rows + summary + "CN\tCNY\t3\t12.60\n")
        #expect(short.rows.count == 2)
        #expect(short.file.remarks == ["its summary has 3 units and 12.6000, its rows add up to 4 and 16.8000"])
        // It takes the place of the sums of the same days.
        func sums(_ units: Int, _ total: String) throws -> AppleReport {
            let row = appleRow("coins", units, price: "6.00", share: "4.20", total: total, "CNY", "CN")
            return try AppleReport(appleReport([row], totals: appleTotals([row])))
        }
        let (same, other) = (try sums(4, "16.80"), try sums(5, "21.00"))
        #expect(report.details(same) && !report.details(other) && !same.details(report))
        #expect(throws: AppleReportProblem(line: nil, reason: "the lines above its header do not state its End Date")) {
            try AppleReport(head.replacing("End Date", with: "Until") + columns + rows)
        }
    }
}
