internal import Digest
internal import Domain
internal import Scan

/// Checks the signatures of JWS as Apple's library does, offline. APPLE §2. One a thread.
///
/// A chain is checked once per distinct header: what differs between records is the date of signing, which is
/// compared with the chain's validity each time.
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

    /// Whether Apple signed `jws`, whose payload is `record`, and the digest by which a verified one is remembered.
    /// Whose app it is of is another question.
    ///
    /// Throws a `LineReject` where the header is not one.
    func check(_ jws: JWS, _ record: Record) throws -> (authenticity: Authenticity, digest: Digest256) {
        let signer = try signers.value(for: jws.header) { try self.signer(jws.header) }
        let digests = digests(of: jws, signer)
        let date = record.transaction.signedDate ?? record.createdAt ?? settings.now
        if let objection = settings.objection(to: date) { return (objection, digests.whole) }
        if settings.isKnownSignature(digests.whole) { return (.genuine(root: nil), digests.whole) }
        return (judge(jws, digests.signed, signer, record.transaction.environment, at: date), digests.whole)
    }

    private func judge(
        _ jws: JWS, _ digest: Digest256, _ signer: Signer, _ environment: AppEnvironment?, at date: Instant
    ) -> Authenticity {
        switch signer.claim {
        case .refused(let failure, let reason): return .broken(failure, reason)
        case .unknown(let reason): return .unjudged(reason)
        case .key(let key, let verdict, let isLone):
            guard !isLone || environment.isTesting else {
                return .broken(.untrustedChain, "x5c holds one certificate, not three")
            }
            guard let signature = Parse.base64url(jws.signature), key.hasSigned(digest: digest, signature: signature)
            else { return .broken(.badSignature, "the signature is not that of the certificate it names") }
            return verdict.authenticity(at: date)
        }
    }

    /// Of what is signed, and of the whole text. A header is far longer than a payload and hashed only once.
    private func digests(of jws: JWS, _ signer: Signer) -> (signed: Digest256, whole: Digest256) {
        whole.resume(from: signer.headerHash)
        whole.update(jws.signed.part(jws.header.count, jws.signed.count))
        part.resume(from: whole)
        whole.update(jws.text.part(jws.signed.count, jws.text.count))
        return (part.finish(), whole.finish())
    }

    private func signer(_ header: UnsafeRawBufferPointer) throws -> Signer {
        var hash = SHA256()
        hash.update(header)
        return Signer(claim: claim(try JWSHeader(header)), headerHash: hash)
    }

    private func claim(_ header: JWSHeader) -> Signer.Claim {
        guard !header.hasExtensions else {
            return .unknown("its header names extensions (crit, b64) that are not known here")
        }
        guard header.algorithm == "ES256" else {
            return .refused(.badSignature, "signed by another algorithm than ES256")
        }
        let isLone = header.certificates.count == 1
        guard isLone || header.certificates.count == 3 else {
            return .refused(.untrustedChain, "x5c holds \(Self.count(header)), not three certificates")
        }
        // The third is the sender's word for the root, and nobody asks it: roots are built in or configured.
        let certificates = header.certificates.prefix(2).map { $0.flatMap { Certificate(der: $0) } }
        guard let leaf = certificates[0], let issuer = certificates.last! else {
            return .refused(.untrustedChain, "x5c holds what is no certificate")
        }
        guard let key = SigningKey(leaf) else {
            return .refused(.untrustedChain, "the signing certificate's key is not of curve P-256")
        }
        let verdict =
            isLone
            ? trust.verdict(leaf: leaf, intermediates: [], length: 1, markers: [])
            : trust.verdict(leaf: leaf, intermediates: [issuer], length: 3, markers: [.receiptSigner, .intermediate])
        return .key(key, verdict, isLone: isLone)
    }

    private static func count(_ header: JWSHeader) -> String {
        header.certificates.count > 3 ? "more than three" : "\(header.certificates.count)"
    }
}

/// Who a header says has signed.
private final class Signer {
    enum Claim {
        /// `isLone`: one certificate that signed itself, as Xcode and local testing do.
        case key(SigningKey, ChainVerdict, isLone: Bool)
        case refused(ProofFailure, String)
        /// Signed in a way that cannot be checked here.
        case unknown(String)
    }

    let claim: Claim
    /// Of the header as it is written.
    let headerHash: SHA256

    init(claim: Claim, headerHash: consuming SHA256) {
        self.claim = claim
        self.headerHash = headerHash
    }
}

extension AppEnvironment? {
    /// Signed on a developer's own machine, by a key that Apple never saw.
    var isTesting: Bool { self == .xcode || self == .localTesting }
}

/// The last few values by the exact bytes that they were made of: Apple signs under two or three chains at a time.
struct RecentlyUsed<Value> {
    private var entries: [(key: [UInt8], value: Value)] = []
    private var oldest = 0
    private static var capacity: Int { 16 }

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
