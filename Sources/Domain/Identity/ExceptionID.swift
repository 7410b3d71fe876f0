/// The permanent id of an exception: `E` and 16 hexadecimal digits, held as their value.
@frozen
public struct ExceptionID: Hashable, Sendable {
    /// The value of the digits.
    public let bits: UInt64

    @inlinable
    public init(bits: UInt64) { self.bits = bits }

    /// From `E0123456789abcdef`; nil for any other form, upper-case digits included.
    public init?(_ text: String) {
        var text = text
        guard let id = text.withUTF8({ ExceptionID(bytes: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = id
    }

    /// From the bytes of such a text.
    public init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 17, bytes[0] == UInt8(ascii: "E") else { return nil }
        var bits: UInt64 = 0
        for byte in bytes.dropFirst() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): bits = bits << 4 | UInt64(byte - 0x30)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): bits = bits << 4 | UInt64(byte - 0x57)
            default: return nil
            }
        }
        self.bits = bits
    }

    /// `E` and 16 lower-case hexadecimal digits.
    public var text: String {
        String(unsafeUninitializedCapacity: 17) { memory in
            memory[0] = UInt8(ascii: "E")
            UnsafeMutableRawBufferPointer(memory).write(hexadecimal: bits, at: 1)
            return 17
        }
    }

    /// No id comes before it.
    public static let least = ExceptionID(bits: 0)
}

/// In the order of the texts.
extension ExceptionID: Comparable {
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }
}

extension ExceptionID: TextCodable {
    public init?(text: String) { self.init(text) }
}
