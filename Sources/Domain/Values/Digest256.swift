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
        let bytes: [UInt8] = (0..<32).map { UInt8(digits[2 * $0] * 16 + digits[2 * $0 + 1]) }
        self.init(bytes: bytes)
    }

    /// The 32 bytes, first byte first.
    public var bytes: [UInt8] {
        withUnsafeBytes(of: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)) { Array($0) }
    }

    /// 64 lower-case hexadecimal digits.
    public var hex: String {
        String(unsafeUninitializedCapacity: 64) { memory in
            let bytes = UnsafeMutableRawBufferPointer(memory)
            bytes.write(hexadecimal: words.0, at: 0)
            bytes.write(hexadecimal: words.1, at: 16)
            bytes.write(hexadecimal: words.2, at: 32)
            bytes.write(hexadecimal: words.3, at: 48)
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

/// As its hexadecimal digits.
extension Digest256: TextCodable {
    public init?(text: String) { self.init(hex: text) }
    public var text: String { hex }
}
