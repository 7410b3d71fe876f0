/// JSON values over any number of lines: one value, several one after the other, or the elements of a list.
///
/// A record is a value with the white space and commas after it. The brackets of the list around the values are records
/// of their own, and so is white space at the beginning.
extension Framing {
    /// The record that begins at `start`. Nil if `bytes` end before the value does and more may follow.
    func jsonRecord(_ bytes: UnsafeRawBufferPointer, from start: Int, isLast: Bool) -> Record? {
        guard let valueEnd = Self.valueEnd(bytes, from: start) ?? (isLast ? bytes.count : nil) else { return nil }
        var end = valueEnd
        while end < bytes.count, Self.isBetweenValues(bytes[end]) { end += 1 }
        return Record(end: end, lines: bytes.part(start, end).occurrences(of: Self.lineFeed))
    }

    /// Whether the byte is white space or a comma.
    private static func isBetweenValues(_ byte: UInt8) -> Bool {
        byte == 0x20 || 0x09...0x0D ~= byte || byte == UInt8(ascii: ",")
    }

    /// The end of the value at `start`, or of the single bracket or space; nil if the bytes end before it.
    private static func valueEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        switch bytes[start] {
        // Brackets are only counted: the JSON reader finds every other fault.
        case UInt8(ascii: "{"):
            return brackets(bytes, from: start, untilClosed: true).flatMap { $0.depth == 0 ? $0.end : nil }
        case Framing.quote: return stringEnd(bytes, from: start)
        case UInt8(ascii: "["), UInt8(ascii: "]"): return start + 1
        case let byte where isBetweenValues(byte): return start + 1
        default:
            return (start + 1..<bytes.count).first { index in
                isBetweenValues(bytes[index]) || [0x22, 0x5B, 0x5D, 0x7B].contains(bytes[index])
            }
        }
    }

    /// The number of open brackets outside strings, and the place where counting ended. With `untilClosed`, counting ends
    /// where the first bracket is closed. Nil if a string is still open.
    static func brackets(
        _ bytes: UnsafeRawBufferPointer, from start: Int, untilClosed: Bool
    ) -> (depth: Int, end: Int)? {
        var depth = 0
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case Framing.quote:
                guard let end = stringEnd(bytes, from: index) else { return nil }
                index = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if untilClosed, depth == 0 { return (0, index + 1) }
            default: break
            }
            index += 1
        }
        return (depth, index)
    }

    private static func stringEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start + 1
        while let quote = bytes.position(of: Framing.quote, from: index) {
            var slashes = 0
            while bytes[quote - 1 - slashes] == UInt8(ascii: "\\") { slashes += 1 }
            if slashes % 2 == 0 { return quote + 1 }
            index = quote + 1
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    /// The value of a record, without what stands after it.
    var withoutSeparators: UnsafeRawBufferPointer {
        var end = count
        while end > 0, self[end - 1] <= 0x20 || self[end - 1] == UInt8(ascii: ",") { end -= 1 }
        return part(0, end)
    }
}
