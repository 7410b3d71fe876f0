/// A plain decimal in units of 10^−`decimals`, exact: (`"0.01"`, 6) is 10,000.
///
/// Only digits and at most one point between them. Nil for anything else: a sign, an exponent, further decimals other
/// than zeros, or a value above 10^15.
public func scaledDecimal(_ text: String, decimals: Int) -> Int64? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }) else {
        return nil
    }
    let fraction = parts.count == 2 ? Array(parts[1]) : []
    guard fraction.dropFirst(decimals).allSatisfy({ $0 == UInt8(ascii: "0") }) else { return nil }
    let kept = fraction.prefix(decimals)
    let digits = Array(parts[0]) + kept + Array(repeating: UInt8(ascii: "0"), count: decimals - kept.count)
    var value: Int64 = 0
    for digit in digits {
        value = value * 10 + Int64(digit - 0x30)
        if value > 1_000_000_000_000_000 { return nil }
    }
    return value
}
