/// An `appAccountToken`: a UUID in 16 bytes. Upper and lower case are the same.
@frozen
public struct Token: Hashable, Sendable {
    /// The first eight bytes, most significant first.
    public let high: UInt64
    /// The last eight bytes, most significant first.
    public let low: UInt64

    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// From 32 hexadecimal digits grouped 8-4-4-4-12; nil for any other text.
    public init?(bytes: UnsafeRawBufferPointer) {
        let hyphen = UInt8(ascii: "-")
        guard bytes.count == 36, bytes[8] == hyphen, bytes[13] == hyphen, bytes[18] == hyphen, bytes[23] == hyphen
        else { return nil }
        // All faults are collected and tested once, because a branch for each digit would cost more than the digit.
        var faults: UInt64 = 0
        func digits(_ range: Range<Int>) -> UInt64 {
            var value: UInt64 = 0
            for index in range {
                let digit = Self.digits[Int(bytes[index])]
                faults |= UInt64(digit) >> 4
                value = value << 4 | UInt64(digit & 15)
            }
            return value
        }
        let high = digits(0..<8) << 32 | digits(9..<13) << 16 | digits(14..<18)
        let low = digits(19..<23) << 48 | digits(24..<36)
        guard faults == 0 else { return nil }
        self.init(high: high, low: low)
    }

    /// The value of each byte as a hexadecimal digit; 255 for bytes that are not one.
    private static let digits: InlineArray<256, UInt8> = {
        var table = InlineArray<256, UInt8>(repeating: 255)
        for digit in 0..<16 {
            table[Int((digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) + UInt8(digit))] = UInt8(digit)
            if digit >= 10 { table[Int(UInt8(ascii: "A") - 10) + digit] = UInt8(digit) }
        }
        return table
    }()

    /// From 32 hexadecimal digits grouped 8-4-4-4-12; nil for any other text.
    public init?(_ text: some StringProtocol) {
        var copy = String(text)
        guard let token = copy.withUTF8({ Token(bytes: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = token
    }

    /// From the bytes that `writePacked` writes; nil for any other number of bytes.
    public init?(packed bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// Writes the UUID's 16 bytes into memory.
    public func writePacked(into memory: UnsafeMutableRawBufferPointer) {
        memory.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
        memory.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }

    /// Lower case, grouped 8-4-4-4-12.
    public var text: String {
        String(unsafeUninitializedCapacity: 36) { memory in
            write(into: UnsafeMutableRawBufferPointer(memory))
            return 36
        }
    }

    /// Writes the same text into 36 bytes of memory.
    public func write(into memory: UnsafeMutableRawBufferPointer) {
        var place = 0
        for position in 0..<32 {
            if position == 8 || position == 12 || position == 16 || position == 20 {
                memory[place] = UInt8(ascii: "-")
                place += 1
            }
            let half = position < 16 ? high : low
            memory[place] = hexadecimalDigit(half >> UInt64(60 - position % 16 * 4))
            place += 1
        }
    }
}

extension Token: HasSentinel {
    /// The nil UUID, which identifies nothing.
    @inlinable public static var absent: Token { Token(high: 0, low: 0) }
}

extension Token: Comparable {
    public static func < (left: Token, right: Token) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

extension Token: TextCodable {
    public init?(text: String) { self.init(text) }
}
