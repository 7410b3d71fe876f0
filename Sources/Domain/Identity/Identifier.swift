/// An identifier that another system assigned: of an order, account, product, credit, transaction or device.
///
/// It is text, compared byte by byte (`é` and `e` with a combining accent are two identifiers), stored in eight bytes.
/// A text that ends in 4 to 14 digits (`ORD1000000042`, a 16-digit transaction id) is stored as the number of the text
/// before those digits, together with their value. Any other text is stored as the number of an interned string. Within
/// one process, equal identifiers have equal bits. The bits mean nothing outside the process: they are never stored,
/// and nothing is sorted by them.
@frozen
public struct Identifier: Hashable, Sendable {
    /// With bit 63 set, the rest is the number of an interned text. Otherwise bits 47–62 are the prefix's number and
    /// bits 0–46 the value of the digits. Zero means that the identifier is absent.
    public let bits: UInt64

    @inlinable
    public init(bits: UInt64) { self.bits = bits }

    public init(_ text: some StringProtocol) {
        var copy = String(text)
        self = copy.withUTF8 { IdentifierTable.shared.identifier(of: UnsafeRawBufferPointer($0)) }
    }

    /// The identifier spelled by these UTF-8 bytes.
    public init(bytes: UnsafeRawBufferPointer) {
        self = IdentifierTable.shared.identifier(of: bytes)
    }

    /// The identifier's text, exactly as it was read.
    public var text: String { IdentifierTable.shared.text(of: self) }

    /// The number of the text before the digits, and the digits' value. Nil if the text is interned.
    @inlinable
    public var numbered: (prefix: Int, value: UInt64)? {
        bits >> 63 == 0 ? (Int(bits >> 47), bits & (1 << 47 - 1)) : nil
    }
}

extension Identifier: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(value) }
}

extension Identifier: TextCodable {
    public init?(text: String) { self.init(text) }
}

extension Identifier: HasSentinel {
    @inlinable public static var absent: Identifier { Identifier(bits: 0) }
}

/// Sorted by the bytes of the text, so that no order depends on what was read first.
extension Identifier: Comparable {
    public static func < (left: Identifier, right: Identifier) -> Bool {
        if left.bits == right.bits { return false }
        let samePrefix = left.bits >> 47 == right.bits >> 47 && left.bits >> 63 == 0
        if samePrefix { return left.bits < right.bits }
        return left.text.isBefore(right.text)
    }
}
