/// A SHA-256 digest: 32 bytes. All zeros means that the digest is absent.
@frozen
public struct Digest256: Hashable, Sendable {
    /// The digest as four big-endian words, first bytes first.
    public var words: (UInt64, UInt64, UInt64, UInt64)

    @inlinable
    public init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// From the 32 bytes of a digest, first byte first. Traps for any other number of bytes.
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

    /// From 64 hexadecimal digits; nil for anything else.
    public init?(hex: String) {
        let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 64, hex.utf8.count == 64 else { return nil }
        self.init(bytes: stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) })
    }

    /// The 32 bytes, first byte first.
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
                memory[place] = hexadecimalDigit(word >> UInt64(60 - place % 16 * 4))
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

/// The lower-case digit of the last four bits.
func hexadecimalDigit(_ number: UInt64) -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: number & 15)
    return digit < 10 ? 0x30 + digit : 0x57 + digit
}

/// 16 lower-case hexadecimal digits.
public func hexadecimal(_ number: UInt64) -> String {
    String(decoding: (0..<16).map { hexadecimalDigit(number >> UInt64(60 - $0 * 4)) }, as: UTF8.self)
}

/// As its hexadecimal digits.
extension Digest256: TextCodable {
    public init?(text: String) { self.init(hex: text) }
    public var text: String { hex }
}
