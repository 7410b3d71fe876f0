internal import Domain

/// The positions of a financial report's columns. Column names are matched without regard to case and spaces.
struct AppleColumns {
    /// One row of the report.
    struct Row {
        /// The first day of the row's period.
        var first: BusinessDate
        /// The last day of the row's period, included.
        var last: BusinessDate
        /// The sale or return.
        var sale: AppleRow
    }
    /// What is wrong with a row, in English.
    struct Fault: Error { var reason: String }

    /// By name in the form of `plain`.
    private let positions: [String: Int]
    /// The columns that the bridge cannot do without.
    private static let needed = [
        "Start Date", "End Date", "Vendor Identifier", "Quantity", "Extended Partner Share", "Partner Share Currency",
        "Sales or Return", "Country Of Sale", "Customer Price", "Customer Currency",
    ]

    /// - Parameter header: the line with the column names, separated by tabs.
    /// - Throws: `AppleReportProblem` where a needed column is missing.
    init(_ header: Substring) throws(AppleReportProblem) {
        var positions: [String: Int] = [:]
        for (index, name) in Self.cells(header).enumerated() { positions[Self.plain(String(name))] = index }
        self.positions = positions
        for name in Self.needed where positions[Self.plain(name)] == nil {
            throw AppleReportProblem(
                line: nil, reason: AppleReport.noReport.reason + "; “\(name)” is missing")
        }
    }

    /// - Throws: `Fault` where a needed value is missing or malformed.
    func row(_ line: Substring) throws(Fault) -> Row {
        let cells = Self.cells(line)
        let first = try date("Start Date", cells)
        let last = try date("End Date", cells)
        guard first <= last else { throw Fault(reason: "End Date is before Start Date") }
        let product = try text("Vendor Identifier", cells)
        let country = try text("Country Of Sale", cells)
        guard let kind = BridgeLine.Kind(rawValue: try text("Sales or Return", cells)) else {
            throw Fault(reason: "Sales or Return must be S or R")
        }
        guard let currency = Currency(try text("Customer Currency", cells)) else {
            throw Fault(reason: "Customer Currency must be three letters")
        }
        let units = try number("Quantity", cells) / 10_000
        let price = try number("Customer Price", cells)
        // Apple writes both price and quantity of a return as negative. The value takes its sign from the quantity.
        guard let value = Money(minor: abs(price), currency: currency).times(units, over: 1) else {
            throw Fault(reason: "Quantity times Customer Price is too large")
        }
        let scale = powerOfTen(4 - min(4, currency.exponent))
        let proceeds = try number("Extended Partner Share", cells)
        guard let partner = Currency(try text("Partner Share Currency", cells)) else {
            throw Fault(reason: "Partner Share Currency must be three letters")
        }
        let sale = AppleRow(
            product: product, country: country, currency: currency, kind: kind, units: units,
            minor: value.minor / scale, partner: proceeds, partnerCurrency: partner)
        return Row(first: first, last: last, sale: sale)
    }

    private func text(_ name: String, _ cells: [Substring]) throws(Fault) -> String {
        guard let position = positions[Self.plain(name)], position < cells.count, !cells[position].isEmpty else {
            throw Fault(reason: "\(name) is empty")
        }
        return String(cells[position])
    }

    /// A decimal number in ten-thousandths.
    private func number(_ name: String, _ cells: [Substring]) throws(Fault) -> Int64 {
        guard let value = number4(Substring(try text(name, cells))) else {
            throw Fault(reason: "\(name) must be a number")
        }
        return value
    }

    /// A date written as MM/DD/YYYY.
    private func date(_ name: String, _ cells: [Substring]) throws(Fault) -> BusinessDate {
        let parts = try text(name, cells).split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let month = parts[0], let day = parts[1], let year = parts[2],
            (2000...2200).contains(year), let date = BusinessDate(year: year, month: month, day: day)
        else { throw Fault(reason: "\(name) must be a date as MM/DD/YYYY") }
        return date
    }

    private static func cells(_ line: Substring) -> [Substring] {
        line.split(separator: "\t", omittingEmptySubsequences: false)
    }

    /// In lower case, without spaces and byte order mark.
    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != " " && $0 != "\u{FEFF}" }
    }
}
