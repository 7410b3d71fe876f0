/// An `appAccountToken`: a UUID, compared without regard to case, in 16 bytes.
@frozen
public struct Token: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Nil unless the bytes are 32 hexadecimal digits grouped 8-4-4-4-12.
    public init?(bytes: UnsafeRawBufferPointer) {
        let hyphen = UInt8(ascii: "-")
        guard bytes.count == 36, bytes[8] == hyphen, bytes[13] == hyphen, bytes[18] == hyphen, bytes[23] == hyphen
        else { return nil }
        // Gathered and asked about once: a branch a digit would cost more than the digit.
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

    /// The value of each byte as a hexadecimal digit, 255 for those that are none.
    private static let digits: InlineArray<256, UInt8> = {
        var table = InlineArray<256, UInt8>(repeating: 255)
        for digit in 0..<16 {
            table[Int((digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) + UInt8(digit))] = UInt8(digit)
            if digit >= 10 { table[Int(UInt8(ascii: "A") - 10) + digit] = UInt8(digit) }
        }
        return table
    }()

    public init?(_ text: some StringProtocol) {
        var copy = String(text)
        guard let token = copy.withUTF8({ Token(bytes: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = token
    }

    /// Lower case, 8-4-4-4-12.
    public var text: String {
        String(unsafeUninitializedCapacity: 36) { memory in
            write(into: UnsafeMutableRawBufferPointer(memory))
            return 36
        }
    }

    /// The same into memory of 36 bytes.
    public func write(into memory: UnsafeMutableRawBufferPointer) {
        var place = 0
        for position in 0..<32 {
            if position == 8 || position == 12 || position == 16 || position == 20 {
                memory[place] = UInt8(ascii: "-")
                place += 1
            }
            let half = position < 16 ? high : low
            let digit = UInt8(half >> UInt64(60 - position % 16 * 4) & 15)
            memory[place] = digit < 10 ? 0x30 + digit : 0x57 + digit
            place += 1
        }
    }
}

extension Token: HasSentinel {
    /// The nil UUID names nobody.
    @inlinable public static var absent: Token { Token(high: 0, low: 0) }
}

extension Token: Comparable {
    public static func < (left: Token, right: Token) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

/// A SHA-256, 32 bytes. All zeros is no digest.
@frozen
public struct Digest256: Hashable, Sendable {
    public var words: (UInt64, UInt64, UInt64, UInt64)

    @inlinable
    public init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// From the 32 bytes of a digest, most significant first.
    @inlinable
    public init(bytes: some Collection<UInt8>) {
        precondition(bytes.count == 32, "a SHA-256 has 32 bytes")
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for byte in bytes {
            words = (
                words.0 << 8 | words.1 >> 56, words.1 << 8 | words.2 >> 56, words.2 << 8 | words.3 >> 56,
                words.3 << 8 | UInt64(byte)
            )
        }
        self.init(words: words)
    }

    /// From 64 hexadecimal digits, else nil.
    public init?(hex: String) {
        let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 64, hex.utf8.count == 64 else { return nil }
        self.init(bytes: stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) })
    }

    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for word in [words.0, words.1, words.2, words.3] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return bytes
    }

    /// 64 lower-case hexadecimal digits.
    public var hex: String {
        String(unsafeUninitializedCapacity: 64) { memory in
            for place in 0..<64 {
                let word = place < 32 ? (place < 16 ? words.0 : words.1) : (place < 48 ? words.2 : words.3)
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - place % 16 * 4)) & 15
                memory[place] = digit < 10 ? 0x30 + digit : 0x57 + digit
            }
            return 64
        }
    }

    @inlinable
    public static func == (left: Digest256, right: Digest256) -> Bool { left.words == right.words }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}

extension Digest256: HasSentinel {
    @inlinable public static var absent: Digest256 { Digest256(words: (0, 0, 0, 0)) }
}
