/// What kind of receipt some data is. Nothing is verified yet.
enum ReceiptData {
    case jws(JWS)
    case app(AppReceipt)
    case oldStyle(OldStyleReceipt)
    /// Not a receipt, or one that cannot be parsed, with the reason.
    case unreadable(String)

    /// Recognizes the kind by the first characters, so that data that is obviously not a receipt costs almost nothing.
    init(text: UnsafeRawBufferPointer) {
        let text = text.withoutSpaceAround
        if text.position(of: UInt8(ascii: ".")) != nil {
            do { self = .jws(try JWS(text)) } catch { self = .unreadable(error.reason) }
            return
        }
        // A DER sequence of 128 bytes or more begins with 30 8… ("MI" in base64), a property list with a brace ("e").
        let isPlausible = text.starts(with: "MI".utf8) || text.starts(with: "e".utf8)
        guard isPlausible, let bytes = Self.decode(text) else {
            self = .unreadable("not a receipt: neither a JWS nor base64 of a receipt")
            return
        }
        self = bytes.withUnsafeBytes { ReceiptData(bytes: $0) }
    }

    /// Recognizes binary data: what base64 decoded to, or the content of a file.
    init(bytes: UnsafeRawBufferPointer) {
        if bytes.first == UInt8(ascii: "{") {
            self =
                OldStyleReceipt(bytes).map { .oldStyle($0) }
                ?? .unreadable("not a receipt: a property list without a purchase")
            return
        }
        guard let container = SignedReceipt(bytes) else {
            self = .unreadable("not a receipt: not a signed container (PKCS#7) as Apple's receipts are")
            return
        }
        guard let receipt = AppReceipt(container) else {
            self = .unreadable("not a receipt: the container's content is not a receipt's list of attributes")
            return
        }
        self = .app(receipt)
    }

    /// Decodes base64 that is written in one line or in several. `mysql --batch` writes a line end as a backslash with a letter.
    private static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        if let bytes = Parse.base64(text) { return bytes }
        var isEscaped = false
        let unfolded = text.filter { byte in
            defer { isEscaped = byte == UInt8(ascii: "\\") }
            if isEscaped, byte == UInt8(ascii: "n") || byte == UInt8(ascii: "r") { return false }
            return byte != 0x0A && byte != 0x0D && byte != 0x20 && byte != UInt8(ascii: "\\")
        }
        return unfolded.count < text.count ? unfolded.withUnsafeBytes(Parse.base64) : nil
    }
}

/// Verifies the signatures of app receipts. See docs/spec/app-store.md#app-receipts. Use one per thread. A chain is
/// checked once per set of certificates.
final class ReceiptVerifier {
    private let settings: AppStoreSettings
    private let trust: TrustStore
    private var verdicts = RecentlyUsed<ChainVerdict>()

    init(settings: AppStoreSettings, trust: TrustStore) {
        self.settings = settings
        self.trust = trust
    }

    /// Whether Apple signed the receipt, and the certificates were valid when it was created. Which app the receipt
    /// belongs to is not checked here.
    func check(_ receipt: AppReceipt) -> Authenticity {
        let signed = receipt.container
        guard let leaf = signed.signerCertificate else {
            return .broken(.badSignature, "it is not signed by exactly one signer whose certificate is enclosed")
        }
        if let fault = signed.signatureFault(of: leaf) { return fault }
        guard let date = receipt.createdAt else {
            return .broken(
                .untrustedChain, "it has no creation date, so the validity of its certificates cannot be checked")
        }
        return settings.objection(to: date) ?? verdict(leaf, receipt).authenticity(at: date)
    }

    /// The result for the receipt's chain, cached by its certificates. A single certificate is accepted only in test
    /// environments.
    private func verdict(_ leaf: Certificate, _ receipt: AppReceipt) -> ChainVerdict {
        let certificates = receipt.container.certificates
        let isLone = certificates.count == 1 && receipt.environment.isTesting
        let key = (isLone ? [1] : [0]) + leaf.der + certificates.flatMap(\.der)
        return key.withUnsafeBytes { key in
            verdicts.value(for: key) { trust.verdict(leaf: leaf, intermediates: certificates, isLone: isLone) }
        }
    }
}
