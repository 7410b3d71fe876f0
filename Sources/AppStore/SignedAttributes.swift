internal import CCrypto

/// The attributes that a signer signed in place of the content; they include the content's type and digest.
/// RFC 5652 §5.4.
struct SignedAttributes {
    /// The bytes that are signed: the DER of the attributes as a SET OF, regardless of their tag in the container.
    let encoded: [UInt8]
    private let digest: [UInt8]

    /// Nil unless content type and message digest occur exactly once with one value each, and the content type is plain
    /// data.
    init?(_ attributes: OpaquePointer?) {
        guard let type = Self.value(of: NID_pkcs9_contentType, in: attributes), type.pointee.type == V_ASN1_OBJECT,
            OBJ_obj2nid(type.pointee.value.object) == NID_pkcs7_data,
            let digest = Self.value(of: NID_pkcs9_messageDigest, in: attributes),
            digest.pointee.type == V_ASN1_OCTET_STRING, let octets = digest.pointee.value.octet_string,
            let start = ASN1_STRING_get0_data(octets)
        else { return nil }
        self.digest = Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(octets))))
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = ASN1_item_i2d(attributes, &bytes, PKCS7_ATTR_SIGN_it())
        guard count > 0, let bytes else { return nil }
        encoded = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        CRYPTO_free(bytes, "", 0)
    }

    /// Whether the attributes contain the digest of `content`.
    func bind(_ content: UnsafeRawBufferPointer, by algorithm: OpaquePointer) -> Bool {
        var found = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_Digest(content.baseAddress, content.count, &found, &count, algorithm, nil) == 1 else { return false }
        return digest == Array(found.prefix(Int(count)))
    }

    /// The single value of the single attribute of that kind; nil if there is not exactly one.
    private static func value(of kind: Int32, in attributes: OpaquePointer?) -> UnsafeMutablePointer<ASN1_TYPE>? {
        var found: UnsafeMutablePointer<ASN1_TYPE>?
        for index in 0..<OPENSSL_sk_num(attributes) {
            let attribute = OPENSSL_sk_value(attributes, index).map { OpaquePointer($0) }
            guard OBJ_obj2nid(X509_ATTRIBUTE_get0_object(attribute)) == kind else { continue }
            guard found == nil, X509_ATTRIBUTE_count(attribute) == 1 else { return nil }
            found = X509_ATTRIBUTE_get0_type(attribute, 0)
        }
        return found
    }
}
