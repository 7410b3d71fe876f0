public import Domain
internal import Scan

/// What our own look at a client's receipt data came to.
public struct ReceiptCheck: Sendable {
    public var proof: ReceiptProof
    /// The transaction that the receipt claims, where its data is genuine and lists it: verified, without a price, and
    /// marked as known from a receipt alone. At most one; the others that it lists are nobody's claim.
    public var transactions: [Transaction] = []
    /// For people.
    public var reason: String
}

/// Checks the data of client receipts: base64 of a PKCS#7 receipt, a JWS, or an old-style receipt. One a thread.
public final class ReceiptChecker {
    private let settings: AppStoreSettings
    private let trust: TrustStore
    private let signatures: JWSVerifier
    private let receipts: ReceiptVerifier
    private var reader = FieldReader()

    public init(settings: AppStoreSettings) {
        self.settings = settings
        trust = TrustStore(further: settings.trustedRoots)
        signatures = JWSVerifier(settings: settings, trust: trust)
        receipts = ReceiptVerifier(settings: settings, trust: trust)
    }

    /// - Parameters:
    ///   - text: the data as uploaded.
    ///   - claimed: the transaction that the row says it is for; nil where it says none: then genuine data proves
    ///     nothing, and the receipt stays `unchecked`.
    ///
    /// Data that nobody can judge is `unverifiable` and changes no verdict; data that is well made but not Apple's
    /// is `forged`, Xcode's own receipts (a trusted root apart) among it.
    public func check(_ text: UnsafeRawBufferPointer, claimed: Identifier?, source: Provenance) -> ReceiptCheck {
        switch ReceiptData(text: text) {
        case .unreadable(let reason): return ReceiptCheck(proof: .unverifiable, reason: reason)
        case .jws(let jws): return check(jws, claimed, source)
        case .app(let receipt):
            return conclude(receipts.check(receipt), claimed, source, isForeign: { receipt.isForeign(settings) }) {
                receipt.purchases.first { $0.fields.transactionID == claimed }?.fields
            }
        case .oldStyle(let receipt):
            var authenticity = receipt.authenticity(trust: trust, settings: settings)
            // Its chain is never inside: a missing root accuses nobody. RULES §3, end.
            if case .unknownRoot(let reason) = authenticity { authenticity = .unjudged(reason) }
            return conclude(authenticity, claimed, source, isForeign: { receipt.fields.isForeign(settings) }) {
                receipt.fields.transactionID == claimed ? receipt.fields : nil
            }
        }
    }

    private func check(_ jws: JWS, _ claimed: Identifier?, _ source: Provenance) -> ReceiptCheck {
        do {
            return try jws.payload.withUnsafeBytes { payload in
                let record = try Record(payload, &reader, as: .payload)
                let authenticity = try signatures.check(jws, record).authenticity
                return conclude(authenticity, claimed, source, isForeign: { record.isForeign(settings) }) {
                    record.kind == .transaction && record.transaction.transactionID == claimed
                        ? record.transaction : nil
                }
            }
        } catch { return ReceiptCheck(proof: .unverifiable, reason: LineReject(error).reason) }
    }

    private func conclude(
        _ authenticity: Authenticity, _ claimed: Identifier?, _ source: Provenance, isForeign: () -> Bool,
        find: () -> TransactionFields?
    ) -> ReceiptCheck {
        switch authenticity {
        case .unjudged(let reason): return ReceiptCheck(proof: .unverifiable, reason: reason)
        case .unknownRoot(let reason), .broken(_, let reason): return ReceiptCheck(proof: .forged, reason: reason)
        case .genuine: break
        }
        if isForeign() { return ReceiptCheck(proof: .wrongBundle, reason: "genuine, but of another app") }
        guard let claimed else {
            return ReceiptCheck(proof: .unchecked, reason: "genuine, but no transaction is claimed")
        }
        guard var fields = find() else {
            return ReceiptCheck(proof: .lacksClaim, reason: "genuine, but does not list transaction \(claimed)")
        }
        fields.thousandths = nil
        // Listed, yet not fully described: the claim holds, and Apple's own record must tell the rest.
        guard var transaction = try? fields.transaction(settings: settings, proof: .verified, source: source) else {
            return ReceiptCheck(proof: .listsClaim, reason: "genuine, and lists transaction \(claimed)")
        }
        transaction.isFromReceipt = true
        return ReceiptCheck(
            proof: .listsClaim, transactions: [transaction], reason: "genuine, and lists transaction \(claimed)")
    }
}
