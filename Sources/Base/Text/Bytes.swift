public import Glibc

/// Basic operations on bytes in place.
extension UnsafeRawBufferPointer {
    @inlinable @inline(__always)
    public func isEqual(to text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return isEqual(to: UnsafeRawBufferPointer(start: text.utf8Start, count: count))
    }

    /// Whether the bytes are the same as `other`'s. Compares eight at a time.
    @inlinable @inline(__always)
    public func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index + 8 < count {
            if word(at: index) != other.word(at: index) { return false }
            index += 8
        }
        return lastWord() == other.lastWord()
    }

    /// The index of the first `byte` at or after `start`; nil if absent.
    @inlinable @inline(__always)
    public func position(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start < count, let base = baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(byte), count - start) else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// The bytes `from..<to`, not copied.
    @inlinable @inline(__always)
    public func part(_ from: Int, _ to: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[from..<to])
    }

    /// The eight bytes from `index`, the first in the lowest bits.
    @inlinable @inline(__always)
    public func word(at index: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The last eight bytes. If there are fewer, a number that is different for all texts of the same length.
    @inlinable @inline(__always)
    public func lastWord() -> UInt64 {
        if count >= 8 { return word(at: count - 8) }
        if count >= 4 {
            let (first, last) = (
                loadUnaligned(as: UInt32.self), loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            )
            return UInt64(last) << 32 | UInt64(first)
        }
        if count == 0 { return 0 }
        let (first, middle, last) = (UInt64(self[0]), UInt64(self[count / 2]), UInt64(self[count - 1]))
        return last << 16 | middle << 8 | first
    }

    /// A 64-bit hash. Two different texts collide with a probability of about 2⁻⁶⁴. Not cryptographic.
    @inlinable
    public func fingerprint(seed: UInt64 = 0) -> UInt64 {
        // The length is spread over all bits: the words of short texts of different lengths differ in few of them.
        var state = seed ^ UInt64(count) &* 0x9E37_79B9_7F4A_7C15
        var index = 0
        while index + 8 < count {
            let product = (state ^ word(at: index)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            state = product.high ^ product.low
            index += 8
        }
        return mix(state ^ lastWord())
    }
}

/// Scrambles `value` so that every bit of the result depends on every bit of it. A bijection: no two values collide.
@inlinable @inline(__always)
public func mix(_ value: UInt64) -> UInt64 {
    var mixed = (value ^ value >> 32) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
    return mixed ^ mixed >> 32
}
