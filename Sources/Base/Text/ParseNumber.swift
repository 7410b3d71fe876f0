/// Strict parsers of single values. Each returns nil unless all the bytes are one such value.
public enum Parse {
    /// A whole number in ASCII digits with an optional `-`. Nil also if it does not fit 64 bits.
    public static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let first = isNegative ? 1 : 0
        guard bytes.count > first else { return nil }
        var magnitude: UInt64 = 0
        for index in first..<bytes.count {
            let digit = bytes[index] &- 0x30
            // Leading zeros do not count; nineteen digits fit in an unsigned 64-bit number.
            guard digit <= 9, magnitude < 1_000_000_000_000_000_000 else { return nil }
            magnitude = magnitude &* 10 &+ UInt64(digit)
        }
        if isNegative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
        return Int64(exactly: magnitude)
    }

    /// The largest amount of a single row, in minor units. Sums of thousands of such amounts still fit 64 bits.
    public static let minorMax: Int64 = 1_000_000_000_000_000

    /// A decimal number (`6.00`, `-0.5`) in units of 10^−`exponent`, exact. Further decimals are allowed only if they
    /// are zeros.
    ///
    /// Nil also for `+`, blanks, an exponent, thousands separators, a bare decimal point, and numbers beyond
    /// `minorMax`.
    public static func decimal(_ bytes: UnsafeRawBufferPointer, exponent: Int) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        var value: Int64 = 0
        var wholeDigits = 0
        var decimals: Int?
        for byte in bytes.dropFirst(isNegative ? 1 : 0) {
            if byte == UInt8(ascii: "."), decimals == nil, wholeDigits > 0 {
                decimals = 0
                continue
            }
            let digit = Int64(byte) - 0x30
            guard 0...9 ~= digit else { return nil }
            if let count = decimals { decimals = count + 1 } else { wholeDigits += 1 }
            if let count = decimals, count > exponent {
                guard digit == 0 else { return nil }
                continue
            }
            value = value * 10 + digit
            guard value <= minorMax else { return nil }
        }
        guard wholeDigits > 0, decimals != 0 else { return nil }
        let scale = powerOfTen(max(0, exponent - (decimals ?? 0)))
        // Divides rather than multiplies, because the product might not fit.
        guard value <= minorMax / scale else { return nil }
        return isNegative ? -value * scale : value * scale
    }

    /// The same for a text.
    public static func decimal(_ text: some StringProtocol, exponent: Int) -> Int64? {
        var copy = String(text)
        return copy.withUTF8 { decimal(UnsafeRawBufferPointer($0), exponent: exponent) }
    }

    /// An identifier; nil for the ways in which exports write "none": empty, `0`, `null`, `NULL`.
    public static func identifier(_ bytes: UnsafeRawBufferPointer) -> Identifier? {
        namesNothing(bytes) ? nil : Identifier(bytes: bytes)
    }

    /// Whether the bytes are one of the ways to write "none".
    @inlinable @inline(__always)
    public static func namesNothing(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count <= 4
            && (bytes.isEmpty || bytes.isEqual(to: "0") || bytes.isEqual(to: "null") || bytes.isEqual(to: "NULL"))
    }
}
