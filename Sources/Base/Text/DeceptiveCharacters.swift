extension Unicode.Scalar {
    /// Whether the character controls a terminal or deceives a reader: a C0, DEL or C1 control, a zero-width or direction
    /// mark, a line separator, a byte order mark, a non-character or a tag.
    public var isDeceptive: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
            0xFFF9...0xFFFB, 0xFFFE, 0xFFFF, 0xE0000...0xE007F:
            true
        default: false
        }
    }
}
