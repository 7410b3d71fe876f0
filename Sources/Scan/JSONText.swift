/// The text of a JSON string as written in the document: the bytes between the quotes. Escapes are checked, not
/// decoded.
@frozen
public struct JSONText {
    /// The bytes between the quotes.
    public let raw: UnsafeRawBufferPointer
    /// Whether `raw` contains escapes.
    public let hasEscapes: Bool

    @inlinable @inline(__always)
    /// A text. `raw` must be valid.
    public init(raw: UnsafeRawBufferPointer, hasEscapes: Bool) {
        self.raw = raw
        self.hasEscapes = hasEscapes
    }

    /// The decoded text.
    public var string: String { withUnescaped { String(decoding: $0, as: UTF8.self) } }

    /// Lends the decoded text in UTF-8. Without escapes, these are the document's own bytes.
    @inlinable @inline(__always)
    public func withUnescaped<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        hasEscapes ? try unescaped().withUnsafeBytes(body) : try body(raw)
    }

    /// The decoded text in UTF-8.
    public func unescaped() -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(raw.count)
        var offset = 0
        while offset < raw.count {
            if raw[offset] == UInt8(ascii: "\\") {
                let (scalar, length) = JSONEscape.decode(raw, at: offset)!
                text.append(contentsOf: UTF8.encode(scalar)!)
                offset += length
            } else {
                text.append(raw[offset])
                offset += 1
            }
        }
        return text
    }
}

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

extension JSONCursor {
    /// Reads the string at the cursor, which must be a quote.
    @inlinable @inline(__always)
    public mutating func string() throws(JSONError) -> JSONText {
        offset += 1
        let start = offset
        skipPlain()
        if here == UInt8(ascii: "\"") {
            offset += 1
            return JSONText(raw: bytes.part(start, offset - 1), hasEscapes: false)
        }
        return try restOfString(from: start)
    }

    /// Skips bytes that need no further check: printable ASCII other than quote and backslash. Eight bytes at a time.
    @inlinable @inline(__always)
    public mutating func skipPlain() {
        while offset + 8 <= bytes.count {
            let special = Self.special(in: bytes.word(at: offset))
            if special != 0 {
                offset += special.trailingZeroBitCount / 8
                return
            }
            offset += 8
        }
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
            offset += 1
        }
    }

    /// Sets the top bit of each byte that is a quote, a backslash, a control character or not ASCII. Exact only for the
    /// lowest such byte: a borrow may affect those above it.
    @inlinable @inline(__always)
    public static func special(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ ones &* 0x22
        let backslash = word ^ ones &* 0x5C
        return ((quote &- ones) | (backslash &- ones) | (word &- ones &* 0x20) | word) & (ones &* 0x80)
    }

    /// Continues a string at a byte that needs a further check.
    @inline(never)
    public mutating func restOfString(from start: Int) throws(JSONError) -> JSONText {
        var hasEscapes = false
        while true {
            skipPlain()
            switch here {
            case UInt8(ascii: "\""):
                offset += 1
                return JSONText(raw: bytes.part(start, offset - 1), hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                guard let escape = JSONEscape.decode(bytes, at: offset) else { throw fault("not a JSON escape") }
                hasEscapes = true
                offset += escape.length
            case 0x80...:
                guard let length = UTF8Check.length(of: bytes, at: offset) else { throw fault("not UTF-8") }
                offset += length
            default: throw fault("a string must be closed, and its control characters escaped")
            }
        }
    }
}
