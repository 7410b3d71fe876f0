extension JSONCursor {
    /// Reads the string at the cursor, which must be a quote.
    @inlinable @inline(__always)
    mutating func string() throws(JSONError) -> JSONText {
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
    mutating func skipPlain() {
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
    static func special(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ ones &* 0x22
        let backslash = word ^ ones &* 0x5C
        return ((quote &- ones) | (backslash &- ones) | (word &- ones &* 0x20) | word) & (ones &* 0x80)
    }

    /// Continues a string at a byte that needs a further check.
    @inline(never)
    @usableFromInline
    mutating func restOfString(from start: Int) throws(JSONError) -> JSONText {
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
