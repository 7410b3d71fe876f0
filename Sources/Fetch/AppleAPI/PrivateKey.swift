internal import CCrypto

/// A private key that Apple issued (P-256, PKCS#8 in PEM), as downloaded from App Store Connect.
///
/// It signs and never shows itself: nothing prints or describes its contents.
final class PrivateKey {
    private let handle: OpaquePointer

    /// Nil unless `pem` holds one P-256 private key without a passphrase.
    init?(pem: [UInt8]) {
        // The BIO reads the bytes where they lie, so they must stay valid until the key has been read.
        let found = pem.withUnsafeBytes { bytes in
            let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
            defer { BIO_free(memory) }
            // Without a callback libcrypto would ask the terminal for a passphrase.
            return PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let handle = found else { return nil }
        self.handle = handle
        guard EVP_PKEY_get_id(handle) == EVP_PKEY_EC, EVP_PKEY_get_bits(handle) == 256 else { return nil }
    }

    deinit { EVP_PKEY_free(handle) }

    /// The ES256 signature of a text (RFC 7518 §3.4): r and s, 32 bytes each.
    func signature(of text: String) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var bytes = [UInt8](repeating: 0, count: 128)
        var count = bytes.count
        let input = Array(text.utf8)
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle) == 1,
            EVP_DigestSign(context, &bytes, &count, input, input.count) == 1
        else { preconditionFailure("libcrypto cannot sign") }
        return bytes.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &start, count) else {
                preconditionFailure("libcrypto cannot read its own signature")
            }
            defer { ECDSA_SIG_free(signature) }
            return [ECDSA_SIG_get0_r(signature), ECDSA_SIG_get0_s(signature)].flatMap { number in
                var part = [UInt8](repeating: 0, count: 32)
                BN_bn2binpad(number, &part, 32)
                return part
            }
        }
    }
}
