/// Questions asked of every byte of a file: eight bytes at a time, without a branch.
extension UnsafeRawBufferPointer {
    private static var high: UInt64 { 0x8080_8080_8080_8080 }
    private static func all(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// How often `byte` is among them.
    public func occurrences(of byte: UInt8) -> Int {
        var total = 0
        var index = 0
        while index + 8 <= count {
            // Each byte of `counts` counts for itself, as far as a byte goes.
            let end = Swift.min(count - 7, index + 255 * 8)
            var counts: UInt64 = 0
            while index < end {
                let difference = word(at: index) ^ Self.all(byte)
                let isOther = (difference & ~Self.high) &+ ~Self.high | difference
                counts &+= (~isOther & Self.high) >> 7
                index += 8
            }
            while counts != 0 {
                total += Int(counts & 0xFF)
                counts >>= 8
            }
        }
        return self[index...].reduce(total) { $0 + ($1 == byte ? 1 : 0) }
    }

    /// Whether all is ASCII without NUL.
    public var isPlain: Bool {
        var faults: UInt64 = 0
        forEachWord { faults |= $0 | ($0 &- Self.all(1)) }
        return faults & Self.high == 0
    }

    /// Whether a control character of ASCII is among the bytes.
    public var hasControls: Bool {
        var faults: UInt64 = 0
        // Of an ASCII byte, one less than a blank borrows from the top bit, and one more than `~` carries into it.
        forEachWord { faults |= (($0 &- Self.all(0x20)) | (($0 & ~Self.high) &+ Self.all(1))) & ~$0 }
        return faults & Self.high != 0
    }

    /// The bytes eight at a time, the last filled up with `~`, which no question is about.
    @inline(__always)
    private func forEachWord(_ body: (UInt64) -> Void) {
        var index = 0
        while index + 8 < count {
            body(word(at: index))
            index += 8
        }
        body(lastWord(fill: Self.all(UInt8(ascii: "~"))))
    }
}
