internal import CCrypto
internal import Domain

/// An X.509 certificate, parsed and freed by libcrypto.
final class Certificate {
    let handle: OpaquePointer

    /// Takes over one reference.
    init(owning handle: OpaquePointer) { self.handle = handle }

    /// Takes a reference of its own.
    init(sharing handle: OpaquePointer) {
        X509_up_ref(handle)
        self.handle = handle
    }

    /// Nil unless `der` is one certificate and nothing behind it.
    convenience init?(der: UnsafeRawBufferPointer) {
        var cursor = der.bindMemory(to: UInt8.self).baseAddress
        guard let end = cursor.map({ $0 + der.count }), let handle = d2i_X509(nil, &cursor, der.count) else {
            return nil
        }
        self.init(owning: handle)
        guard cursor == end else { return nil }
    }

    convenience init?(der: [UInt8]) {
        guard let certificate = der.withUnsafeBytes({ Certificate(der: $0) }) else { return nil }
        self.init(sharing: certificate.handle)
    }

    deinit { X509_free(handle) }

    var der: [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(handle, &start)
        precondition(count > 0, "libcrypto cannot write the certificate that it read")
        defer { CRYPTO_free(start, nil, 0) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// The common name, for people; the whole subject where there is none.
    var name: String {
        let subject = X509_get_subject_name(handle)
        let position = X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        let entry = X509_NAME_get_entry(subject, position)
        guard position >= 0, let text = X509_NAME_ENTRY_get_data(entry) else { return "certificate without a name" }
        var utf8: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&utf8, text)
        defer { CRYPTO_free(utf8, nil, 0) }
        return String(decoding: UnsafeBufferPointer(start: utf8, count: max(0, Int(count))), as: UTF8.self)
    }

    /// From the first to the last millisecond in which it is valid; nil where it names no such time.
    var validity: ClosedRange<Int64>? {
        guard let first = seconds(X509_get0_notBefore(handle)), let last = seconds(X509_get0_notAfter(handle)),
            first <= last
        else { return nil }
        return first * 1000...last * 1000 + 999
    }

    private func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        let epoch = ASN1_TIME_set(nil, 0)
        defer { ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var rest: Int32 = 0
        guard ASN1_TIME_diff(&days, &rest, epoch, time) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(rest)
    }

    func carries(_ marker: Marker) -> Bool { X509_get_ext_by_OBJ(handle, marker.object, -1) >= 0 }
}

/// An extension by which Apple says what a certificate is for. APPLE §2.6.
struct Marker: @unchecked Sendable {
    /// Never written after it was made, never freed: one of two constants.
    let object: OpaquePointer

    /// The signer of App Store receipts and transactions; without it any developer's certificate would pass.
    static let receiptSigner = Marker("1.2.840.113635.100.6.11.1")
    /// Apple's intermediate for developer relations.
    static let intermediate = Marker("1.2.840.113635.100.6.2.1")

    private init(_ identifier: String) {
        guard let object = OBJ_txt2obj(identifier, 1) else { preconditionFailure("\(identifier) is no object id") }
        self.object = object
    }
}
