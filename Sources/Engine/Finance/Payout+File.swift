/// Apple's summary of payments (`financial_report.csv` of App Store Connect): what each region earned, what was withheld,
/// the exchange rate, and what was paid to the bank. See docs/spec/app-store.md#payout.
extension Payout {
    /// Whether the text is such a file.
    public static func isOne(_ text: String) -> Bool {
        header(appleLines(String(text.prefix(4000))).map(cells)) != nil
    }

    /// How the name of the first column ends. Apple has called it Region, Territory, and Country or Region.
    private static let currencyColumn = "(Currency)"
    /// The columns in Apple's order, which is the same in every language.
    private static let order = [
        "Region (Currency)", "Units Sold", "Earned", "Pre-Tax Subtotal", "Input Tax", "Adjustments", "Withholding Tax",
        "Total Owed", "Exchange Rate", "Proceeds", "Bank Account Currency",
    ]

    /// The row of the columns' names: in English, or else the one above the first region.
    private static func header(_ rows: [[Substring]]) -> Int? {
        rows.firstIndex { $0.first?.hasSuffix(currencyColumn) == true }
            ?? rows.indices.dropFirst().first { rows[$0].count >= 9 && currency(of: rows[$0][0]) != nil }
            .map { $0 - 1 }
    }

    /// A region names its currency in parentheses.
    fileprivate static func currency(of region: Substring) -> Currency? {
        guard region.hasSuffix(")"), let open = region.lastIndex(of: "(") else { return nil }
        return Currency(region[region.index(after: open)...].dropLast())
    }

    /// The payment, not yet tied to the financial reports.
    ///
    /// - Parameters:
    ///   - file: the file's name.
    ///   - digest: its SHA-256 in hexadecimal.
    /// - Throws: `AppleReportProblem` where a row cannot be read, or the payment is missing.
    public init(_ text: String, file: String, digest: String) throws(AppleReportProblem) {
        let rows = appleLines(text).map(cells)
        guard let header = Self.header(rows) else {
            throw AppleReportProblem(line: nil, reason: "it has no column Region (Currency)")
        }
        let month = try Self.month(rows[..<header])
        let isEnglish = rows[header][0].hasSuffix(Self.currencyColumn)
        let names = isEnglish ? rows[header] : Self.order[...].map { $0[...] }
        if !isEnglish, rows[header].count(where: { !$0.isEmpty }) != names.count {
            throw AppleReportProblem(
                line: header + 1, reason: "it has other columns than Apple's \(names.count). \(Self.inEnglish)")
        }
        var columns = Dictionary(names.enumerated().map { (String($1), $0) }) { first, _ in first }
        columns["Region (Currency)"] = 0
        for name in ["Earned", "Total Owed", "Exchange Rate", "Proceeds", "Bank Account Currency"]
        where columns[name] == nil {
            throw AppleReportProblem(line: header + 1, reason: "“\(name)” is missing")
        }
        let regions = rows.indices.dropFirst(header + 1).prefix { rows[$0].first?.isEmpty == false }.map {
            AppleCells(columns: columns, cells: rows[$0], line: $0 + 1)
        }
        var lines: [Line] = []
        for cells in regions { lines.append(try Line(cells)) }
        guard let bank = regions.first?.bank else { throw AppleReportProblem(line: nil, reason: "it has no rows") }
        if let other = regions.first(where: { $0.bank != bank }) {
            throw other.problem("Bank Account Currency must be the same three letters in all rows")
        }
        self.init(
            file: file, digest: digest, month: month, bankCurrency: bank, lines: lines, earned: [],
            paid: try Self.paid(rows[(header + 1 + lines.count)...], bank))
    }

    /// The month in parentheses in the title.
    private static func month(_ rows: ArraySlice<[Substring]>) throws(AppleReportProblem) -> String {
        for cell in rows.flatMap(\.self) {
            guard let open = cell.lastIndex(of: "("), let close = cell.lastIndex(of: ")"), open < close else {
                continue
            }
            let month = String(cell[cell.index(after: open)..<close])
            if period(month) != nil { return month }
        }
        throw AppleReportProblem(line: nil, reason: "its title does not name a month. \(inEnglish)")
    }

    private static let inEnglish = "Download it with App Store Connect in English"

    /// `2014-09` of `September, 2014`, `九月, 2014` or `2014年9月`.
    private static func period(_ month: String) -> String? {
        let words = month.split { ", 年月".contains($0) }
        guard words.count == 2, let year = words.first(where: { $0.count == 4 && Int($0) != nil }),
            let word = words.first(where: { $0 != year }),
            let number = english.firstIndex(of: String(word)) ?? chinese.firstIndex(of: String(word))
                ?? Int(word).map({ $0 - 1 }), (0..<12).contains(number)
        else { return nil }
        return "\(year)-" + padded(number + 1, 2)
    }
    private static let english = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let chinese = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"]

    /// What was paid, in one sum or in several: `234.58 EUR`, below the rows.
    private static func paid(_ rows: ArraySlice<[Substring]>, _ bank: Currency) throws(AppleReportProblem) -> Int64 {
        let paid = rows.flatMap(\.self).filter { $0.hasSuffix(" " + bank.text) }
            .compactMap { number4($0.dropLast(4).filter { $0 != "," && $0 != "\"" })?.inMinorUnits(of: bank) }
        if paid.isEmpty {
            throw AppleReportProblem(line: nil, reason: "it does not say what was paid, so it may be cut off")
        }
        return paid.reduce(0, &+)
    }

    /// Apple's month as `YYYY-MM`. Nil where the title's words are not known.
    public var period: String? { Self.period(month) }

    /// The payment beside what the financial reports of the same period say was earned.
    func tied(to period: ApplePeriod) -> Payout {
        let reported = period.earned
        var summed: [Currency: Int64] = [:]
        var rounding: [Currency: Int64] = [:]
        for line in lines {
            if let own = line.rounding { rounding[line.currency, default: 0] += own }
            summed[line.currency, default: 0] &+= line.fractions?[0] ?? line.earned.inTenThousandths(of: line.currency)
        }
        var tied = self
        tied.earned = Set(reported.keys).union(summed.keys).ordered().map {
            Earned(
                currency: $0, reported: reported[$0] ?? 0, earned: summed[$0]?.inMinorUnits(of: $0) ?? 0,
                rounding: rounding[$0])
        }
        return tied
    }
}

extension Payout.Line {
    fileprivate init(_ cells: AppleCells) throws(AppleReportProblem) {
        let region = cells["Region (Currency)"]
        guard let currency = Payout.currency(of: region), let bank = cells.bank else {
            throw cells.problem("Region (Currency) must name a currency in parentheses")
        }
        // What is too little to be paid has neither rate nor proceeds.
        let isPaid = !cells["Exchange Rate"].isEmpty || !cells["Proceeds"].isEmpty
        let rate = Rate(cells["Exchange Rate"])
        if isPaid, rate == nil { throw cells.problem("Exchange Rate must be a number") }
        let names = ["Earned", "Input Tax", "Adjustments", "Withholding Tax", "Total Owed"]
        var exact: [Int64] = []
        for name in names { exact.append(try cells.amount(name)) }
        let minor = exact.map { $0.inMinorUnits(of: currency) }
        // Zeros at the end may be left out, and Apple's currencies have two decimals as a rule.
        let decimals = names.reduce(2) { max($0, cells[$1].drop { $0 != "." }.dropFirst().count) }
        let rounding = decimals < currency.exponent ? powerOfTen(currency.exponent - decimals) / 2 : nil
        self.init(
            region: String(region), currency: currency, earned: minor[0], inputTax: minor[1], adjustments: minor[2],
            withholdingTax: minor[3], owed: minor[4],
            rate: String(cells["Exchange Rate"]), proceeds: try cells.amount("Proceeds").inMinorUnits(of: bank),
            expected: rate?.applied(to: exact[4], bank) ?? 0,
            fractions: minor.map { $0.inTenThousandths(of: currency) } == exact ? nil : exact, rounding: rounding,
            bankRounding: rounding.flatMap { rate?.applied(to: $0.inTenThousandths(of: currency), bank) })
    }
}

extension AppleCells {
    fileprivate var bank: Currency? { Currency(self["Bank Account Currency"]) }

    /// In ten-thousandths; 0 for an empty cell.
    fileprivate func amount(_ name: String) throws(AppleReportProblem) -> Int64 {
        let cell = self[name].filter { $0 != "," }
        if cell.isEmpty { return 0 }
        guard let value = number4(cell) else { throw problem("\(name) must be a number") }
        return value
    }
}

/// The cells of a line, without blanks around them. Quotation marks protect commas.
private func cells(_ line: Substring) -> [Substring] {
    var cells = [""]
    var isQuoted = false
    for character in line {
        if character == "\"" {
            isQuoted.toggle()
        } else if character == ",", !isQuoted {
            cells.append("")
        } else if character != "\u{FEFF}" {
            cells[cells.count - 1].append(["（": "(", "）": ")"][character] ?? character)
        }
    }
    return cells.map { cell in
        var rest = cell.drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return rest
    }
}

/// An exact exchange rate: digits × 10^−decimals.
private struct Rate {
    private var digits: Int64 = 0
    private var decimals = 0

    init?(_ text: Substring) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let all = Int64(parts.joined()), all >= 0, text.utf8.count <= 18 else {
            return nil
        }
        digits = all
        decimals = parts.count == 2 ? parts[1].utf8.count : 0
    }

    /// Ten-thousandths of a currency in the other one's minor units, rounded half away from zero.
    func applied(to amount: Int64, _ to: Currency) -> Int64 {
        let product = Int128(amount) * Int128(digits)
        let scale = Int128(powerOfTen(decimals)) * Int128(powerOfTen(4 - min(4, to.exponent)))
        let half = (product < 0 ? -scale : scale) / 2
        return Int64(clamping: (product + half) / scale)
    }
}
