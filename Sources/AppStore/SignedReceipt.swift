internal import CCrypto

/// The PKCS#7 container (RFC 2315) of an app receipt, parsed by libcrypto from BER or DER. Parsing verifies nothing.
final class SignedReceipt {
    private let container: UnsafeMutablePointer<PKCS7>
    private let signed: PKCS7_SIGNED
    /// The signed content. Valid as long as this object.
    let content: UnsafeRawBufferPointer
    /// The enclosed certificates, at most `certificatesMax`.
    let certificates: [Certificate]

    /// Longer data is not parsed.
    static let bytesMax = 4 << 20
    /// Further certificates are ignored.
    static let certificatesMax: Int32 = 16
    /// Larger RSA keys are not used. Apple's have 2048 bits; with the largest possible keys a check takes a hundred
    /// times as long.
    static let keyBitsMax: Int32 = 4096

    /// Nil if the bytes are not signed data with its content enclosed, or if anything follows.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
        guard bytes.count <= Self.bytesMax, let end = cursor.map({ $0 + bytes.count }),
            let container = d2i_PKCS7(nil, &cursor, bytes.count)
        else { return nil }
        guard cursor == end, let parts = Self.parts(of: container.pointee) else {
            PKCS7_free(container)
            return nil
        }
        self.container = container
        (signed, content) = parts
        certificates = CertificateStack.contents(of: signed.cert, atMost: Self.certificatesMax)
    }

    deinit { PKCS7_free(container) }

    private static func parts(of container: PKCS7) -> (PKCS7_SIGNED, UnsafeRawBufferPointer)? {
        guard OBJ_obj2nid(container.type) == NID_pkcs7_signed, let signed = container.d.sign?.pointee,
            let inner = signed.contents?.pointee, OBJ_obj2nid(inner.type) == NID_pkcs7_data,
            let data = inner.d.data, let start = ASN1_STRING_get0_data(data)
        else { return nil }
        return (signed, UnsafeRawBufferPointer(start: start, count: Int(ASN1_STRING_length(data))))
    }

    /// The signer; nil unless there is exactly one.
    private var signer: PKCS7_SIGNER_INFO? {
        guard OPENSSL_sk_num(signed.signer_info) == 1 else { return nil }
        return OPENSSL_sk_value(signed.signer_info, 0)?.assumingMemoryBound(to: PKCS7_SIGNER_INFO.self).pointee
    }

    /// The certificate that the signer names; nil if it is not enclosed.
    var signerCertificate: Certificate? {
        guard let signer, let name = signer.issuer_and_serial?.pointee else { return nil }
        return certificates.first {
            X509_NAME_cmp(X509_get_issuer_name($0.handle), name.issuer) == 0
                && ASN1_INTEGER_cmp(X509_get0_serialNumber($0.handle), name.serial) == 0
        }
    }
}

extension SignedReceipt {
    /// What is wrong with the signature itself, whatever the chain; nil where the certificate's key signed the content
    /// (RSA PKCS#1 v1.5 with SHA-1 or SHA-256). The signature covers either the content itself, as Apple does it, or
    /// signed attributes that contain the content's digest. RFC 5652 §5.4.
    func signatureFault(of certificate: Certificate) -> Authenticity? {
        guard let signer else { return .broken(.badSignature, "it is not signed by exactly one signer") }
        guard let digest = Self.digest(signer.digest_alg), Self.isRSA(signer.digest_enc_alg),
            let key = X509_get0_pubkey(certificate.handle), EVP_PKEY_is_a(key, "RSA") == 1,
            EVP_PKEY_get_bits(key) <= Self.keyBitsMax
        else { return .unjudged("its signature algorithm is not supported (only RSA with SHA-1 or SHA-256)") }
        var message = [UInt8](content)
        if OPENSSL_sk_num(signer.auth_attr) > 0 {
            guard let attributes = SignedAttributes(signer.auth_attr), attributes.bind(content, by: digest) else {
                return .broken(.badSignature, "its signed attributes do not match its content")
            }
            message = attributes.encoded
        }
        let signature = signer.enc_digest
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        let holds =
            EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1
            && EVP_DigestVerify(
                context, ASN1_STRING_get0_data(signature), Int(ASN1_STRING_length(signature)), message, message.count)
                == 1
        return holds ? nil : .broken(.badSignature, "the signature does not match the signer's certificate")
    }

    private static func kind(_ algorithm: UnsafeMutablePointer<X509_ALGOR>?) -> Int32 {
        var object: OpaquePointer?
        X509_ALGOR_get0(&object, nil, nil, algorithm)
        return OBJ_obj2nid(object)
    }

    private static func digest(_ algorithm: UnsafeMutablePointer<X509_ALGOR>?) -> OpaquePointer? {
        switch kind(algorithm) {
        case NID_sha1: EVP_sha1()
        case NID_sha256: EVP_sha256()
        default: nil
        }
    }

    private static func isRSA(_ algorithm: UnsafeMutablePointer<X509_ALGOR>?) -> Bool {
        [NID_rsaEncryption, NID_sha1WithRSAEncryption, NID_sha256WithRSAEncryption].contains(kind(algorithm))
    }
}

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
