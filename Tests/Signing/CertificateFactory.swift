import CCrypto

/// A key and the certificate issued for it, made for one test. It is trusted only where a test says so.
struct Identity: Sendable {
    /// The certificate, DER.
    let der: [UInt8]
    fileprivate let keyDER: [UInt8]

    /// The same as libcrypto's objects. They live as long as the result, which the caller must keep while it uses them.
    func opened() -> OpenIdentity { OpenIdentity(self) }
}

/// A key and its certificate as objects of libcrypto.
final class OpenIdentity {
    let key: OpaquePointer
    let certificate: OpaquePointer

    fileprivate init(_ identity: Identity) {
        key = identity.keyDER.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return d2i_AutoPrivateKey(nil, &cursor, bytes.count)
        }
        certificate = identity.der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return d2i_X509(nil, &cursor, bytes.count)
        }
    }

    deinit {
        EVP_PKEY_free(key)
        X509_free(certificate)
    }
}

/// Copies what libcrypto writes into its own memory to an array.
func encoded(_ write: (inout UnsafeMutablePointer<UInt8>?) -> Int32) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = write(&start)
    precondition(count > 0, "libcrypto could not encode")
    defer { CRYPTO_free(start, nil, 0) }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
}

enum KeyKind {
    case p256, p384, rsa, rsa1024

    fileprivate func generate() -> OpaquePointer {
        let context = EVP_PKEY_CTX_new_id(self == .p256 || self == .p384 ? EVP_PKEY_EC : EVP_PKEY_RSA, nil)
        defer { EVP_PKEY_CTX_free(context) }
        EVP_PKEY_keygen_init(context)
        switch self {
        case .p256: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1)
        case .p384: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_secp384r1)
        case .rsa: EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048)
        case .rsa1024: EVP_PKEY_CTX_set_rsa_keygen_bits(context, 1024)
        }
        var key: OpaquePointer?
        precondition(EVP_PKEY_generate(context, &key) == 1, "libcrypto could not make a key")
        return key!
    }
}

/// The contents of a certificate; valid unless changed. Times are seconds since 1970.
struct CertificateRequest {
    var name: String
    var kind = KeyKind.p256
    var isAuthority = false
    var markers: [String] = []
    var from = 1_735_689_600  // 2025-01-01
    var to = 2_051_222_400  // 2035-01-01

    static let signerMarker = "1.2.840.113635.100.6.11.1"
    static let intermediateMarker = "1.2.840.113635.100.6.2.1"

    static let root = CertificateRequest(name: "Test Root", kind: .p384, isAuthority: true)
    static let intermediate = CertificateRequest(
        name: "Test Intermediate", kind: .p384, isAuthority: true, markers: [intermediateMarker])
    static let leaf = CertificateRequest(name: "Test Leaf", markers: [signerMarker])

    func with(_ change: (inout CertificateRequest) -> Void) -> CertificateRequest {
        var copy = self
        change(&copy)
        return copy
    }

    /// Issued by `issuer`, or self-signed.
    func issued(by issuer: Identity? = nil) -> Identity {
        let (key, certificate, issuer) = (kind.generate(), X509_new()!, issuer?.opened())
        defer {
            EVP_PKEY_free(key)
            X509_free(certificate)
            withExtendedLifetime(issuer) {}
        }
        let subject = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0)
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
        ASN1_TIME_set(X509_getm_notBefore(certificate), from)
        ASN1_TIME_set(X509_getm_notAfter(certificate), to)
        X509_set_issuer_name(certificate, issuer.map { X509_get_subject_name($0.certificate) } ?? subject)
        X509_set_pubkey(certificate, key)
        add(NID_basic_constraints, isAuthority ? "critical,CA:TRUE" : "critical,CA:FALSE", to: certificate)
        add(NID_key_usage, isAuthority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature", to: certificate)
        for marker in markers { add(marker: marker, to: certificate) }
        precondition(X509_sign(certificate, issuer?.key ?? key, EVP_sha256()) > 0, "libcrypto could not sign")
        return Identity(
            der: encoded { i2d_X509(certificate, &$0) }, keyDER: encoded { i2d_PrivateKey(key, &$0) })
    }

    private func add(_ kind: Int32, _ value: String, to certificate: OpaquePointer) {
        let ext = X509V3_EXT_conf_nid(nil, nil, kind, value)
        X509_add_ext(certificate, ext, -1)
        X509_EXTENSION_free(ext)
    }

    private func add(marker: String, to certificate: OpaquePointer) {
        let object = OBJ_txt2obj(marker, 1)
        let null = ASN1_OCTET_STRING_new()
        ASN1_OCTET_STRING_set(null, [5, 0], 2)
        let ext = X509_EXTENSION_create_by_OBJ(nil, object, 0, null)
        X509_add_ext(certificate, ext, -1)
        X509_EXTENSION_free(ext)
        ASN1_OCTET_STRING_free(null)
        ASN1_OBJECT_free(object)
    }
}

/// A root, an intermediate and a leaf; each like Apple's unless changed.
struct TestChain: Sendable {
    let root: Identity
    let intermediate: Identity
    let leaf: Identity

    init(
        root: Identity? = nil, intermediate: CertificateRequest = .intermediate, leaf: CertificateRequest = .leaf
    ) {
        self.root = root ?? CertificateRequest.root.issued()
        self.intermediate = intermediate.issued(by: self.root)
        self.leaf = leaf.issued(by: self.intermediate)
    }

    var certificates: [[UInt8]] { [leaf.der, intermediate.der, root.der] }
}
