/// Numbers in as few bytes as they need, in one way only: seven bits a byte, lowest first; all but the last have the high
/// bit set.
extension [UInt8] {
    @inlinable
    public mutating func append(short number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// The number at `position`, which moves behind it. Nil where it is cut off or `append` does not write it so.
    @inlinable @inline(__always)
    public func shortNumber(at position: inout Int) -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while position < count, shift < 64 {
            let byte = self[position]
            position += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return shift > 0 && byte == 0 || shift == 63 && byte > 1 ? nil : number }
            shift += 7
        }
        return nil
    }
}
