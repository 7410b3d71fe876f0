internal import CCrypto

/// The result of checking a certificate chain.
enum ChainVerdict {
    /// The chain ends in a trusted root. All its certificates are valid in this period (milliseconds since 1970).
    case trusted(root: Certificate, validity: ClosedRange<Int64>)
    /// The chain does not end in a trusted root, or is wrong: a bad signature, length, marking or validity.
    case untrusted(Authenticity)

    static func broken(_ reason: String) -> ChainVerdict { .untrusted(.broken(.untrustedChain, reason)) }
}

/// The trusted roots, and RFC 5280's path validation by libcrypto.
///
/// Time is handled apart from the rest. libcrypto builds and checks the path with `X509_V_FLAG_NO_CHECK_TIME`; this
/// class then checks the length, Apple's marker extensions, and intersects the validity periods of all certificates.
/// The caller compares each record's signing date with that period. In this way one validation serves all records
/// signed under a chain, and records that were signed before a certificate expired stay valid.
final class TrustStore {
    private let store: OpaquePointer

    /// Trusts Apple's roots and `further` (DER, as returned by `TrustedRoot.certificates`).
    init(further: [[UInt8]]) {
        guard let store = X509_STORE_new() else { preconditionFailure("libcrypto is out of memory") }
        self.store = store
        for der in AppleRoots.all + further {
            guard let root = Certificate(der: der) else {
                preconditionFailure("a trusted root is not a certificate: make roots with TrustedRoot.certificates")
            }
            X509_STORE_add_cert(store, root.handle)
        }
    }

    deinit { X509_STORE_free(store) }

    /// Builds and checks a path from `leaf` through any of `intermediates` to a root, without regard to time.
    ///
    /// - Parameters:
    ///   - length: the number of certificates that the path must have, root included.
    ///   - markers: the extensions that the certificates must carry, from the leaf on.
    func verdict(leaf: Certificate, intermediates: [Certificate], length: Int, markers: [Marker]) -> ChainVerdict {
        let others = CertificateStack(intermediates)
        guard let context = X509_STORE_CTX_new(),
            X509_STORE_CTX_init(context, store, leaf.handle, others.handle) == 1
        else { preconditionFailure("libcrypto is out of memory") }
        defer { X509_STORE_CTX_free(context) }
        X509_VERIFY_PARAM_set_flags(X509_STORE_CTX_get0_param(context), UInt(X509_V_FLAG_NO_CHECK_TIME))
        guard X509_verify_cert(context) == 1 else { return Self.verdict(error: X509_STORE_CTX_get_error(context)) }
        let path = CertificateStack.contents(of: X509_STORE_CTX_get0_chain(context))
        return Self.verdict(path: path, length: length, markers: markers)
    }

    /// The same for what the App Store signs: the path is `leaf`, one of `intermediates` and a root.
    ///
    /// - Parameter isLone: `leaf` signed itself, as test environments do.
    func verdict(leaf: Certificate, intermediates: [Certificate], isLone: Bool) -> ChainVerdict {
        isLone
            ? verdict(leaf: leaf, intermediates: [], length: 1, markers: [])
            : verdict(leaf: leaf, intermediates: intermediates, length: 3, markers: [.receiptSigner, .intermediate])
    }

    private static func verdict(error: Int32) -> ChainVerdict {
        let reason = String(cString: X509_verify_cert_error_string(Int(error)))
        switch error {
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return .untrusted(.unknownRoot("the certificates do not end in a trusted root (\(reason))"))
        default: return .broken("the certificate chain is not valid (\(reason))")
        }
    }

    private static func verdict(path: [Certificate], length: Int, markers: [Marker]) -> ChainVerdict {
        guard path.count == length, let root = path.last else {
            return .broken("the path to \(path.last?.name ?? "a root") has \(path.count) certificates, not \(length)")
        }
        for (certificate, marker) in zip(path, markers) where !certificate.carries(marker) {
            return .broken("\(certificate.name) is not marked by Apple for this use")
        }
        var validity = Int64.min...Int64.max
        for certificate in path {
            guard let own = certificate.validity, own.overlaps(validity) else {
                return .broken("the validity of \(certificate.name) does not overlap that of its issuers")
            }
            validity = own.clamped(to: validity)
        }
        return .trusted(root: root, validity: validity)
    }
}

/// A list of certificates as libcrypto takes it.
struct CertificateStack: ~Copyable {
    let handle: OpaquePointer
    /// Keeps the certificates alive: the list does not own them.
    private let certificates: [Certificate]

    init(_ certificates: [Certificate]) {
        guard let stack = OPENSSL_sk_new_null() else { preconditionFailure("libcrypto is out of memory") }
        for certificate in certificates { OPENSSL_sk_push(stack, UnsafeRawPointer(certificate.handle)) }
        handle = stack
        self.certificates = certificates
    }

    deinit { OPENSSL_sk_free(handle) }

    /// The certificates in a list, at most `limit`.
    static func contents(of stack: OpaquePointer?, atMost limit: Int32 = .max) -> [Certificate] {
        (0..<max(0, min(limit, OPENSSL_sk_num(stack)))).compactMap { position in
            OPENSSL_sk_value(stack, position).map { Certificate(sharing: OpaquePointer($0)) }
        }
    }
}

/// Reads the root certificates that the configuration or the command line adds to Apple's.
public enum TrustedRoot {
    /// The certificates in a file, as DER. `content` is one DER certificate or any number in PEM; nil if it is neither.
    public static func certificates(_ content: [UInt8]) -> [[UInt8]]? {
        if let certificate = Certificate(der: content) { return [certificate.der] }
        // The BIO reads the bytes where they lie, so they must stay valid until all certificates have been read.
        let found = content.withUnsafeBytes { bytes in
            let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
            defer { BIO_free(bio) }
            var found: [[UInt8]] = []
            while let handle = PEM_read_bio_X509(bio, nil, nil, nil) { found.append(Certificate(owning: handle).der) }
            return found
        }
        return found.isEmpty ? nil : found
    }

    /// The name and last valid instant of Apple's roots and of `further`. The instant is nil if the certificate's dates
    /// cannot be read.
    public static func expiries(further: [[UInt8]]) -> [(name: String, last: Instant?)] {
        (AppleRoots.all + further).compactMap { Certificate(der: $0) }.map { root in
            (root.name, root.validity.map { Instant(milliseconds: $0.upperBound) })
        }
    }
}

/// Apple's root certificates as published at https://www.apple.com/certificateauthority/, in DER. They are built in, so
/// that nothing on the machine or in the input decides which certificates are trusted.
enum AppleRoots {
    static let all = [
        // Apple Root CA, SHA-256 b0b1730e…: the root of PKCS#7 receipts.
        PackageResources.AppleIncRootCertificate_cer,
        // Apple Root CA - G2, SHA-256 c2b9b042…. No App Store chain is known to end in it; it is included because Apple says
        // to trust all its roots.
        PackageResources.AppleRootCA_G2_cer,
        // Apple Root CA - G3, SHA-256 63343abf…: the root of signed transactions and notifications.
        PackageResources.AppleRootCA_G3_cer,
    ]
}
