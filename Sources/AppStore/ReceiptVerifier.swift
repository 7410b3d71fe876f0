internal import Domain
internal import Scan

/// What receipt data turns out to be, before anything is believed.
enum ReceiptData {
    case jws(JWS)
    case app(AppReceipt)
    case oldStyle(OldStyleReceipt)
    /// No receipt, or none that can be read; with the reason.
    case unreadable(String)

    /// Told by its first letters, so that what is plainly none costs next to nothing.
    init(text: UnsafeRawBufferPointer) {
        let text = text.withoutSpaceAround
        if text.position(of: UInt8(ascii: ".")) != nil {
            do { self = .jws(try JWS(text)) } catch { self = .unreadable(error.reason) }
            return
        }
        // A DER sequence of 128 bytes or more begins with 30 8…, a property list with a brace.
        let isPlausible = text.starts(with: "MI".utf8) || text.starts(with: "e".utf8)
        guard isPlausible, let bytes = Self.decode(text) else {
            self = .unreadable("no receipt: neither a JWS nor base64 of one")
            return
        }
        self = bytes.withUnsafeBytes { ReceiptData(bytes: $0) }
    }

    /// As it is behind base64, or in a file of its own.
    init(bytes: UnsafeRawBufferPointer) {
        if bytes.first == UInt8(ascii: "{") {
            self = OldStyleReceipt(bytes).map { .oldStyle($0) } ?? .unreadable("no receipt: a list without a purchase")
            return
        }
        guard let container = SignedReceipt(bytes) else {
            self = .unreadable("no receipt: not the signed container (PKCS#7) that Apple's come in")
            return
        }
        guard let receipt = AppReceipt(container) else {
            self = .unreadable("no receipt: what the container holds is not a receipt's list of attributes")
            return
        }
        self = .app(receipt)
    }

    /// Base64, in one line or folded into several.
    private static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        if let bytes = Parse.base64(text) { return bytes }
        let unfolded = text.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 }
        return unfolded.count < text.count ? unfolded.withUnsafeBytes(Parse.base64) : nil
    }
}

/// Checks the signatures of app receipts. APPLE §6. One a thread; a chain is checked once per set of certificates.
final class ReceiptVerifier {
    private let settings: AppStoreSettings
    private let trust: TrustStore
    private var verdicts = RecentlyUsed<ChainVerdict>()

    init(settings: AppStoreSettings, trust: TrustStore) {
        self.settings = settings
        self.trust = trust
    }

    /// Whether Apple signed the receipt, at the time that it says it was made. Whose app it is of is another question.
    func check(_ receipt: AppReceipt) -> Authenticity {
        let signed = receipt.container
        guard let leaf = signed.signerCertificate else {
            return .broken(.badSignature, "it is not signed by one signer whose certificate is inside")
        }
        switch signed.checkSignature(of: leaf) {
        case .broken(let reason): return .broken(.badSignature, reason)
        case .unknown(let reason): return .unjudged(reason)
        case .holds: break
        }
        guard let date = receipt.createdAt else {
            return .broken(.untrustedChain, "without a date of creation nobody can tell whether it was valid")
        }
        return settings.objection(to: date) ?? verdict(leaf, receipt).authenticity(at: date)
    }

    private func verdict(_ leaf: Certificate, _ receipt: AppReceipt) -> ChainVerdict {
        let certificates = receipt.container.certificates
        let isLone = certificates.count == 1 && receipt.environment.isTesting
        let key = (isLone ? [1] : [0]) + leaf.der + certificates.flatMap(\.der)
        return key.withUnsafeBytes { key in
            verdicts.value(for: key) {
                isLone
                    ? trust.verdict(leaf: leaf, intermediates: [], length: 1, markers: [])
                    : trust.verdict(
                        leaf: leaf, intermediates: certificates, length: 3,
                        markers: [.receiptSigner, .intermediate])
            }
        }
    }
}
