internal import Domain
internal import Xlsx

/// The formats of a workbook.
struct SheetStyles {
    let title: Style
    let headline: Style
    let heading: Style
    let header: Style
    let figureHeader: Style
    let label: Style
    let link: Style
    let date: Style
    let instant: Style
    let integer: Style
    /// A share of 1, as a percentage.
    let percent: Style
    /// A number that must be 0; red if it is not.
    let check: Style
    let wrapped: Style
    /// A line to write on by hand.
    let blank: Style
    /// By the number of the currency's decimals, 0 to 4.
    private let money: [Style]
    private let severities: [Severity: Style]

    init(_ workbook: inout Workbook) throws(XlsxError) {
        var big = CellStyle(isBold: true)
        big.size = 16
        title = try workbook.style(big)
        big.size = 13
        headline = try workbook.style(big)
        var heading = CellStyle(isBold: true)
        heading.size = 12
        heading.color = 0x1F3864
        self.heading = try workbook.style(heading)
        var header = CellStyle(isBold: true)
        header.background = 0xDDE6F2
        header.hasBottomLine = true
        header.wraps = true
        self.header = try workbook.style(header)
        header.alignment = .right
        figureHeader = try workbook.style(header)
        var label = CellStyle(isBold: true)
        label.isTop = true
        self.label = try workbook.style(label)
        var link = CellStyle()
        link.color = 0x0B5394
        self.link = try workbook.style(link)
        // Rows may be higher than one line.
        func top(_ format: String, _ alignment: CellStyle.Alignment) -> CellStyle {
            var style = CellStyle(numberFormat: format, alignment: alignment)
            style.isTop = true
            return style
        }
        date = try workbook.style(top("yyyy-mm-dd", .left))
        instant = try workbook.style(top("yyyy-mm-dd hh:mm:ss", .left))
        integer = try workbook.style(top("#,##0_)", .right))
        percent = try workbook.style(CellStyle(numberFormat: "0.00%_)", alignment: .right))
        check = try workbook.style(CellStyle(numberFormat: "[Red][<>0]#,##0.00##_);0_)", alignment: .right))
        var wrapped = CellStyle()
        wrapped.wraps = true
        self.wrapped = try workbook.style(wrapped)
        var blank = CellStyle()
        blank.hasBottomLine = true
        self.blank = try workbook.style(blank)
        var money: [Style] = []
        for decimals in ["", ".0", ".00", ".000", ".0000"] {
            money.append(try workbook.style(top("#,##0" + decimals + "_)", .right)))
        }
        self.money = money
        var severities: [Severity: Style] = [:]
        let colors: [(Severity, UInt32)] = [(.critical, 0xF8CBAD), (.high, 0xFFE699), (.medium, 0xFFF2CC)]
        for (severity, color) in colors {
            var style = CellStyle()
            style.background = color
            severities[severity] = try workbook.style(style)
        }
        self.severities = severities
    }

    func money(exponent: Int) -> Style { money[min(exponent, 4)] }
    func severity(_ severity: Severity) -> Style { severities[severity] ?? .plain }
}
