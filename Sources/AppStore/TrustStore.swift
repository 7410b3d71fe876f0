internal import CCrypto
public import Domain
internal import Scan

/// What a chain of certificates came to.
enum ChainVerdict {
    /// It ends in a trusted root; valid in these milliseconds only.
    case trusted(root: Certificate, validity: ClosedRange<Int64>)
    /// Nothing is wrong with it but that it ends in no root known here.
    case unknownRoot(String)
    case broken(String)
}

/// The roots in which every chain must end, and RFC 5280's path check by libcrypto.
final class TrustStore {
    private let store: OpaquePointer

    /// Apple's roots and `further` ones (DER, as `TrustedRoot.certificates` made them).
    init(further: [[UInt8]]) {
        guard let store = X509_STORE_new() else { preconditionFailure("libcrypto is out of memory") }
        self.store = store
        for der in Self.apple + further {
            guard let root = Certificate(der: der) else {
                preconditionFailure("a trusted root is no certificate: make roots by TrustedRoot.certificates")
            }
            X509_STORE_add_cert(store, root.handle)
        }
    }

    deinit { X509_STORE_free(store) }

    static let apple = AppleRoots.all.map { text in
        guard let der = Array(text.utf8).withUnsafeBytes(Parse.base64) else {
            preconditionFailure("a built-in root is no base64")
        }
        return der
    }

    /// Checks the path from `leaf` through some of `intermediates` to a root, at no particular time.
    ///
    /// The time is left to the caller, who compares it with the validity returned: that is how one check serves
    /// all records signed under a chain. `length` is that of the path wanted, root included.
    func verdict(leaf: Certificate, intermediates: [Certificate], length: Int, markers: [Marker]) -> ChainVerdict {
        let others = CertificateStack(intermediates)
        guard let context = X509_STORE_CTX_new(),
            X509_STORE_CTX_init(context, store, leaf.handle, others.handle) == 1
        else { preconditionFailure("libcrypto is out of memory") }
        defer { X509_STORE_CTX_free(context) }
        X509_VERIFY_PARAM_set_flags(X509_STORE_CTX_get0_param(context), UInt(X509_V_FLAG_NO_CHECK_TIME))
        guard X509_verify_cert(context) == 1 else { return Self.verdict(error: X509_STORE_CTX_get_error(context)) }
        return Self.verdict(path: CertificateStack.contents(of: X509_STORE_CTX_get0_chain(context)), length, markers)
    }

    private static func verdict(error: Int32) -> ChainVerdict {
        let reason = String(cString: X509_verify_cert_error_string(Int(error)))
        switch error {
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return .unknownRoot("the certificates end in no trusted root (\(reason))")
        default: return .broken("the certificates do not hold (\(reason))")
        }
    }

    private static func verdict(path: [Certificate], _ length: Int, _ markers: [Marker]) -> ChainVerdict {
        guard path.count == length, let root = path.last else {
            return .broken("the path to \(path.last?.name ?? "a root") has \(path.count) certificates, not \(length)")
        }
        for (certificate, marker) in zip(path, markers) where !certificate.carries(marker) {
            return .broken("\(certificate.name) is not marked by Apple for this use")
        }
        var validity = Int64.min...Int64.max
        for certificate in path {
            guard let own = certificate.validity, own.overlaps(validity) else {
                return .broken("\(certificate.name) is valid at no time at which its issuers are")
            }
            validity = own.clamped(to: validity)
        }
        return .trusted(root: root, validity: validity)
    }
}

/// libcrypto's list of certificates.
struct CertificateStack: ~Copyable {
    let handle: OpaquePointer
    /// Kept alive while the list names them.
    private let certificates: [Certificate]

    init(_ certificates: [Certificate]) {
        guard let stack = OPENSSL_sk_new_null() else { preconditionFailure("libcrypto is out of memory") }
        for certificate in certificates { OPENSSL_sk_push(stack, UnsafeRawPointer(certificate.handle)) }
        handle = stack
        self.certificates = certificates
    }

    deinit { OPENSSL_sk_free(handle) }

    static func contents(of stack: OpaquePointer?, atMost limit: Int32 = .max) -> [Certificate] {
        (0..<max(0, min(limit, OPENSSL_sk_num(stack)))).compactMap { position in
            OPENSSL_sk_value(stack, position).map { Certificate(sharing: OpaquePointer($0)) }
        }
    }
}

/// Reads root certificates that somebody wants trusted besides Apple's.
public enum TrustedRoot {
    /// The certificates (DER) of a file's content, DER or PEM; nil where it is neither.
    public static func certificates(_ content: [UInt8]) -> [[UInt8]]? {
        if let certificate = Certificate(der: content) { return [certificate.der] }
        let bio = BIO_new_mem_buf(content, Int32(clamping: content.count))
        defer { BIO_free(bio) }
        var found: [[UInt8]] = []
        while let handle = PEM_read_bio_X509(bio, nil, nil, nil) { found.append(Certificate(owning: handle).der) }
        return found.isEmpty ? nil : found
    }

    /// Apple's roots and `further` ones by name, with the last instant at which each is valid (nil: none is named).
    public static func expiries(further: [[UInt8]]) -> [(name: String, last: Instant?)] {
        (TrustStore.apple + further).compactMap { Certificate(der: $0) }.map { root in
            (root.name, root.validity.map { Instant(milliseconds: $0.upperBound) })
        }
    }
}
