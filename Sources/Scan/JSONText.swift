/// Text of a JSON string as it stands in the document: between the quotes, escapes checked and not yet undone.
@frozen
public struct JSONText {
    public let raw: UnsafeRawBufferPointer
    public let hasEscapes: Bool

    @inlinable @inline(__always)
    public init(raw: UnsafeRawBufferPointer, hasEscapes: Bool) {
        self.raw = raw
        self.hasEscapes = hasEscapes
    }

    public var string: String { withUnescaped { String(decoding: $0, as: UTF8.self) } }

    /// Lends the text itself, in UTF-8: the document's own bytes where nothing is escaped.
    @inlinable @inline(__always)
    public func withUnescaped<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        hasEscapes ? try unescaped().withUnsafeBytes(body) : try body(raw)
    }

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
    /// The character that the escape at `offset` stands for, and how many bytes spell it; nil where it is none.
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

    /// `\uXXXX`, or the two that make a surrogate pair.
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
    /// The string that begins here.
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

    /// Steps over what needs no second look: printable ASCII but quote and backslash.
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

    /// The top bit of each byte that is a quote, a backslash, a control character or no ASCII. Exact for the lowest
    /// of them only: a borrow may spoil those above.
    @inlinable @inline(__always)
    public static func special(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ ones &* 0x22
        let backslash = word ^ ones &* 0x5C
        return ((quote &- ones) | (backslash &- ones) | (word &- ones &* 0x20) | word) & (ones &* 0x80)
    }

    /// The string from where something needs a second look.
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
                guard let escape = JSONEscape.decode(bytes, at: offset) else { throw fault("no escape of JSON's") }
                hasEscapes = true
                offset += escape.length
            case 0x80...:
                guard let length = UTF8Check.length(of: bytes, at: offset) else { throw fault("no UTF-8") }
                offset += length
            default: throw fault("a string must be closed, and its control characters escaped")
            }
        }
    }
}
