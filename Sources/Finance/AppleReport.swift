public import Domain
internal import Scan

/// One row of Apple's financial report, as far as the bridge needs it.
public struct AppleRow: Hashable, Sendable {
    public var product: String
    /// Two letters.
    public var country: String
    /// The customer's, not the proceeds'.
    public var currency: Currency
    /// A return: units and value are negative.
    public var isReturn: Bool
    public var units: Int64
    /// Customer price times units, minor units. 0 where a promotional code paid.
    public var minor: Int64
}

/// Why a file cannot be used as Apple's financial report; nothing of it is.
public struct AppleReportProblem: Error, Equatable {
    /// From 1; nil where the file as a whole is at fault.
    public var line: Int?
    /// No full stop.
    public var reason: String
}

/// Apple's financial report: one region, or all (`ZZ`). APPLE.md §7.
///
/// Tab-separated with a header, then `Total_Rows`, `Total_Amount` and `Total_Units`; what follows those (a summary
/// by country in the file of all regions) repeats the rows and is not read.
public struct AppleReport: Sendable {
    public private(set) var first: BusinessDate
    public private(set) var last: BusinessDate
    public private(set) var rows: [AppleRow] = []
    /// What does not add up and harms nothing, for people.
    public private(set) var remarks: [String] = []

    /// - Throws: `AppleReportProblem`, also where the rows are not those that its totals count.
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

    static let noReport = AppleReportProblem(
        line: nil,
        reason: "it is no financial report of Apple's: a tab-separated file whose header names "
            + "Start Date, Vendor Identifier and Customer Price")
}

/// The trailing totals, and what the rows come to.
private struct AppleTotals {
    var isSeen: Bool { rows != nil || amount != nil || units != nil }
    private var rows: Int64?
    private var amount: Int64?
    private var units: Int64?
    private var rowsCounted: Int64 = 0
    /// Ten-thousandths of the proceeds' currency.
    private var amountCounted: Int64 = 0
    private var unitsSold: Int64 = 0
    private var unitsCounted: Int64 = 0
    private var currencies: Set<String> = []

    /// Whether the line is one of them.
    mutating func take(_ line: Substring, at number: Int) throws(AppleReportProblem) -> Bool {
        guard line.hasPrefix("Total_") else { return false }
        let cells = line.split(separator: "\t")
        guard cells.count >= 2, let value = number4(cells[1]) else {
            throw AppleReportProblem(line: number, reason: "\(cells[0]) is to be a number")
        }
        switch cells[0] {
        case "Total_Rows": rows = value / 10_000
        case "Total_Amount": amount = value
        case "Total_Units": units = value / 10_000
        default: break
        }
        return true
    }

    mutating func count(_ row: AppleColumns.Row) {
        rowsCounted += 1
        amountCounted += row.proceeds
        unitsCounted += row.sale.units
        if !row.sale.isReturn { unitsSold += row.sale.units }
        currencies.insert(row.proceedsCurrency)
    }

    func check() throws(AppleReportProblem) -> [String] {
        var remarks: [String] = []
        if let rows, rows != rowsCounted {
            throw AppleReportProblem(line: nil, reason: "its Total_Rows is \(rows), but it has \(rowsCounted) rows")
        }
        if rows == nil { remarks.append("no Total_Rows: whether the file is whole cannot be seen") }
        // A file of all regions adds up currencies, which says nothing.
        if let amount, currencies.count == 1, amount != amountCounted {
            let (said, found) = (decimal(amount, exponent: 4), decimal(amountCounted, exponent: 4))
            throw AppleReportProblem(line: nil, reason: "its Total_Amount is \(said), but its rows come to \(found)")
        }
        // Apple counts only sales there, and not always.
        if let units, units != unitsSold, units != unitsCounted {
            remarks.append("Total_Units is \(units); sales come to \(unitsSold), sales less returns to \(unitsCounted)")
        }
        return remarks
    }
}

/// In ten-thousandths; nil where the text is no decimal number.
func number4(_ text: Substring) -> Int64? {
    var copy = String(text)
    return copy.withUTF8 { Parse.decimal(UnsafeRawBufferPointer($0), exponent: 4) }
}
