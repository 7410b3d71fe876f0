internal import Base
public import Domain

/// One row of Apple's financial report, with the fields that the bridge needs.
public struct AppleRow: Hashable, Sendable {
    /// Apple's vendor identifier, which is the product id.
    public var product: String
    /// Two letters.
    public var country: String
    /// The customer's currency, which may differ from that of the proceeds.
    public var currency: Currency
    /// Units and value of returns are negative.
    public var kind: BridgeLine.Kind
    /// Pieces.
    public var units: Int64
    /// Customer price times units, in minor units. 0 where a promotional code was used.
    public var minor: Int64
    /// The extended partner share, in ten-thousandths of its currency.
    public var partner: Int64 = 0
    /// The currency of the partner share.
    public var partnerCurrency = Currency.absent
}

/// Why a file cannot be used as Apple's financial report. No row of such a file is used.
public struct AppleReportProblem: Error, Equatable {
    /// Counted from 1; nil if the file as a whole is at fault.
    public var line: Int?
    /// In English, without a full stop.
    public var reason: String
}

/// Apple's financial report for one region, or for all of them (`ZZ`). See docs/spec/app-store.md#financial-report.
///
/// The file is tab-separated. After a header and the rows come `Total_Rows`, `Total_Amount` and `Total_Units`. Anything
/// after these totals (a summary by country in the file for all regions) repeats the rows and is not read.
public struct AppleReport: Sendable {
    /// The earliest first day of a row.
    public private(set) var first: BusinessDate
    /// The latest last day of a row, included.
    public private(set) var last: BusinessDate
    /// The sales and returns in the order of the file.
    public private(set) var rows: [AppleRow] = []
    /// Inconsistencies that change no figure, in English.
    public private(set) var remarks: [String] = []

    /// - Throws: `AppleReportProblem`; also where the rows do not add up to the file's totals, because such a file is
    ///   not whole.
    public init(_ text: String) throws(AppleReportProblem) {
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        guard let start = lines.firstIndex(where: { $0.contains("\t") }) else { throw Self.noReport }
        let columns = try AppleColumns(lines[start])
        var totals = AppleTotals()
        (first, last) = (BusinessDate(day: .max), BusinessDate(day: .min))
        for (index, line) in lines.enumerated().dropFirst(start + 1) {
            if line.isEmpty { continue }
            if try totals.take(line, at: index + 1) { continue }
            if totals.isSeen { break }
            do {
                let row = try columns.row(line)
                (first, last) = (min(first, row.first), max(last, row.last))
                totals.count(row)
                rows.append(row.sale)
            } catch {
                throw AppleReportProblem(line: index + 1, reason: error.reason)
            }
        }
        guard !rows.isEmpty else { throw AppleReportProblem(line: nil, reason: "it has no rows") }
        remarks = try totals.check()
    }

    /// The file does not look like a financial report at all.
    static let noReport = AppleReportProblem(
        line: nil,
        reason: "it is not one of Apple's financial reports: a tab-separated file with the columns "
            + "Start Date, Vendor Identifier and Customer Price")
}

/// The totals at the end of the file, and the totals of the rows to compare with them.
private struct AppleTotals {
    /// The totals have begun, so no more rows follow.
    var isSeen: Bool { rows != nil || amount != nil || units != nil }
    /// `Total_Rows`; nil if the file has none.
    private var rows: Int64?
    /// `Total_Amount` in ten-thousandths of the proceeds' currency; nil if the file has none.
    private var amount: Int64?
    /// `Total_Units`; nil if the file has none.
    private var units: Int64?
    private var rowsCounted: Int64 = 0
    /// In ten-thousandths of the proceeds' currency.
    private var amountCounted: Int64 = 0
    /// Units of sales only.
    private var unitsSold: Int64 = 0
    /// Units of sales less those of returns.
    private var unitsCounted: Int64 = 0
    private var currencies: Set<Currency> = []

    /// Whether the line is one of the totals; if so, remembers it.
    mutating func take(_ line: Substring, at number: Int) throws(AppleReportProblem) -> Bool {
        guard line.hasPrefix("Total_") else { return false }
        let cells = line.split(separator: "\t")
        guard cells.count >= 2, let value = number4(cells[1]) else {
            throw AppleReportProblem(line: number, reason: "\(cells[0]) must be a number")
        }
        switch cells[0] {
        case "Total_Rows": rows = value / 10_000
        case "Total_Amount": amount = value
        case "Total_Units": units = value / 10_000
        default: break
        }
        return true
    }

    /// Counts a row. The sums wrap modulo 2^64, so an absurd row is an error in the file and not a crash.
    mutating func count(_ row: AppleColumns.Row) {
        rowsCounted += 1
        amountCounted &+= row.sale.partner
        unitsCounted &+= row.sale.units
        if row.sale.kind == .sales { unitsSold &+= row.sale.units }
        currencies.insert(row.sale.partnerCurrency)
    }

    /// Compares the totals.
    ///
    /// - Returns: inconsistencies that change no figure.
    /// - Throws: `AppleReportProblem` where rows are missing or additional.
    func check() throws(AppleReportProblem) -> [String] {
        var remarks: [String] = []
        guard let rows, let amount else {
            throw AppleReportProblem(
                line: nil, reason: "it does not end with Total_Rows and Total_Amount, so it may be cut off")
        }
        if rows != rowsCounted {
            throw AppleReportProblem(
                line: nil, reason: "its Total_Rows is \(rows), but it has \(counted(rowsCounted, "row", "rows"))")
        }
        // In a file for all regions, the total adds up different currencies and means nothing.
        if currencies.count == 1, amount != amountCounted {
            let (said, found) = (decimal(amount, exponent: 4), decimal(amountCounted, exponent: 4))
            throw AppleReportProblem(line: nil, reason: "its Total_Amount is \(said), but its rows add up to \(found)")
        }
        // Apple counts only sales here, and not in all files.
        if let units, units != unitsSold, units != unitsCounted {
            remarks.append(
                "Total_Units is \(units); sales add up to \(unitsSold), sales less returns to \(unitsCounted)")
        }
        return remarks
    }
}

/// The decimal number in ten-thousandths. Nil if the text is not a number or is finer than that.
func number4(_ text: Substring) -> Int64? {
    var copy = String(text)
    return copy.withUTF8 { Parse.decimal(UnsafeRawBufferPointer($0), exponent: 4) }
}
