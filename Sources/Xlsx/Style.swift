internal import CXlsx

/// How a cell looks. Made into a `Style` once a workbook, however many cells have it.
public struct CellStyle: Hashable, Sendable {
    /// An Excel number format, one of ours: `#,##0.00`, `yyyy-mm-dd`. Nil: general.
    public var numberFormat: String?
    public var isBold = false
    public var size: Double?
    /// RGB, `0xF2F2F2`.
    public var background: UInt32?
    public var color: UInt32?
    public var wraps = false
    public var hasBottomLine = false
    public var alignment = Alignment.general

    public enum Alignment: Sendable {
        /// Text at the left, numbers at the right.
        case general
        case left
        /// At the right, one character away from the next column.
        case right
    }

    public init(numberFormat: String? = nil, isBold: Bool = false, alignment: Alignment = .general) {
        self.numberFormat = numberFormat
        self.isBold = isBold
        self.alignment = alignment
    }
}

/// A format of one workbook, by its number. Never to be used with another.
public struct Style: Sendable {
    let number: Int
    /// A cell without a format.
    public static let plain = Style(number: -1)
}

/// The formats of one workbook.
struct Formats {
    private var formats: [UnsafeMutablePointer<lxw_format>] = []

    mutating func add(_ format: UnsafeMutablePointer<lxw_format>) -> Style {
        // Libxlsxwriter numbers formats where they are first used: now, so that neither the order nor the threads in which
        // sheets are written tell.
        _ = lxw_format_get_xf_index(format)
        formats.append(format)
        return Style(number: formats.count - 1)
    }

    subscript(style: Style) -> UnsafeMutablePointer<lxw_format>? { style.number < 0 ? nil : formats[style.number] }
}

extension CellStyle {
    /// Nil where memory is out.
    func makeFormat(in book: UnsafeMutablePointer<lxw_workbook>) -> UnsafeMutablePointer<lxw_format>? {
        guard let format = workbook_add_format(book) else { return nil }
        if let numberFormat { format_set_num_format(format, numberFormat) }
        if isBold { format_set_bold(format) }
        if let size { format_set_font_size(format, size) }
        if let background { format_set_bg_color(format, background) }
        if let color { format_set_font_color(format, color) }
        if wraps { format_set_text_wrap(format) }
        if hasBottomLine { format_set_bottom(format, UInt8(LXW_BORDER_THIN.rawValue)) }
        if wraps { format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_TOP.rawValue)) }
        switch alignment {
        case .general: break
        case .left: format_set_align(format, UInt8(LXW_ALIGN_LEFT.rawValue))
        case .right:
            format_set_align(format, UInt8(LXW_ALIGN_RIGHT.rawValue))
            format_set_indent(format, 1)
        }
        return format
    }
}
