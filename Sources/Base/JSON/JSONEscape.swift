/// The escapes of RFC 8259 §7.
enum JSONEscape {
    /// The character for the escape at `offset`, and the escape's length in bytes; nil if it is invalid.
    static func decode(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> (scalar: Unicode.Scalar, length: Int)? {
        guard offset + 1 < bytes.count else { return nil }
        let scalar: Unicode.Scalar
        switch bytes[offset + 1] {
        case UInt8(ascii: "\""): scalar = "\""
        case UInt8(ascii: "\\"): scalar = "\\"
        case UInt8(ascii: "/"): scalar = "/"
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"): return decodeUTF16(bytes, at: offset)
        default: return nil
        }
        return (scalar, 2)
    }

    /// Decodes `\uXXXX`, or two of them that form a surrogate pair.
    private static func decodeUTF16(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> (Unicode.Scalar, Int)? {
        guard let first = codeUnit(bytes, at: offset) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        guard first < 0xDC00, let second = codeUnit(bytes, at: offset + 6), (0xDC00...0xDFFF).contains(second) else {
            return nil
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)).map { ($0, 12) }
    }

    private static func codeUnit(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32? {
        guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[offset + 2..<offset + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
