internal import CCrypto

/// A `transactionReceipt` as created before iOS 7: one transaction in an old-style property list.
/// See docs/spec/app-store.md#old-style-receipts.
struct OldStyleReceipt {
    /// The signed part (`purchase-info`), decoded.
    let info: [UInt8]
    /// The transaction's fields. The device id that `info` also contains is never read.
    let fields: TransactionFields
    private let signature: Signature?

    /// Nil if the bytes are not such a list, or if it contains no purchase.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let outer = OldStylePlist.entries(bytes), let info = outer["purchase-info"].flatMap(Self.base64),
            let inner = info.withUnsafeBytes(OldStylePlist.entries), let fields = Self.fields(inner, outer)
        else { return nil }
        self.info = info
        self.fields = fields
        signature = outer["signature"].flatMap(Self.base64).flatMap(Signature.init)
    }

    private static func base64(_ text: String) -> [UInt8]? { Array(text.utf8).withUnsafeBytes(Parse.base64) }

    private static func fields(_ inner: [String: String], _ outer: [String: String]) -> TransactionFields? {
        func identifier(_ name: String) -> Identifier? {
            inner[name].flatMap { 1...IdentifierCache.bytesMax ~= $0.utf8.count ? Identifier($0) : nil }
        }
        func instant(_ name: String) -> Instant? {
            inner[name].flatMap { Array($0.utf8).withUnsafeBytes { Parse.instant($0, zone: .utc) } }
        }
        var fields = TransactionFields()
        fields.transactionID = identifier("transaction-id")
        fields.originalTransactionID = identifier("original-transaction-id")
        fields.product = identifier("product-id")
        fields.bundle = identifier("bid")
        fields.line = identifier("web-order-line-item-id")
        fields.purchaseDate = instant("purchase-date-ms")
        fields.expiresDate = instant("expires-date")
        fields.quantity = inner["quantity"].flatMap { Int64($0) }
        fields.environment = outer["environment"].map { Array($0.utf8).withUnsafeBytes(Vocabulary.environment) }
        return fields.transactionID == nil && fields.product == nil ? nil : fields
    }

    /// Whether the enclosed certificate signed the receipt, and whether that certificate is trusted.
    ///
    /// The issuer's certificate is not enclosed, so the chain usually cannot be completed. `ReceiptChecker` therefore
    /// treats an unknown root as "cannot be judged", not as a forgery.
    func authenticity(trust: TrustStore, settings: AppStoreSettings) -> Authenticity {
        guard let signature else { return .unjudged("an old-style receipt without a signature in a known format") }
        guard signature.holds(over: info) else {
            return .broken(.badSignature, "the signature does not match the enclosed certificate")
        }
        let verdict = trust.verdict(
            leaf: signature.certificate, intermediates: [], length: 2, markers: [.receiptSigner])
        return verdict.authenticity(at: fields.purchaseDate ?? settings.now)
    }
}

extension OldStyleReceipt {
    /// The binary signature: version (1 byte), RSA signature (128), length of the certificate (4, big endian),
    /// certificate.
    private struct Signature {
        let version: UInt8
        let value: [UInt8]
        let certificate: Certificate

        /// Nil if the version is not 2 or the layout does not fit.
        init?(_ bytes: [UInt8]) {
            guard bytes.count > 133, bytes[0] == 2 else { return nil }
            let length = bytes[129..<133].reduce(0) { $0 << 8 | Int($1) }
            guard length == bytes.count - 133, let certificate = Certificate(der: Array(bytes[133...])) else {
                return nil
            }
            version = bytes[0]
            value = Array(bytes[1..<129])
            self.certificate = certificate
        }

        /// Whether the certificate's RSA key signed (SHA-1) the version byte followed by `info`.
        func holds(over info: [UInt8]) -> Bool {
            guard let key = X509_get0_pubkey(certificate.handle), EVP_PKEY_is_a(key, "RSA") == 1 else { return false }
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            let message = [version] + info
            return EVP_DigestVerifyInit(context, nil, EVP_sha1(), nil, key) == 1
                && EVP_DigestVerify(context, value, value.count, message, message.count) == 1
        }
    }
}

/// The old-style property list format as far as receipts use it: `{ "name" = "value"; … }`, no nesting, no escapes.
enum OldStylePlist {
    /// Nil if the bytes are anything else, or if a name occurs twice.
    static func entries(_ bytes: UnsafeRawBufferPointer) -> [String: String]? {
        var rest = bytes[...]
        var entries: [String: String] = [:]
        guard take("{", &rest) else { return nil }
        while !take("}", &rest) {
            guard let name = quoted(&rest), take("=", &rest), let value = quoted(&rest), take(";", &rest),
                entries.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        skipSpace(&rest)
        return rest.isEmpty ? entries : nil
    }

    private static func skipSpace(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        rest = rest.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
    }

    private static func take(_ character: Unicode.Scalar, _ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        skipSpace(&rest)
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func quoted(_ rest: inout Slice<UnsafeRawBufferPointer>) -> String? {
        let quote = UInt8(ascii: "\"")
        guard take("\"", &rest), let end = rest.firstIndex(of: quote) else { return nil }
        let text = rest[..<end]
        rest = rest[(end + 1)...]
        return text.contains(UInt8(ascii: "\\")) ? nil : String(validating: text, as: UTF8.self)
    }
}
