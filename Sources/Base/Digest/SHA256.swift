internal import CCrypto

/// SHA-256 of libcrypto. Each digest would look up `EVP_sha256()` again, which takes longer than a short digest.
private nonisolated(unsafe) let algorithm: OpaquePointer = {  // Safe: nothing changes it.
    guard let algorithm = EVP_MD_fetch(nil, "SHA256", nil) else { preconditionFailure("libcrypto offers no SHA-256") }
    return algorithm
}()

/// An incremental SHA-256 by libcrypto. It is reusable: `finish` also starts the next digest.
public struct SHA256: ~Copyable {
    private let context: OpaquePointer

    public init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, algorithm, nil) == 1 else {
            preconditionFailure("libcrypto offers no SHA-256")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let done = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(done == 1, "libcrypto's SHA-256 failed")
    }

    public mutating func update(_ text: some StringProtocol) {
        var copy = String(text)
        copy.withUTF8 { update(UnsafeRawBufferPointer($0)) }
    }

    /// Continues from the state of `other`; discards what was added so far. Saves hashing a common prefix again.
    public mutating func resume(from other: borrowing SHA256) {
        let done = EVP_MD_CTX_copy_ex(context, other.context)
        precondition(done == 1, "libcrypto's SHA-256 failed")
    }

    /// The digest of all bytes since the last `finish`.
    public mutating func finish() -> Digest256 {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let done = withUnsafeMutableBytes(of: &words) { buffer in
            EVP_DigestFinal_ex(context, buffer.bindMemory(to: UInt8.self).baseAddress, nil)
        }
        // A null type keeps the context's algorithm and saves looking it up.
        precondition(done == 1 && EVP_DigestInit_ex(context, nil, nil) == 1, "libcrypto's SHA-256 failed")
        return Digest256(bigEndian: words)
    }

    public static func digest(of text: some StringProtocol) -> Digest256 {
        var copy = String(text)
        return copy.withUTF8 { digest(of: UnsafeRawBufferPointer($0)) }
    }

    public static func digest(of bytes: UnsafeRawBufferPointer) -> Digest256 {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let done = withUnsafeMutableBytes(of: &words) { buffer in
            // `finish` would also start the next digest.
            EVP_Digest(
                bytes.baseAddress, bytes.count, buffer.bindMemory(to: UInt8.self).baseAddress, nil, algorithm, nil)
        }
        precondition(done == 1, "libcrypto's SHA-256 failed")
        return Digest256(bigEndian: words)
    }
}

extension Digest256 {
    fileprivate init(bigEndian words: (UInt64, UInt64, UInt64, UInt64)) {
        self.init(words: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian))
    }
}
