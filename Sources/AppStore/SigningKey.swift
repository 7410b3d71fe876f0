internal import CCrypto
internal import Domain

/// The P-256 public key of a certificate, ready to verify any number of signatures. Use one per thread.
final class SigningKey {
    private let context: OpaquePointer

    /// Nil if the certificate's key is not an EC key on curve P-256.
    init?(_ certificate: Certificate) {
        guard let key = X509_get0_pubkey(certificate.handle), EVP_PKEY_is_a(key, "EC") == 1 else { return nil }
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1,
            String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self) == "prime256v1",
            let context = EVP_PKEY_CTX_new(key, nil)
        else { return nil }
        guard EVP_PKEY_verify_init(context) == 1 else {
            EVP_PKEY_CTX_free(context)
            return nil
        }
        self.context = context
    }

    deinit { EVP_PKEY_CTX_free(context) }

    /// Whether `signature` is this key's signature over `digest`. JWS writes an ECDSA signature as r and s, 32 bytes
    /// each (RFC 7518 §3.4); libcrypto takes DER.
    func hasSigned(digest: Digest256, signature: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        let pair = ECDSA_SIG_new()
        defer { ECDSA_SIG_free(pair) }
        let isSet = signature.withUnsafeBufferPointer { bytes in
            ECDSA_SIG_set0(pair, BN_bin2bn(bytes.baseAddress, 32, nil), BN_bin2bn(bytes.baseAddress! + 32, 32, nil))
        }
        guard isSet == 1 else { return false }
        var der: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(pair, &der)
        defer { CRYPTO_free(der, nil, 0) }
        return count > 0 && EVP_PKEY_verify(context, der, Int(count), digest.bytes, 32) == 1
    }
}
