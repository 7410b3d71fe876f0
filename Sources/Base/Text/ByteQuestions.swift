/// Tests of every byte of a file, written as loops without branches, which the compiler vectorizes.
extension UnsafeRawBufferPointer {
    public func occurrences(of byte: UInt8) -> Int {
        var total = 0
        var index = 0
        while index < count {
            // Counted in an 8-bit number for up to 255 bytes; with a wider counter the vectorized loop would process
            // fewer bytes a step.
            let end = Swift.min(count, index + 255)
            var found: UInt8 = 0
            while index < end {
                found &+= self[index] == byte ? 1 : 0
                index &+= 1
            }
            total += Int(found)
        }
        return total
    }

    /// Whether all bytes are ASCII other than NUL.
    public var isPlain: Bool {
        var faults: UInt8 = 0
        for byte in self { faults |= byte | (byte &- 1) }
        return faults < 0x80
    }

    /// Whether any byte is an ASCII control character.
    public var hasControls: Bool {
        var faults: UInt8 = 0
        for byte in self { faults |= (byte < 0x20 ? 1 : 0) | (byte == 0x7F ? 1 : 0) }
        return faults != 0
    }

    /// Whether the bytes are a number in scientific notation with a signed exponent, such as `2.0000009E+15`.
    public var isScientific: Bool {
        guard let exponent = firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }), exponent > 0,
            exponent + 2 < count, self[exponent + 1] == UInt8(ascii: "+")
        else { return false }
        let isDigit = { (byte: UInt8) in byte &- 0x30 <= 9 }
        return part(exponent + 2, count).allSatisfy(isDigit) && isDigit(self[0])
            && part(0, exponent).allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
    }
}

extension String {
    /// Whether any byte of its UTF-8 is one of these. `isOne` should be a comparison or a few: all bytes are tested,
    /// many at once.
    @inlinable
    public func hasByte(where isOne: (UInt8) -> Bool) -> Bool {
        let bytes = utf8.span
        var found = false
        for index in bytes.indices { found = isOne(bytes[unchecked: index]) || found }
        return found
    }
}
