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
    public var partnerCurrency = Currency.absent
    /// The day of the sale, which only a detail report states.
    public var soldOn: BusinessDate?
    /// File and line.
    public var source = ""
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
///
/// A detail report (`FINANCE_DETAIL`) has the day of each sale instead of the period's days, which stand above the header.
/// It needs no totals; after the rows comes a summary by country.
public struct AppleReport: Sendable {
    public let file: AppleReportFile
    public let rows: [AppleRow]
    /// The earliest first day of a row.
    public var first: BusinessDate { file.first }
    /// The latest last day of a row, included.
    public var last: BusinessDate { file.last }

    /// - Parameters:
    ///   - name: the file's name.
    ///   - digest: the file's SHA-256 in hexadecimal.
    /// - Throws: `AppleReportProblem`; also where the rows do not add up to the file's totals, because such a file is
    ///   not whole.
    public init(_ text: String, name: String = "", digest: String = "") throws(AppleReportProblem) {
        let lines = appleLines(text)
        guard let start = lines.firstIndex(where: { Self.columns($0).count > Self.needed.count / 2 }) else {
            throw AppleReportProblem(line: nil, reason: Self.noReport)
        }
        let columns = Self.columns(lines[start])
        let isDetail = columns["Transaction Date"] != nil
        if let names = Self.needed.first(where: { columns[$0[0]] == nil && !(isDetail && $0[0].hasSuffix(" Date")) }) {
            throw Self.missing(names, line: start + 1)
        }
        let stated = isDetail ? try Self.period(lines[..<start]) : nil
        var totals = AppleTotals()
        var rows: [AppleRow] = []
        var (first, last) = (BusinessDate(day: .max), BusinessDate(day: .min))
        for (index, line) in lines.enumerated().dropFirst(start + 1) {
            if line.isEmpty { continue }
            if try totals.take(line, at: index + 1) { continue }
            if !totals.values.isEmpty { break }
            if Self.plain(tabbed(line)[0]) == Self.plain("Country Of Sale") {
                totals.take(summary: lines[(index + 1)...], columns: Self.columns(line))
                break
            }
            let cells = AppleCells(columns: columns, cells: tabbed(line), line: index + 1)
            let (begin, end) =
                if let stated { stated } else { (try cells.date("Start Date"), try cells.date("End Date")) }
            guard begin <= end else { throw cells.problem("End Date is before Start Date") }
            (first, last) = (min(first, begin), max(last, end))
            var row = try AppleRow(cells)
            row.source = "\(name):\(index + 1)"
            rows.append(row)
        }
        guard !rows.isEmpty else { throw AppleReportProblem(line: nil, reason: "it has no rows") }
        self.rows = rows
        file = AppleReportFile(
            name: name, digest: digest, rows: rows.count, first: first, last: last,
            remarks: try totals.check(rows, isDetail: isDetail))
    }

    /// The period that a detail report states above its header: `Start Date`, a tab and the day, and `End Date`.
    private static func period(_ lines: ArraySlice<Substring>) throws(AppleReportProblem) -> (
        BusinessDate, BusinessDate
    ) {
        func day(_ name: String) throws(AppleReportProblem) -> BusinessDate {
            let line = lines.first { plain($0).hasPrefix(plain(name)) }
            let text = line?.split { "\t,".contains($0) }.dropFirst().first ?? ""
            guard let day = try? AppleCells(columns: [name: 0], cells: [text], line: 1).date(name) else {
                throw AppleReportProblem(line: nil, reason: "the lines above its header do not state its \(name)")
            }
            return day
        }
        return (try day("Start Date"), try day("End Date"))
    }

    /// Without regard to case, spaces, quotation marks and byte order mark.
    private static func plain(_ name: some StringProtocol) -> String {
        name.lowercased().filter { !" \"\u{FEFF}".contains($0) }
    }

    /// The columns that the bridge cannot do without, each with the names that Apple gives it. A detail report has none of the
    /// dates, and Transaction Date instead.
    private static let needed = [
        ["Start Date"], ["End Date"], ["Vendor Identifier", "SKU"], ["Quantity"], ["Extended Partner Share"],
        ["Partner Share Currency"], ["Sales or Return", "Sale or Return"],
        ["Country Of Sale", "Country or Region of Sale"], ["Customer Price"], ["Customer Currency"],
    ]

    /// The places of the needed columns and of Transaction Date in a line, by the first of their names.
    private static func columns(_ line: Substring) -> [String: Int] {
        let names = tabbed(line).map { plain($0) }
        return (needed + [["Transaction Date"]]).reduce(into: [:]) { columns, own in
            columns[own[0]] = own.lazy.compactMap { names.lastIndex(of: plain($0)) }.first
        }
    }

    private static let noReport =
        "it is not one of Apple's financial reports: a tab-separated file with the columns "
        + "Start Date, Vendor Identifier and Customer Price"

    private static func missing(_ names: [String], line: Int) -> AppleReportProblem {
        let column = names.map { "“\($0)”" }.joined(separator: " or ")
        return AppleReportProblem(
            line: line,
            reason: "the column \(column) is missing: download the report once more and load it unedited; if Apple has "
                + "renamed the column, write this name into the header")
    }
}

extension AppleRow {
    fileprivate init(_ cells: AppleCells) throws(AppleReportProblem) {
        product = try cells.text("Vendor Identifier")
        country = try cells.text("Country Of Sale")
        guard let kind = BridgeLine.Kind(rawValue: try cells.text("Sales or Return")) else {
            throw cells.problem("Sales or Return must be S or R")
        }
        self.kind = kind
        currency = try cells.currency("Customer Currency")
        units = try cells.number("Quantity") / 10_000
        // Apple writes both price and quantity of a return as negative. The value takes its sign from the quantity.
        let price = Money(minor: abs(try cells.number("Customer Price")), currency: currency)
        guard let value = price.times(units, over: 1) else {
            throw cells.problem("Quantity times Customer Price is too large")
        }
        minor = value.minor / powerOfTen(4 - min(4, currency.exponent))
        soldOn = cells["Transaction Date"].isEmpty ? nil : try cells.date("Transaction Date")
        partner = try cells.number("Extended Partner Share")
        partnerCurrency = try cells.currency("Partner Share Currency")
    }
}

/// The totals at the end of the file. Those of units are in ten-thousandths, too.
private struct AppleTotals {
    private(set) var values: [Substring: Int64] = [:]
    /// What the countries of a detail report's summary add up to: units, and partner share of any currency.
    private var summary: (units: Int64, partner: Int64)?

    /// Adds up a summary by country. One that cannot be read does not count.
    mutating func take(summary lines: ArraySlice<Substring>, columns: [String: Int]) {
        let rows = lines.filter { !$0.isEmpty }.map { AppleCells(columns: columns, cells: tabbed($0), line: 0) }
        summary = rows.reduce((0, 0)) { sum, row in
            guard let sum, let units = try? row.number("Quantity"),
                let partner = try? row.number("Extended Partner Share")
            else { return nil }
            return (sum.units &+ units / 10_000, sum.partner &+ partner)
        }
    }

    /// Whether the line is one of the totals; if so, remembers it.
    mutating func take(_ line: Substring, at number: Int) throws(AppleReportProblem) -> Bool {
        guard line.hasPrefix("Total_") else { return false }
        let cells = line.split(separator: "\t")
        guard cells.count >= 2, let value = number4(String(cells[1])) else {
            throw AppleReportProblem(line: number, reason: "\(cells[0]) must be a number")
        }
        if ["Total_Rows", "Total_Amount", "Total_Units"].contains(cells[0]) { values[cells[0]] = value }
        return true
    }

    /// Compares the rows with the totals. Sums wrap modulo 2^64, so an absurd row is an error in the file and not a crash.
    ///
    /// - Returns: inconsistencies that change no figure.
    /// - Throws: `AppleReportProblem` where rows are missing or additional.
    func check(_ rows: [AppleRow], isDetail: Bool) throws(AppleReportProblem) -> [String] {
        let found = rows.reduce(0) { $0 &+ $1.partner }
        if isDetail, values.isEmpty {
            guard let summary else { return ["it states no totals, so nothing shows whether it is complete"] }
            guard summary != (rows.units, found) else { return [] }
            let (said, sum) = (decimal(summary.partner, exponent: 4), decimal(found, exponent: 4))
            return ["its summary has \(summary.units) units and \(said), its rows add up to \(rows.units) and \(sum)"]
        }
        func refused(_ reason: String) -> AppleReportProblem { AppleReportProblem(line: nil, reason: reason) }
        guard let count = values["Total_Rows"].map({ $0 / 10_000 }), let amount = values["Total_Amount"] else {
            throw refused("it does not end with Total_Rows and Total_Amount, so it may be cut off")
        }
        if count != rows.count {
            throw refused("its Total_Rows is \(count), but it has \(counted(rows.count, "row", "rows"))")
        }
        // In a file for all regions, the total adds up different currencies and means nothing.
        if Set(rows.map(\.partnerCurrency)).count == 1, amount != found {
            let (said, found) = (decimal(amount, exponent: 4), decimal(found, exponent: 4))
            throw refused("its Total_Amount is \(said), but its rows add up to \(found)")
        }
        // Apple counts only sales here, and not in all files.
        let (sold, all) = (rows.filter { $0.kind == .sales }.units, rows.units)
        guard let units = values["Total_Units"].map({ $0 / 10_000 }), units != sold, units != all else { return [] }
        return ["Total_Units is \(units); sales add up to \(sold), sales less returns to \(all)"]
    }
}

extension [AppleRow] {
    fileprivate var units: Int64 { reduce(0) { $0 &+ $1.units } }
}

private func tabbed(_ line: Substring) -> [Substring] { line.split(separator: "\t", omittingEmptySubsequences: false) }
