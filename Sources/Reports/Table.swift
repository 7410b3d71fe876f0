internal import Domain

/// What stands in one place of a table; each renderer gives it the form its readers expect.
enum Cell {
    case empty
    case text(String)
    /// A word for a severity; a sheet colours it besides.
    case severity(String, Severity)
    /// Joined by `;`.
    case list([String])
    case integer(Int64)
    case money(Amount)
    /// Milliseconds since 1970, UTC.
    case instant(Int64)
    /// `YYYY-MM-DD`.
    case date(String)

    /// Nil and empty text are both nothing.
    init(_ text: String?) {
        if let text, !text.isEmpty { self = .text(text) } else { self = .empty }
    }

    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .empty }
    init(_ amount: Amount?) { self = amount.map { .money($0) } ?? .empty }
}

/// A column: its name for machines and layouts, and what it shows of a row.
struct Column<Row>: Sendable {
    var name: String
    /// Whether its title names the report's time zone.
    var isInstant = false
    /// Whether it is of numbers.
    var isFigure = false
    var cell: @Sendable (Row) -> Cell

    init(_ name: String, _ cell: @escaping @Sendable (Row) -> Cell) {
        self.name = name
        self.cell = cell
    }

    /// - Parameter instant: milliseconds since 1970, UTC.
    init(_ name: String, instant: @escaping @Sendable (Row) -> Int64?) {
        self.name = name
        isInstant = true
        cell = { instant($0).map { .instant($0) } ?? .empty }
    }

    init(_ name: String, figure: @escaping @Sendable (Row) -> Cell) {
        self.init(name, figure)
        isFigure = true
    }
}

/// Rows under columns: what feeds both `exceptions.csv` and the workbook's sheets.
struct Table<Row: Sendable>: Sendable {
    var columns: [Column<Row>]
    var rows: [Row]
}
