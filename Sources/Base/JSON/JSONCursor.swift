/// A position in a JSON text. Each function reads the element it is named after, or throws.
@usableFromInline
struct JSONCursor {
    /// The document.
    @usableFromInline let bytes: UnsafeRawBufferPointer
    /// The number of bytes read so far.
    @usableFromInline var offset = 0

    /// A cursor at the beginning.
    @inlinable @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The byte at the cursor; 0, which begins no element, at the end.
    @inlinable @inline(__always)
    var here: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    /// Skips white space.
    @inlinable @inline(__always)
    mutating func skipSpace() {
        // Exported JSON has hardly any white space: one comparison rules it out for most bytes.
        while offset < bytes.count, bytes[offset] <= 0x20 {
            let byte = bytes[offset]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            offset += 1
        }
    }

    /// Reads an opening bracket; `reason` is the error message.
    @inlinable @inline(__always)
    mutating func open(_ bracket: UInt8, _ reason: StaticString) throws(JSONError) {
        skipSpace()
        guard here == bracket else { throw fault(reason) }
        offset += 1
    }

    /// Whether another element follows; reads the comma before it. If not, reads the closing bracket.
    @inlinable @inline(__always)
    mutating func hasNext(close: UInt8, isFirst: Bool) throws(JSONError) -> Bool {
        skipSpace()
        if here == close {
            offset += 1
            return false
        }
        if !isFirst {
            guard here == UInt8(ascii: ",") else { throw fault("expected a comma or the closing bracket") }
            offset += 1
            skipSpace()
        }
        return true
    }

    /// Reads a key, the colon, and the white space before the value.
    @inlinable @inline(__always)
    mutating func key() throws(JSONError) -> JSONText {
        guard here == UInt8(ascii: "\"") else { throw fault("expected a key in quotes") }
        let key = try string()
        try colon()
        return key
    }

    /// Reads the colon after a key and the white space before the value.
    @inlinable @inline(__always)
    mutating func colon() throws(JSONError) {
        skipSpace()
        guard here == UInt8(ascii: ":") else { throw fault("expected a colon") }
        offset += 1
        skipSpace()
    }

    /// Reads the value at the cursor.
    @inlinable @inline(__always)
    mutating func value() throws(JSONError) -> JSONValue {
        let start = offset
        switch here {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            try number()
            return .number(bytes.part(start, offset))
        default: return try rareValue()
        }
    }

    /// Reads a value that is neither a string nor a number. Separate, so that `value` can be inlined.
    @usableFromInline
    mutating func rareValue() throws(JSONError) -> JSONValue {
        let start = offset
        switch here {
        case UInt8(ascii: "t"):
            try word("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null")
            return .null
        case UInt8(ascii: "{"):
            try skipNested()
            return .object(bytes.part(start, offset))
        case UInt8(ascii: "["):
            try skipNested()
            return .array(bytes.part(start, offset))
        default: throw fault("expected a value")
        }
    }

    private mutating func word(_ text: StaticString) throws(JSONError) {
        let end = offset + text.utf8CodeUnitCount
        guard end <= bytes.count, bytes.part(offset, end).isEqual(to: text) else { throw fault("expected a value") }
        offset = end
    }

    /// Throws unless only white space is left.
    @inlinable @inline(__always)
    mutating func finish() throws(JSONError) {
        skipSpace()
        guard offset == bytes.count else { throw fault("nothing may follow here") }
    }

    /// The error for the cursor's position.
    @inline(never)
    @usableFromInline
    func fault(_ reason: StaticString) -> JSONError {
        JSONError(offset, offset < bytes.count ? "\(reason)" : "\(reason), found the end")
    }
}

extension JSONCursor {
    /// Skips the object or array at the cursor and checks its syntax. Repeated keys are not detected.
    /// - Parameter depth: its level. The caller's is 1.
    mutating func skipNested(depth: Int = 2) throws(JSONError) {
        let close = here == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
        offset += 1
        guard depth <= JSONReader.depthMax else { throw fault("nested deeper than 32 levels") }
        var isFirst = true
        while try hasNext(close: close, isFirst: isFirst) {
            isFirst = false
            if close == UInt8(ascii: "}") { _ = try key() }
            if here == UInt8(ascii: "{") || here == UInt8(ascii: "[") {
                try skipNested(depth: depth + 1)
            } else {
                _ = try value()
            }
        }
    }

    /// Skips a number: an optional `-`, digits without a leading zero, an optional fraction, an optional exponent.
    @inlinable
    mutating func number() throws(JSONError) {
        if here == UInt8(ascii: "-") { offset += 1 }
        let isZero = here == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, !isZero || whole == 1 else { throw fault("a number is misspelled") }
        if here == UInt8(ascii: ".") {
            offset += 1
            guard digits() > 0 else { throw fault("a number is misspelled") }
        }
        if here | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if here == UInt8(ascii: "+") || here == UInt8(ascii: "-") { offset += 1 }
            guard digits() > 0 else { throw fault("a number is misspelled") }
        }
    }

    /// Skips digits and returns how many there were.
    @inlinable @inline(__always)
    mutating func digits() -> Int {
        let start = offset
        while here &- UInt8(ascii: "0") <= 9 { offset += 1 }
        return offset - start
    }
}
