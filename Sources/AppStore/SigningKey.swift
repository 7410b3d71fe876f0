internal import CCrypto

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
        let pair = Self.integer(signature[..<32]) + Self.integer(signature[32...])
        let der = [0x30, UInt8(pair.count)] + pair
        return EVP_PKEY_verify(context, der, der.count, digest.bytes, 32) == 1
    }

    /// An unsigned number as a DER INTEGER (X.690 §8.3): without leading zeros, but with one where the first bit would
    /// make it negative.
    private static func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
        let digits = number.drop { $0 == 0 }
        let isSigned = digits.first.map { $0 >= 0x80 } ?? true
        return [0x02, UInt8(digits.count + (isSigned ? 1 : 0))] + (isSigned ? [0] : []) + digits
    }
}
