internal import CXlsx

/// The appearance of cells: a format of one workbook. It must not be used with another workbook.
public struct Style {
    /// Nil for none.
    let format: UnsafeMutablePointer<lxw_format>?

    public static var plain: Style { Style(format: nil) }

    public enum Property {
        case bold
        /// The font size in points.
        case size(Double)
        /// The text colour in RGB, `0xF2F2F2`.
        case color(UInt32)
        /// The fill colour in RGB.
        case background(UInt32)
        /// An Excel number format, such as `#,##0.00` or `yyyy-mm-dd`.
        case number(String)
        /// Text wraps within the cell.
        case wrapped
        /// The content is at the top of a high row.
        case top
        case left
        case right
        /// The cell has a thin line at the bottom.
        case bottomLine
    }
}

extension UnsafeMutablePointer<lxw_format> {
    func set(_ property: Style.Property) {
        switch property {
        case .bold: format_set_bold(self)
        case .size(let points): format_set_font_size(self, points)
        case .color(let color): format_set_font_color(self, color)
        case .background(let color): format_set_bg_color(self, color)
        case .number(let format): format_set_num_format(self, format)
        case .wrapped: format_set_text_wrap(self)
        case .top: format_set_align(self, UInt8(LXW_ALIGN_VERTICAL_TOP.rawValue))
        case .left: format_set_align(self, UInt8(LXW_ALIGN_LEFT.rawValue))
        case .right: format_set_align(self, UInt8(LXW_ALIGN_RIGHT.rawValue))
        case .bottomLine: format_set_bottom(self, UInt8(LXW_BORDER_THIN.rawValue))
        }
    }
}
