internal import CCrypto
internal import Domain
internal import Scan

/// Steps through ASN.1 in memory by libcrypto's own reading of tags and lengths. Nothing is ever read past the end;
/// values of indefinite length, which no receipt's payload holds, are refused.
struct ASN1Reader {
    struct Element {
        let tag: Int32
        /// Without tag and length.
        let content: UnsafeRawBufferPointer
        /// With them.
        let whole: UnsafeRawBufferPointer
    }

    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next element of ASN.1's own (universal) types; nil at the end and where there is none.
    mutating func next() -> Element? {
        guard let start = rest.bindMemory(to: UInt8.self).baseAddress, !rest.isEmpty else { return nil }
        var cursor: UnsafePointer<UInt8>? = start
        var count = 0
        var tag: Int32 = 0
        var kind: Int32 = 0
        let result = ASN1_get_object(&cursor, &count, &tag, &kind, rest.count)
        let (isError, isIndefinite) = (result & 0x80 != 0, result & 1 != 0)
        guard !isError, !isIndefinite, kind == V_ASN1_UNIVERSAL, let cursor else { return nil }
        let header = cursor - start
        let whole = rest.part(0, header + count)
        rest = rest.part(header + count, rest.count)
        return Element(tag: tag, content: whole.part(header, whole.count), whole: whole)
    }

    /// The next element's content where it has that tag.
    mutating func next(_ tag: Int32) -> UnsafeRawBufferPointer? {
        let element = next()
        return element?.tag == tag ? element?.content : nil
    }
}

extension ASN1Reader.Element {
    /// Nil where it is no integer of 64 bits, or not written in the one right way.
    var integer: Int64? {
        guard tag == V_ASN1_INTEGER else { return nil }
        var cursor = whole.bindMemory(to: UInt8.self).baseAddress
        guard let number = d2i_ASN1_INTEGER(nil, &cursor, whole.count) else { return nil }
        defer { ASN1_INTEGER_free(number) }
        var value: Int64 = 0
        return ASN1_INTEGER_get_int64(&value, number) == 1 ? value : nil
    }

    /// Nil where it is no text, and where the text is empty: receipts write absent values so.
    var text: UnsafeRawBufferPointer? {
        let isText = tag == V_ASN1_UTF8STRING || tag == V_ASN1_IA5STRING || tag == V_ASN1_PRINTABLESTRING
        return isText && !content.isEmpty ? content : nil
    }
}

/// One attribute of a receipt: a number for what it is, and its value, which is an element again or opaque.
struct ReceiptAttribute {
    let type: Int64
    let value: UnsafeRawBufferPointer

    private var element: ASN1Reader.Element? {
        var reader = ASN1Reader(value)
        let element = reader.next()
        return reader.isAtEnd ? element : nil
    }

    var integer: Int64? { element?.integer }
    var identifier: Identifier? {
        element?.text.flatMap { $0.count <= IdentifierCache.bytesMax ? Identifier(bytes: $0) : nil }
    }
    var string: String? { element?.text.flatMap { String(validating: $0, as: UTF8.self) } }
    /// Nil also for dates beyond 2200: Xcode's receipts expire in the year 4001.
    var instant: Instant? { element?.text.flatMap { Parse.instant($0, zone: .utc) } }

    /// Visits the attributes of the one SET that `bytes` must be; false where it is none.
    static func forEach(of bytes: UnsafeRawBufferPointer, _ body: (ReceiptAttribute) -> Bool) -> Bool {
        var outer = ASN1Reader(bytes)
        guard let set = outer.next(V_ASN1_SET), outer.isAtEnd else { return false }
        var attributes = ASN1Reader(set)
        while !attributes.isAtEnd {
            guard let sequence = attributes.next(V_ASN1_SEQUENCE) else { return false }
            var parts = ASN1Reader(sequence)
            guard let type = parts.next()?.integer, parts.next()?.integer != nil,
                let value = parts.next(V_ASN1_OCTET_STRING), parts.isAtEnd,
                body(ReceiptAttribute(type: type, value: value))
            else { return false }
        }
        return true
    }
}
