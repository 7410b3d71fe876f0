/// An identifier of somebody else's making: an order, account, product, credit, transaction, device.
///
/// It is text, compared byte by byte (`é` and `e` + accent are two identifiers), held in eight bytes:
/// a number for the text before the last digits and up to 14 digits exactly (`ORD1000000042`, a
/// 16-digit transaction id), else the number of an interned text. Equal identifiers have equal bits
/// within one process; the bits mean nothing outside it and are never stored or ordered by.
@frozen
public struct Identifier: Hashable, Sendable {
    /// Bit 63: interned text. Else bits 47–62 the prefix's number and bits 0–46 the digits' value. Zero is no identifier.
    public let bits: UInt64

    @inlinable
    public init(bits: UInt64) { self.bits = bits }

    public init(_ text: some StringProtocol) {
        var copy = String(text)
        self = copy.withUTF8 { IdentifierTable.shared.identifier(of: UnsafeRawBufferPointer($0)) }
    }

    /// The identifier spelled by these bytes, taken as they are.
    public init(bytes: UnsafeRawBufferPointer) {
        self = IdentifierTable.shared.identifier(of: bytes)
    }

    /// The text this identifier was made of.
    public var text: String { IdentifierTable.shared.text(of: self) }
}

extension Identifier: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(value) }
}

extension Identifier: CustomStringConvertible {
    public var description: String { text }
}

extension Identifier: HasSentinel {
    @inlinable public static var absent: Identifier { Identifier(bits: 0) }
}

/// By the bytes of the text, so that an order never depends on what was read first.
extension Identifier: Comparable {
    public static func < (left: Identifier, right: Identifier) -> Bool {
        if left.bits == right.bits { return false }
        let samePrefix = left.bits >> 47 == right.bits >> 47 && left.bits >> 63 == 0
        if samePrefix { return left.bits < right.bits }
        return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
