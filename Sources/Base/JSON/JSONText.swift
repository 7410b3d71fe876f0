/// The text of a JSON string as written in the document: the bytes between the quotes. Escapes are checked, not
/// decoded.
@frozen
public struct JSONText {
    /// The bytes between the quotes.
    public let raw: UnsafeRawBufferPointer
    /// Whether `raw` contains escapes.
    public let hasEscapes: Bool

    /// A text. `raw` must be valid.
    @inlinable @inline(__always)
    public init(raw: UnsafeRawBufferPointer, hasEscapes: Bool) {
        self.raw = raw
        self.hasEscapes = hasEscapes
    }

    /// The decoded text.
    public var string: String { withUnescaped { String(decoding: $0, as: UTF8.self) } }

    /// Lends the decoded text in UTF-8. Without escapes, these are the document's own bytes.
    @inlinable @inline(__always)
    public func withUnescaped<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        hasEscapes ? try unescaped().withUnsafeBytes(body) : try body(raw)
    }

    /// The decoded text in UTF-8.
    public func unescaped() -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(raw.count)
        var offset = 0
        while offset < raw.count {
            if raw[offset] == UInt8(ascii: "\\") {
                let (scalar, length) = JSONEscape.decode(raw, at: offset)!
                text.append(contentsOf: UTF8.encode(scalar)!)
                offset += length
            } else {
                text.append(raw[offset])
                offset += 1
            }
        }
        return text
    }
}
