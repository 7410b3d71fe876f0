/// Verifies JWS signatures offline, with the same checks as Apple's App Store Server Library.
/// See docs/spec/app-store.md#jws-checks. Use one per thread.
///
/// Steps for one JWS:
///
/// 1. The header must say ES256 and carry three certificates in `x5c`. (Xcode's local testing signs with one.)
/// 2. `TrustStore` checks the chain without a time and returns the period in which it is valid. This result, the parsed
///    key and the header's SHA-256 state are cached by the exact bytes of the header: Apple signs under two or three
///    chains at a time.
/// 3. The signing date must not be in the future. A JWS whose SHA-256 an earlier run verified is accepted here.
/// 4. The P-256 signature over header and payload must match the leaf's key.
/// 5. The signing date must be within the chain's validity. An expired chain still proves what it signed while it was
///    valid.
final class JWSVerifier {
    private let settings: AppStoreSettings
    private let trust: TrustStore
    private var whole = SHA256()
    private var part = SHA256()
    private var signers = RecentlyUsed<Signer>()

    init(settings: AppStoreSettings, trust: TrustStore) {
        self.settings = settings
        self.trust = trust
    }

    /// Whether Apple signed `jws`, and the JWS's SHA-256, by which later runs recognize it. `record` is the parsed
    /// payload. Which app the record belongs to is not checked here.
    ///
    /// Throws a `LineReject` if the header cannot be parsed.
    func check(_ jws: JWS, _ record: Record) throws -> (authenticity: Authenticity, digest: Digest256) {
        let signer = try signers.value(for: jws.header) { try self.signer(jws.header) }
        let digests = digests(of: jws, signer)
        let date = record.transaction.signedDate ?? record.createdAt ?? settings.now
        if let objection = settings.objection(to: date) { return (objection, digests.whole) }
        if settings.isKnownSignature(digests.whole) { return (.genuine(root: nil), digests.whole) }
        let authenticity = judge(
            jws, digest: digests.signed, signer: signer, environment: record.transaction.environment, at: date)
        return (authenticity, digests.whole)
    }

    /// The result for a JWS that no earlier run verified. `digest` is that of the signing input.
    private func judge(
        _ jws: JWS, digest: Digest256, signer: Signer, environment: AppEnvironment?, at date: Instant
    ) -> Authenticity {
        switch signer.claim {
        case .unusable(let authenticity): return authenticity
        case .key(let key, let verdict, let isLone):
            guard !isLone || environment.isTesting else {
                return .broken(.untrustedChain, "x5c contains one certificate, not three")
            }
            guard let signature = Parse.base64url(jws.signature), key.hasSigned(digest: digest, signature: signature)
            else { return .broken(.badSignature, "the signature does not match the certificate in its header") }
            return verdict.authenticity(at: date)
        }
    }

    /// The digests of the signing input and of the whole JWS. The header is much longer than the payload, so its hash
    /// state is computed once for each distinct header and copied.
    private func digests(of jws: JWS, _ signer: Signer) -> (signed: Digest256, whole: Digest256) {
        whole.resume(from: signer.headerHash)
        whole.update(jws.signed.part(jws.header.count, jws.signed.count))
        part.resume(from: whole)
        whole.update(jws.text.part(jws.signed.count, jws.text.count))
        return (part.finish(), whole.finish())
    }

    /// The cached part of the check for one header.
    private func signer(_ header: UnsafeRawBufferPointer) throws -> Signer {
        var hash = SHA256()
        hash.update(header)
        return Signer(claim: claim(try JWSHeader(header)), headerHash: hash)
    }

    private func claim(_ header: JWSHeader) -> Signer.Claim {
        guard !header.hasExtensions else {
            return .unusable(.unjudged("its header names extensions (crit, b64) that are not supported"))
        }
        guard header.algorithm == "ES256" else {
            return .unusable(.broken(.badSignature, "signed with an algorithm other than ES256"))
        }
        let isLone = header.certificates.count == 1
        guard isLone || header.certificates.count == 3 else {
            return .unusable(.broken(.untrustedChain, "x5c contains \(Self.count(header)), not three certificates"))
        }
        // The third certificate is the root as the sender claims it. It is ignored: trusted roots are built in or
        // configured.
        let certificates = header.certificates.prefix(2).map { $0.flatMap { Certificate(der: $0) } }
        guard let leaf = certificates[0], let issuer = certificates.last! else {
            return .unusable(.broken(.untrustedChain, "x5c contains something that is not a certificate"))
        }
        guard let key = SigningKey(leaf) else {
            return .unusable(.broken(.untrustedChain, "the signing certificate's key is not on curve P-256"))
        }
        return .key(key, trust.verdict(leaf: leaf, intermediates: [issuer], isLone: isLone), isLone: isLone)
    }

    private static func count(_ header: JWSHeader) -> String {
        header.certificates.count > 3 ? "more than three" : "\(header.certificates.count)"
    }
}

/// What a header claims about its signer, already checked as far as it does not depend on payload and date.
private final class Signer {
    enum Claim {
        /// A usable key, and the result for its chain. `isLone`: a single self-signed certificate, as used by Xcode's
        /// local testing.
        case key(SigningKey, ChainVerdict, isLone: Bool)
        /// The header is wrong, or not one that this version can check, whatever the signature.
        case unusable(Authenticity)
    }

    let claim: Claim
    /// The SHA-256 state after the header's encoded bytes.
    let headerHash: SHA256

    init(claim: Claim, headerHash: consuming SHA256) {
        self.claim = claim
        self.headerHash = headerHash
    }
}

extension AppEnvironment? {
    /// Whether records of this environment are signed on a developer's own machine, by a key that Apple does not know.
    var isTesting: Bool { self == .xcode || self == .localTesting }
}

/// A cache of the last 16 values, by the exact bytes that each was made from. The oldest entry is replaced first.
/// Small, because Apple signs under two or three chains at a time.
struct RecentlyUsed<Value> {
    private var entries: [(key: [UInt8], value: Value)] = []
    private var oldest = 0
    private static var capacity: Int { 16 }

    /// The cached value for `key`, or the result of `make`, which is then cached.
    mutating func value(for key: UnsafeRawBufferPointer, make: () throws -> Value) rethrows -> Value {
        let known = entries.firstIndex { $0.key.withUnsafeBytes { $0.isEqual(to: key) } }
        if let known { return entries[known].value }
        let value = try make()
        if entries.count < Self.capacity {
            entries.append((Array(key), value))
        } else {
            entries[oldest] = (Array(key), value)
            oldest = (oldest + 1) % Self.capacity
        }
        return value
    }
}
