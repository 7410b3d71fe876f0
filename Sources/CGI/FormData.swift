/// Fields of a form or a query, encoded as `application/x-www-form-urlencoded`.
/// Source: WHATWG URL Standard, section 5.1.
public struct FormData: Sendable {
    /// The fields in the order they were sent. A name may occur several times.
    public private(set) var fields: [(name: String, value: String)] = []

    /// Decodes the fields. No input is refused: a percent sign without two hexadecimal digits stands for itself, and bytes
    /// that are not UTF-8 become U+FFFD.
    public init(_ encoded: some Sequence<UInt8>) {
        let encoded = Array(encoded)
        for pair in encoded.split(separator: UInt8(ascii: "&")) {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            fields.append((Self.decoded(pair[..<end]), Self.decoded(pair[end...].dropFirst())))
        }
    }

    public func first(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = digit(rest.first), let low = digit(rest.dropFirst().first) {
                result.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The value of a hexadecimal digit; nil for other bytes.
    private static func digit(_ byte: UInt8?) -> UInt8? {
        byte.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }.map { UInt8($0) }
    }
}
