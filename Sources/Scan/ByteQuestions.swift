/// Questions asked of every byte of a file. Loops without a branch, which the compiler makes of many bytes at a time.
extension UnsafeRawBufferPointer {
    /// How often `byte` is among them.
    public func occurrences(of byte: UInt8) -> Int {
        var total = 0
        var index = 0
        while index < count {
            // Counted in a byte, as far as that goes: a wider number would make the compiler's steps smaller.
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

    /// Whether all is ASCII without NUL.
    public var isPlain: Bool {
        var faults: UInt8 = 0
        for byte in self { faults |= byte | (byte &- 1) }
        return faults < 0x80
    }

    /// Whether a control character of ASCII is among the bytes.
    public var hasControls: Bool {
        var faults: UInt8 = 0
        for byte in self { faults |= (byte < 0x20 ? 1 : 0) | (byte == 0x7F ? 1 : 0) }
        return faults != 0
    }
}
