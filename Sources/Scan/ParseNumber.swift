public import Domain

/// Strict readers of single values: each returns nil where the bytes are not exactly that.
public enum Parse {
    /// A whole number in ASCII digits, `-` before it allowed. Nil also beyond 64 bits.
    public static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = bytes.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in digits {
            let digit = Int64(byte) - 0x30
            guard 0...9 ~= digit else { return nil }
            // Counted downwards: the smallest number has no positive twin.
            let (scaled, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (next, isTooLargeYet) = scaled.subtractingReportingOverflow(digit)
            guard !isTooLarge, !isTooLargeYet else { return nil }
            value = next
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// No amount of a single row is larger, in minor units: sums of millions of them still fit.
    public static let minorMax: Int64 = 1_000_000_000_000_000

    /// A decimal number (`6.00`, `-0.5`) in units of 10^−`exponent`, exact. More decimals than that only if zeros.
    ///
    /// Nil also for `+`, blanks, an exponent, thousands separators, a bare point, and beyond `minorMax`.
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
        let scale = powerOfTen(max(0, min(exponent - (decimals ?? 0), 4)))
        // Divided, not multiplied: with four decimals the product may not fit.
        guard value <= minorMax / scale else { return nil }
        return isNegative ? -value * scale : value * scale
    }

    /// An identifier; nil for the ways of writing none: empty, `0`, `null` (in either case, as databases export it).
    public static func identifier(_ bytes: UnsafeRawBufferPointer) -> Identifier? {
        namesNothing(bytes) ? nil : Identifier(bytes: bytes)
    }

    @inlinable @inline(__always)
    public static func namesNothing(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.isEmpty || bytes.isEqual(to: "0") || bytes.isEqual(to: "null") || bytes.isEqual(to: "NULL")
    }
}
