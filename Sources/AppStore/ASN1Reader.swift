internal import CCrypto

/// Reads ASN.1 elements (X.690) from memory, one after the other, without copying.
///
/// libcrypto's `ASN1_get_object` decodes each tag and length and rejects an element that is longer than the bytes that
/// are left, so nothing is read past the end. BER length forms are accepted, because some receipts use them; elements
/// of indefinite length are refused, because no receipt payload contains one. To read nested elements, make a new
/// reader for an element's `content`.
struct ASN1Reader {
    /// One element. Both buffers point into the bytes that the reader was made with.
    struct Element {
        let tag: Int32
        /// The value alone, without tag and length.
        let content: UnsafeRawBufferPointer
        /// The element with its tag and length.
        let whole: UnsafeRawBufferPointer
    }

    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next element of the universal class. Nil at the end and where the bytes are not such an element.
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

    /// The content of the next element; nil if the element has another tag. The element is consumed in both cases.
    mutating func next(_ tag: Int32) -> UnsafeRawBufferPointer? {
        let element = next()
        return element?.tag == tag ? element?.content : nil
    }
}

extension ASN1Reader.Element {
    /// The value of an INTEGER; nil if this is another type, does not fit 64 bits, or is not DER-encoded.
    var integer: Int64? {
        guard tag == V_ASN1_INTEGER else { return nil }
        var cursor = whole.bindMemory(to: UInt8.self).baseAddress
        guard let number = d2i_ASN1_INTEGER(nil, &cursor, whole.count) else { return nil }
        defer { ASN1_INTEGER_free(number) }
        var value: Int64 = 0
        return ASN1_INTEGER_get_int64(&value, number) == 1 ? value : nil
    }

    /// The bytes of a text element; nil for other types and for empty text, by which receipts express an absent value.
    var text: UnsafeRawBufferPointer? {
        let isText = tag == V_ASN1_UTF8STRING || tag == V_ASN1_IA5STRING || tag == V_ASN1_PRINTABLESTRING
        return isText && !content.isEmpty ? content : nil
    }
}

/// One attribute of a receipt: a number that says what it is, and a value, which is another element or opaque bytes.
struct ReceiptAttribute {
    /// Apple's number for the attribute. See docs/spec/app-store.md#app-receipts.
    let type: Int64
    let value: UnsafeRawBufferPointer

    /// The element inside the value; nil unless the value is exactly one element.
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
    /// Nil also for dates after 2200: Xcode receipts expire in the year 4001.
    var instant: Instant? { element?.text.flatMap { Parse.instant($0, zone: .utc) } }

    /// Calls `body` for each attribute of the SET that `bytes` must consist of. Stops and returns false if the
    /// structure is not `SET OF SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`, or if `body` returns
    /// false.
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
