struct SheetStyles {
    let title: Style
    let headline: Style
    let heading: Style
    let header: Style
    let figureHeader: Style
    /// A text in a column of figures.
    let figureText: Style
    let label: Style
    let link: Style
    let date: Style
    let instant: Style
    let integer: Style
    /// A share of 1, as a percentage.
    let percent: Style
    /// A number with one decimal.
    let decimal: Style
    /// A time in days, as hours, minutes and seconds.
    let duration: Style
    /// A number that must be 0; red if it is not.
    let check: Style
    let wrapped: Style
    /// A line to write on by hand.
    let blank: Style
    /// By the number of the currency's decimals, 0 to 4.
    private let money: [Style]
    private let severities: [Severity: Style]

    init(_ workbook: borrowing Workbook) throws(XlsxError) {
        title = try workbook.style(.bold, .size(16))
        headline = try workbook.style(.bold, .size(13))
        heading = try workbook.style(.bold, .size(12), .color(0x1F3864))
        // A line below would cut the row that follows: some fonts fill its whole height.
        header = try workbook.style(.bold, .background(0xDDE6F2), .wrapped, .top)
        figureHeader = try workbook.style(.bold, .background(0xDDE6F2), .wrapped, .top, .right, .indented)
        figureText = try workbook.style(.top, .right, .indented)
        label = try workbook.style(.bold, .top)
        link = try workbook.style(.color(0x0B5394))
        // Rows may be higher than one line, so values are at the top.
        date = try workbook.style(.number("yyyy-mm-dd"), .left, .top)
        instant = try workbook.style(.number("yyyy-mm-dd hh:mm:ss"), .left, .top)
        integer = try workbook.style(.number("#,##0_)"), .right, .top)
        percent = try workbook.style(.number("0.00%_)"), .right)
        decimal = try workbook.style(.number("#,##0.0_)"), .right)
        duration = try workbook.style(.number("[h]:mm:ss_)"), .right)
        check = try workbook.style(.number("[Red][<>0]#,##0.00##_);0_)"), .right, .top)
        wrapped = try workbook.style(.wrapped, .top)
        blank = try workbook.style(.bottomLine)
        var money: [Style] = []
        for decimals in ["", ".0", ".00", ".000", ".0000"] {
            money.append(try workbook.style(.number("#,##0" + decimals + "_)"), .right, .top))
        }
        self.money = money
        var severities: [Severity: Style] = [:]
        let colors: [(Severity, UInt32)] = [(.critical, 0xF8CBAD), (.high, 0xFFE699), (.medium, 0xFFF2CC)]
        for (severity, color) in colors { severities[severity] = try workbook.style(.background(color)) }
        self.severities = severities
    }

    func money(exponent: Int) -> Style { money[min(exponent, 4)] }
    /// An amount with fractions of its currency's minor unit.
    var fraction: Style { money[4] }
    func severity(_ severity: Severity) -> Style { severities[severity] ?? .plain }
}
