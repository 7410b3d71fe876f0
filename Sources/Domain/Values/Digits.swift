/// The number in decimal, filled with zeros on the left to at least `width` digits.
public func padded(_ number: some BinaryInteger, _ width: Int) -> String {
    let digits = String(number.magnitude)
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// `value` × 10^−`exponent` as exact decimal text: (600, 2) is `6.00`.
public func decimal(_ value: Int64, exponent: Int) -> String {
    guard exponent > 0 else { return String(value) }
    let digits = max(String(value.magnitude).utf8.count, exponent + 1)
    let start = value < 0 ? 1 : 0
    return String(unsafeUninitializedCapacity: start + digits + 1) { memory in
        let bytes = UnsafeMutableRawBufferPointer(memory)
        if value < 0 { bytes[0] = UInt8(ascii: "-") }
        bytes.write(value.magnitude, digits: digits, at: start + 1)
        let point = start + digits - exponent
        for place in start..<point { bytes[place] = bytes[place + 1] }
        bytes[point] = UInt8(ascii: ".")
        return start + digits + 1
    }
}

/// 10 to the power of `exponent`. Traps above 18.
public func powerOfTen(_ exponent: Int) -> Int64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
}

/// 16 lower-case hexadecimal digits.
public func hexadecimal(_ number: UInt64) -> String {
    String(unsafeUninitializedCapacity: 16) { memory in
        UnsafeMutableRawBufferPointer(memory).write(hexadecimal: number, at: 0)
        return 16
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Writes `number` at `place` with exactly `digits` decimal digits, with zeros in front.
    func write(_ number: UInt64, digits: Int, at place: Int) {
        var rest = number
        for index in stride(from: place + digits - 1, through: place, by: -1) {
            self[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// Writes the 16 lower-case hexadecimal digits of `number` at `place`.
    func write(hexadecimal number: UInt64, at place: Int) {
        for index in 0..<16 { self[place + index] = hexadecimalDigit(number >> UInt64(60 - index * 4)) }
    }
}

/// The lower-case digit of the last four bits.
func hexadecimalDigit(_ number: UInt64) -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: number & 15)
    return digit < 10 ? 0x30 + digit : 0x57 + digit
}
