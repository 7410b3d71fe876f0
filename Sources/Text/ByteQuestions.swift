/// Tests of every byte of a file, written as loops without branches, which the compiler vectorizes.
extension UnsafeRawBufferPointer {
    /// How many times `byte` occurs.
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
}
