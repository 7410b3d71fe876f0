/// A value in a table. Values keep their type until a renderer (CSV, sheet, page) gives them the form that its readers
/// expect.
enum Cell {
    case empty
    case text(String)
    /// A word for a severity, which a sheet also colours.
    case severity(String, Severity)
    /// Several texts, joined by `;`.
    case list([String])
    case integer(Int64)
    case money(Money)
    case instant(Instant)
    case date(BusinessDate)

    /// A text; nil and an empty text become an empty cell.
    init(_ text: String?) {
        if let text, !text.isEmpty { self = .text(text) } else { self = .empty }
    }

    /// Whether it is a number or an amount, which are aligned right.
    var isFigure: Bool {
        switch self {
        case .integer, .money: true
        default: false
        }
    }

    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .empty }
    init(_ date: BusinessDate?) { self = date.map { .date($0) } ?? .empty }
    init(_ amount: Money?) { self = amount.map { .money($0) } ?? .empty }
}

/// A column: its name for machines and layouts, and the value that it shows for a row. The title comes from the texts.
struct Column<Row>: Sendable {
    var name: String
    /// Whether it contains instants, so that its title names the report's time zone.
    var isInstant = false
    /// Whether it contains numbers, which are aligned right.
    var isFigure = false
    var cell: @Sendable (Row) -> Cell

    init(_ name: String, _ cell: @escaping @Sendable (Row) -> Cell) {
        self.name = name
        self.cell = cell
    }

    init(_ name: String, instant: @escaping @Sendable (Row) -> Instant?) {
        self.name = name
        isInstant = true
        cell = { instant($0).map { .instant($0) } ?? .empty }
    }

    init(_ name: String, figure: @escaping @Sendable (Row) -> Cell) {
        self.init(name, figure)
        isFigure = true
    }
}

/// Columns and rows. The same columns serve `exceptions.csv` and the workbook's sheets.
struct Table<Row: Sendable>: Sendable {
    var columns: [Column<Row>]
    var rows: [Row]
}
