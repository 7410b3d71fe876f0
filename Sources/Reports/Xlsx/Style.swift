internal import CXlsx

/// The appearance of cells: a format of one workbook. It must not be used with another workbook.
public struct Style: Sendable {
    /// Nil for none. Threads that write sheets share it, and the compiler lets no thread share a pointer.
    nonisolated(unsafe) let format: UnsafeMutablePointer<lxw_format>?  // Safe: `Workbook.style` completes it before.

    public static var plain: Style { Style(format: nil) }

    /// One property of the appearance. `set` applies it to a format of libxlsxwriter.
    struct Property: Sendable {
        let set: @Sendable (UnsafeMutablePointer<lxw_format>) -> Void

        static let bold = Property { format_set_bold($0) }
        static func size(_ points: Double) -> Property { Property { format_set_font_size($0, points) } }
        /// The text colour in RGB, `0xF2F2F2`.
        static func color(_ rgb: UInt32) -> Property { Property { format_set_font_color($0, rgb) } }
        /// The fill colour in RGB.
        static func background(_ rgb: UInt32) -> Property { Property { format_set_bg_color($0, rgb) } }
        /// An Excel number format, such as `#,##0.00` or `yyyy-mm-dd`.
        static func number(_ format: String) -> Property { Property { format_set_num_format($0, format) } }
        /// Text wraps within the cell.
        static let wrapped = Property { format_set_text_wrap($0) }
        /// The content is at the top of a high row.
        static let top = align(LXW_ALIGN_VERTICAL_TOP)
        static let left = align(LXW_ALIGN_LEFT)
        static let right = align(LXW_ALIGN_RIGHT)
        /// The content stays a character away from the side that it is aligned to.
        static let indented = Property { format_set_indent($0, 1) }
        /// The cell has a thin line at the bottom.
        static let bottomLine = Property { format_set_bottom($0, UInt8(LXW_BORDER_THIN.rawValue)) }

        private static func align(_ place: lxw_format_alignments) -> Property {
            Property { format_set_align($0, UInt8(place.rawValue)) }
        }
    }
}
