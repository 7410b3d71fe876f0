internal import Base
internal import Domain

/// Apple's summary of payments (`financial_report.csv` of App Store Connect): what each region earned, what was withheld,
/// the exchange rate, and what was paid to the bank. See docs/spec/app-store.md#payout.
public struct PayoutReport: Sendable {
    /// The file's name.
    public var file = ""
    /// SHA-256, hexadecimal.
    public var digest = ""
    /// The month as the file names it: `September, 2014`.
    public let month: String
    private let bankCurrency: Currency
    private let lines: [Payout.Line]
    private let paid: Int64

    /// Whether the text is such a file.
    public static func isOne(_ text: String) -> Bool { text.prefix(4000).contains("Region (Currency),") }

    /// - Throws: `AppleReportProblem` where a row cannot be read, or the payment is missing.
    public init(_ text: String) throws(AppleReportProblem) {
        let rows = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(Self.cells)
        guard let header = rows.firstIndex(where: { $0.first == "Region (Currency)" }) else {
            throw AppleReportProblem(line: nil, reason: "it has no column Region (Currency)")
        }
        month = try Self.month(rows[..<header])
        let columns = try PayoutColumns(rows[header], line: header + 1)
        var lines: [Payout.Line] = []
        var index = header + 1
        while index < rows.count, let region = rows[index].first, !region.isEmpty {
            lines.append(try columns.line(rows[index], at: index + 1))
            index += 1
        }
        guard let bank = try columns.bank(rows[header + 1..<index], from: header + 2) else {
            throw AppleReportProblem(line: nil, reason: "it has no rows")
        }
        (self.lines, bankCurrency) = (lines, bank)
        paid = try Self.paid(rows[index...], bank)
    }

    /// The month in parentheses in the title.
    private static func month(_ rows: ArraySlice<[String]>) throws(AppleReportProblem) -> String {
        for cell in rows.flatMap(\.self) {
            guard let open = cell.lastIndex(of: "("), let close = cell.lastIndex(of: ")"), open < close else {
                continue
            }
            return String(cell[cell.index(after: open)..<close])
        }
        throw AppleReportProblem(line: nil, reason: "its title does not name a month")
    }

    /// The amount that was paid: `234.58 EUR`, below the rows.
    private static func paid(_ rows: ArraySlice<[String]>, _ bank: Currency) throws(AppleReportProblem) -> Int64 {
        for cell in rows.flatMap(\.self) where cell.hasSuffix(" " + bank.text) {
            if let amount = number4(cell.dropLast(4).filter { $0 != "," && $0 != "\"" }[...]) {
                return amount.inMinorUnits(of: bank)
            }
        }
        throw AppleReportProblem(line: nil, reason: "it does not say what was paid, so it may be cut off")
    }

    /// Whether the file is for that month of Apple's.
    public func isOf(_ name: String) -> Bool {
        let names = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        let words = month.split { $0 == "," || $0 == " " }
        guard words.count == 2, let number = names.firstIndex(of: String(words[0])) else { return false }
        return "\(words[1])-" + padded(number + 1, 2) == name
    }

    /// The payment beside what the financial reports of the same period say was earned.
    func tied(to period: ApplePeriod) -> Payout {
        let reported = period.earned
        var summed: [Currency: Int64] = [:]
        for line in lines { summed[line.currency, default: 0] &+= line.earned }
        let earned = Set(reported.keys).union(summed.keys).sorted().map {
            Payout.Earned(currency: $0, reported: reported[$0] ?? 0, earned: summed[$0] ?? 0)
        }
        return Payout(
            file: file, digest: digest, month: month, bankCurrency: bankCurrency, lines: lines, earned: earned,
            paid: paid)
    }

    /// The cells of a line. Quotation marks protect commas.
    private static func cells(_ line: Substring) -> [String] {
        var cells = [""]
        var isQuoted = false
        for character in line {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                cells.append("")
            } else if character != "\u{FEFF}" {
                cells[cells.count - 1].append(character)
            }
        }
        return cells.map { $0.trimmingBlanks }
    }
}

/// The positions of the columns.
private struct PayoutColumns {
    private let positions: [String: Int]

    init(_ header: [String], line: Int) throws(AppleReportProblem) {
        positions = Dictionary(header.enumerated().map { ($1, $0) }) { first, _ in first }
        for name in ["Earned", "Total Owed", "Exchange Rate", "Proceeds", "Bank Account Currency"]
        where positions[name] == nil {
            throw AppleReportProblem(line: line, reason: "“\(name)” is missing")
        }
    }

    private func text(_ name: String, _ cells: [String]) -> String {
        positions[name].flatMap { $0 < cells.count ? cells[$0] : nil } ?? ""
    }

    /// In minor units; 0 for an empty cell.
    private func amount(
        _ name: String, _ cells: [String], _ currency: Currency, _ line: Int
    ) throws(AppleReportProblem) -> Int64 {
        let cell = text(name, cells).filter { $0 != "," }
        if cell.isEmpty { return 0 }
        guard let value = number4(cell[...]) else {
            throw AppleReportProblem(line: line, reason: "\(name) must be a number")
        }
        return value.inMinorUnits(of: currency)
    }

    private func bank(_ cells: [String]) -> Currency? { Currency(text("Bank Account Currency", cells)) }

    /// The bank's currency, which all rows share. Nil without rows.
    func bank(_ rows: ArraySlice<[String]>, from line: Int) throws(AppleReportProblem) -> Currency? {
        var found: Currency?
        for (index, cells) in rows.enumerated() {
            guard let currency = bank(cells), found == nil || found == currency else {
                throw AppleReportProblem(
                    line: line + index, reason: "Bank Account Currency must be the same three letters in all rows")
            }
            found = currency
        }
        return found
    }

    func line(_ cells: [String], at line: Int) throws(AppleReportProblem) -> Payout.Line {
        let region = cells[0]
        guard region.hasSuffix(")"), let open = region.lastIndex(of: "("),
            let currency = Currency(region[region.index(after: open)...].dropLast()), let bank = bank(cells)
        else { throw AppleReportProblem(line: line, reason: "Region (Currency) must name a currency in parentheses") }
        let rate = text("Exchange Rate", cells)
        guard let factor = Rate(rate) else {
            throw AppleReportProblem(line: line, reason: "Exchange Rate must be a number")
        }
        let owed = try amount("Total Owed", cells, currency, line)
        return Payout.Line(
            region: region, currency: currency, earned: try amount("Earned", cells, currency, line),
            inputTax: try amount("Input Tax", cells, currency, line),
            adjustments: try amount("Adjustments", cells, currency, line),
            withholdingTax: try amount("Withholding Tax", cells, currency, line), owed: owed, rate: rate,
            proceeds: try amount("Proceeds", cells, bank, line), expected: factor.applied(to: owed, currency, bank))
    }
}

/// An exact exchange rate: digits × 10^−decimals.
private struct Rate {
    private var digits: Int64 = 0
    private var decimals = 0

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let all = Int64(parts.joined()), all >= 0, text.utf8.count <= 18 else {
            return nil
        }
        digits = all
        decimals = parts.count == 2 ? parts[1].utf8.count : 0
    }

    /// The amount in the other currency's minor units, rounded half away from zero.
    func applied(to minor: Int64, _ from: Currency, _ to: Currency) -> Int64 {
        var (product, scale) = (Int128(minor) * Int128(digits), Int128(powerOfTen(decimals)))
        if to.exponent >= from.exponent {
            product *= Int128(powerOfTen(to.exponent - from.exponent))
        } else {
            scale *= Int128(powerOfTen(from.exponent - to.exponent))
        }
        let half = (product < 0 ? -scale : scale) / 2
        return Int64(clamping: (product + half) / scale)
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        var rest = self[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
