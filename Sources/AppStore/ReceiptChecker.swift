/// The result of checking the receipt data that a client sent.
public struct ReceiptCheck: Sendable {
    public var proof: ReceiptProof
    /// The transaction that the row claims, or `named`, if the data is genuine and lists it: verified, without a price, and
    /// marked as known only from a receipt. At most one: other transactions in the receipt are not claimed by this row and
    /// are not used.
    public var transactions: [Transaction] = []
    /// The transaction of genuine data of this app that lists one alone: the row claims it, whatever it names.
    public var named: Identifier?
    /// Other transactions that the row may be about. If `named` is set, the one that the row names instead. Otherwise
    /// those that genuine data of this app lists, the newest first, each with the purchase that it restores: of each
    /// subscription the newest period, at most `furtherMax` in all.
    public var further: [Identifier] = []
    /// The version of the app that received it. Nil unless the data is genuine and this app's, and states it.
    public var appVersion: Identifier?

    /// An app's data lists the purchases that it has not finished; honest apps have few. To hide a claim behind
    /// this many, a client must have paid for them.
    static let furtherMax = 400
}

/// Checks the receipt data that clients send: base64 of a PKCS#7 receipt, a JWS, or an old-style receipt. Use one per
/// thread.
public final class ReceiptChecker {
    private let settings: AppStoreSettings
    private let trust: TrustStore
    private let signatures: JWSVerifier
    private let receipts: ReceiptVerifier
    private var reader = FieldReader()

    /// Parses the trusted roots.
    public init(settings: AppStoreSettings) {
        self.settings = settings
        trust = TrustStore(further: settings.trustedRoots)
        signatures = JWSVerifier(settings: settings, trust: trust)
        receipts = ReceiptVerifier(settings: settings, trust: trust)
    }

    /// Checks one row's receipt data.
    ///
    /// - Parameters:
    ///   - text: the data as uploaded.
    ///   - claimed: the transaction that the row says the receipt is for. If nil, data with one transaction claims that
    ///     one; other genuine data proves nothing, and the receipt stays `unchecked`.
    ///   - source: the row, as the transaction's provenance.
    ///
    /// Data that cannot be judged is `unverifiable` and changes no verdict. Data that is well formed but not Apple's is
    /// `forged`; this includes Xcode receipts, unless their root is trusted by the configuration.
    public func check(_ text: UnsafeRawBufferPointer, claimed: Identifier?, source: Provenance) -> ReceiptCheck {
        switch ReceiptData(text: text) {
        case .unreadable: return ReceiptCheck(proof: .unverifiable)
        case .jws(let jws): return check(jws, claimed: claimed, source: source)
        case .app(let receipt):
            var check = conclude(
                receipts.check(receipt), claimed: claimed, of: receipt.purchases.map(\.fields), source: source,
                isForeign: { receipt.isForeign(settings) })
            if [.unchecked, .lacksClaim, .listsClaim].contains(check.proof), let version = receipt.version,
                version.utf8.count <= LabelSet.textMax
            {
                check.appVersion = Identifier(version)
            }
            return check
        case .oldStyle(let receipt):
            var authenticity = receipt.authenticity(trust: trust, settings: settings)
            // The issuer's certificate is never enclosed, so an unknown root does not mean forgery.
            // See docs/spec/app-store.md#old-style-receipts.
            if case .unknownRoot(let reason) = authenticity { authenticity = .unjudged(reason) }
            return conclude(
                authenticity, claimed: claimed, of: [receipt.fields], source: source,
                isForeign: { settings.isForeign(receipt.fields.bundle) })
        }
    }

    private func check(_ jws: JWS, claimed: Identifier?, source: Provenance) -> ReceiptCheck {
        do {
            return try jws.payload.withUnsafeBytes { payload in
                let record = try Record(payload, &reader, as: .payload)
                let authenticity = try signatures.check(jws, record).authenticity
                return conclude(
                    authenticity, claimed: claimed, of: record.kind == .transaction ? [record.transaction] : [],
                    source: source, isForeign: { record.isForeign(settings) })
            }
        } catch { return ReceiptCheck(proof: .unverifiable) }
    }

    /// The proof that follows from `authenticity`, the app and the claim.
    ///
    /// - Parameter listed: the transactions of the data.
    private func conclude(
        _ authenticity: Authenticity, claimed: Identifier?, of listed: [TransactionFields], source: Provenance,
        isForeign: () -> Bool
    ) -> ReceiptCheck {
        switch authenticity {
        case .unjudged: return ReceiptCheck(proof: .unverifiable)
        case .unknownRoot, .broken: return ReceiptCheck(proof: .forged)
        case .genuine: break
        }
        if isForeign() { return ReceiptCheck(proof: .wrongBundle) }
        let all = listed.filter { $0.transactionID != FieldReader.zero }.ordered {
            ($0.paidAt ?? .absent, $0.transactionID ?? .absent) > ($1.paidAt ?? .absent, $1.transactionID ?? .absent)
        }
        let named = listed.count == 1 ? all.first?.transactionID : nil
        let others = named == nil ? served(all) : [claimed].compactMap { $0 }
        let further = others.filter { $0 != named ?? claimed }.prefix(ReceiptCheck.furtherMax)
        guard let claim = named ?? claimed else { return ReceiptCheck(proof: .unchecked, further: Array(further)) }
        guard var fields = listed.first(where: { $0.transactionID == claim }) else {
            return ReceiptCheck(proof: .lacksClaim, further: Array(further))
        }
        var check = ReceiptCheck(
            proof: claimed == nil || claimed == claim ? .listsClaim : .lacksClaim, named: named, further: Array(further)
        )
        fields.thousandths = nil
        // Listed, but with required fields missing: the claim holds, and the details must come from Apple's own record.
        if var transaction = try? fields.transaction(settings: settings, proof: .verified, source: source) {
            transaction.isFromReceipt = true
            check.transactions = [transaction]
        }
        return check
    }

    /// What a backend may serve for data that lists these transactions, the newest first: every purchase that the app has not
    /// finished, or the one that it restores, and of each subscription the newest period. Each id once.
    private func served(_ listed: [TransactionFields]) -> [Identifier] {
        var subscriptions: Set<Identifier?> = []
        var seen: Set<Identifier> = [FieldReader.zero]
        return listed.flatMap { fields -> [Identifier?] in
            if fields.expiresDate == nil { return [fields.transactionID, fields.originalTransactionID] }
            let isNewest = subscriptions.insert(fields.originalTransactionID ?? fields.product).inserted
            return isNewest ? [fields.transactionID] : []
        }.compactMap { $0 }.filter { seen.insert($0).inserted }
    }
}
