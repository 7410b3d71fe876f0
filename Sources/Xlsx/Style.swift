internal import CXlsx

/// The appearance of a cell. `Workbook.style` turns it into a `Style`, once per workbook.
public struct CellStyle: Hashable, Sendable {
    /// An Excel number format, such as `#,##0.00` or `yyyy-mm-dd`; nil for "General".
    public var numberFormat: String?
    /// Whether text is bold.
    public var isBold = false
    /// The font size in points; nil for the default.
    public var size: Double?
    /// The fill colour in RGB, `0xF2F2F2`; nil for none.
    public var background: UInt32?
    /// The text colour in RGB; nil for the default.
    public var color: UInt32?
    /// Whether text wraps within the cell, aligned at the top.
    public var wraps = false
    /// Whether the content is aligned at the top of a high row.
    public var isTop = false
    /// Whether the cell has a thin line at the bottom.
    public var hasBottomLine = false
    /// The horizontal alignment.
    public var alignment = Alignment.general

    /// Horizontal alignments.
    public enum Alignment: Sendable {
        /// Excel's default: text left, numbers right.
        case general
        case left
        /// Right.
        case right
    }

    /// A style with these properties; set others afterwards.
    public init(numberFormat: String? = nil, isBold: Bool = false, alignment: Alignment = .general) {
        self.numberFormat = numberFormat
        self.isBold = isBold
        self.alignment = alignment
    }
}

/// A format of one workbook, by number. It must not be used with another workbook.
public struct Style: Sendable {
    /// The place in `Formats`. -1 for none.
    let number: Int
    /// A cell without a format.
    public static let plain = Style(number: -1)
}

/// The formats of one workbook.
struct Formats {
    private var formats: [UnsafeMutablePointer<lxw_format>] = []

    mutating func add(_ format: UnsafeMutablePointer<lxw_format>) -> Style {
        // libxlsxwriter numbers a format when it is first used. Its number should not depend on the sheets' order.
        _ = lxw_format_get_xf_index(format)
        formats.append(format)
        return Style(number: formats.count - 1)
    }

    subscript(style: Style) -> UnsafeMutablePointer<lxw_format>? { style.number < 0 ? nil : formats[style.number] }
}

extension CellStyle {
    /// Nil if memory is exhausted.
    func makeFormat(in workbook: UnsafeMutablePointer<lxw_workbook>) -> UnsafeMutablePointer<lxw_format>? {
        guard let format = workbook_add_format(workbook) else { return nil }
        if let numberFormat { format_set_num_format(format, numberFormat) }
        if isBold { format_set_bold(format) }
        if let size { format_set_font_size(format, size) }
        if let background { format_set_bg_color(format, background) }
        if let color { format_set_font_color(format, color) }
        if wraps { format_set_text_wrap(format) }
        if hasBottomLine { format_set_bottom(format, UInt8(LXW_BORDER_THIN.rawValue)) }
        if wraps || isTop { format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_TOP.rawValue)) }
        switch alignment {
        case .general: break
        case .left: format_set_align(format, UInt8(LXW_ALIGN_LEFT.rawValue))
        case .right:
            format_set_align(format, UInt8(LXW_ALIGN_RIGHT.rawValue))
        }
        return format
    }
}
