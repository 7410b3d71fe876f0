internal import CCrypto

/// An X.509 certificate (RFC 5280), parsed and owned through libcrypto.
final class Certificate {
    /// libcrypto's `X509`. Valid as long as this object.
    let handle: OpaquePointer

    /// Takes over the caller's reference.
    init(owning handle: OpaquePointer) { self.handle = handle }

    /// Adds a reference; the caller keeps its own.
    init(sharing handle: OpaquePointer) {
        X509_up_ref(handle)
        self.handle = handle
    }

    /// Nil unless `der` is exactly one certificate with nothing after it.
    convenience init?(der: [UInt8]) {
        let (handle, isWhole) = der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            let handle = d2i_X509(nil, &cursor, bytes.count)
            return (handle, cursor == bytes.baseAddress.map { $0 + bytes.count })
        }
        guard let handle else { return nil }
        self.init(owning: handle)
        guard isWhole else { return nil }
    }

    deinit { X509_free(handle) }

    var der: [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(handle, &start)
        precondition(count > 0, "libcrypto cannot write the certificate that it read")
        defer { CRYPTO_free(start, nil, 0) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// The common name, for display; the whole subject if absent.
    var name: String {
        let subject = X509_get_subject_name(handle)
        let position = X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        guard position >= 0 else {
            return Self.text {
                X509_NAME_print_ex(
                    $0, subject, 0, UInt(ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT | XN_FLAG_SEP_COMMA_PLUS))
            }
        }
        let data = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, position))
        return Self.text { ASN1_STRING_print_ex($0, data, UInt(ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT)) }
    }

    /// The text that `write` writes into the BIO it is given, cut at 4 KiB.
    private static func text(_ write: (OpaquePointer?) -> Int32) -> String {
        let memory = BIO_new(BIO_s_mem())
        defer { BIO_free(memory) }
        guard write(memory) >= 0 else { return "a certificate whose name cannot be read" }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = BIO_read(memory, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(Int(max(0, count))), as: UTF8.self)
    }

    /// The first and last millisecond (since 1970) at which the certificate is valid; nil if its dates cannot be read
    /// or are reversed.
    var validity: ClosedRange<Int64>? {
        guard let first = seconds(X509_get0_notBefore(handle)), let last = seconds(X509_get0_notAfter(handle)),
            first <= last
        else { return nil }
        return first * 1000...last * 1000 + 999
    }

    /// Seconds since 1970; nil if the time cannot be read.
    private func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        let epoch = ASN1_TIME_set(nil, 0)
        defer { ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var rest: Int32 = 0
        guard ASN1_TIME_diff(&days, &rest, epoch, time) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(rest)
    }

    func carries(_ marker: Marker) -> Bool {
        guard let object = OBJ_txt2obj(marker.rawValue, 1) else {
            preconditionFailure("\(marker.rawValue) is not an object id")
        }
        defer { ASN1_OBJECT_free(object) }
        return X509_get_ext_by_OBJ(handle, object, -1) >= 0
    }
}

/// An extension by which Apple marks what a certificate is for, by object id.
/// See docs/spec/app-store.md#certificate-markers.
enum Marker: String {
    /// On certificates that sign App Store receipts and transactions. Without this check any developer certificate
    /// would pass.
    case receiptSigner = "1.2.840.113635.100.6.11.1"
    /// On Apple's Worldwide Developer Relations intermediate certificates.
    case intermediate = "1.2.840.113635.100.6.2.1"
}
