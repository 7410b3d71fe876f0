/// Checks UTF-8 by table 3-7 of the Unicode Standard: shortest forms only, no surrogates, nothing beyond U+10FFFF.
public enum UTF8Check {
    /// The length of the multi-byte character at `offset`; nil if it is invalid.
    public static func length(of bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
        let (length, second) = shape(of: bytes[offset])
        guard length > 0, offset + length <= bytes.count, second.contains(bytes[offset + 1]) else { return nil }
        for index in offset + 2..<max(offset + 2, offset + length) where bytes[index] & 0xC0 != 0x80 { return nil }
        return length
    }

    /// The length that the first byte implies, and the range of the second byte.
    private static func shape(of first: UInt8) -> (length: Int, second: ClosedRange<UInt8>) {
        switch first {
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xE1...0xEF: (3, 0x80...0xBF)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        default: (0, 0...0)
        }
    }

    /// The index of the first byte that is not part of a valid character; nil if all are.
    public static func firstFault(in bytes: UnsafeRawBufferPointer) -> Int? {
        var offset = 0
        while offset < bytes.count {
            if offset + 8 <= bytes.count, bytes.word(at: offset) & 0x8080_8080_8080_8080 == 0 {
                offset += 8
            } else if bytes[offset] < 0x80 {
                offset += 1
            } else {
                guard let length = length(of: bytes, at: offset) else { return offset }
                offset += length
            }
        }
        return nil
    }
}
