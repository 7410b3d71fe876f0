/// Reports what Apple's signature proves about a file, whatever app and environment it is for. Used by `reconcile
/// verify`.
public final class FileVerifier {
    private let trust: TrustStore
    private let signatures: JWSVerifier
    private let receipts: ReceiptVerifier
    private let settings: AppStoreSettings
    private var reader = FieldReader()

    /// - Parameters:
    ///   - roots: trusted in addition to Apple's, as returned by `TrustedRoot.certificates`.
    ///   - now: the current time. A signing date more than five minutes later is refused.
    public init(roots: [[UInt8]], now: Instant) {
        settings = AppStoreSettings(bundles: [], environment: .production, trustedRoots: roots, now: now)
        trust = TrustStore(further: roots)
        signatures = JWSVerifier(settings: settings, trust: trust)
        receipts = ReceiptVerifier(settings: settings, trust: trust)
    }

    /// One result for a file that is a single record; otherwise one result for each non-blank line.
    ///
    /// `name` matters only if the first line is not a record: a file named `.jsonl` or `.jws` is then still read line
    /// by line.
    public func verify(_ bytes: UnsafeRawBufferPointer, name: String) -> [VerifyResult] {
        let text = bytes.withoutByteOrderMark.withoutSpaceAround
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            UnsafeRawBufferPointer(rebasing: $0).withoutSpaceAround
        }
        let isNamedForLines = name.hasSuffix(".jsonl") || name.hasSuffix(".jws")
        guard lines.count > 1, isNamedForLines || isRecord(lines[0]) else { return [verifyOne(bytes, text)] }
        return lines.enumerated().filter { !$0.element.isEmpty }.map { number, line in
            var result = verifyOne(line, line)
            result.line = number + 1
            return result
        }
    }

    /// Whether the line alone is a JWS or a JSON object.
    private func isRecord(_ line: UnsafeRawBufferPointer) -> Bool {
        (try? JWS(line)) != nil
            || line.first == UInt8(ascii: "{") && (try? JSONReader.forEachMember(of: line) { _, _ in }) != nil
    }

    /// Verifies one record. `text` is `bytes` without byte order mark and surrounding white space.
    private func verifyOne(_ bytes: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) -> VerifyResult {
        if text.first == UInt8(ascii: "{") {
            if let old = OldStyleReceipt(text) { return verify(old) }
            do { return try verify(Record(text, &reader, as: .line)) } catch {
                return VerifyResult(.unknown, .unverifiable, reason: LineReject(error).reason)
            }
        }
        switch bytes.first == 0x30 ? ReceiptData(bytes: bytes) : ReceiptData(text: text) {
        case .jws: return verify(jws: text)
        case .app(let receipt): return verify(receipt)
        case .oldStyle(let receipt): return verify(receipt)
        case .unreadable(let reason): return VerifyResult(.unknown, .unverifiable, reason: reason)
        }
    }
}

/// Signed records, and the JSON objects that contain them.
extension FileVerifier {
    private func verify(jws text: UnsafeRawBufferPointer) -> VerifyResult {
        do {
            let jws = try JWS(text)
            return try jws.payload.withUnsafeBytes { payload in
                let record = try Record(payload, &reader, as: .payload)
                let authenticity = try signatures.check(jws, record).authenticity
                var result = VerifyResult(record.kind, authenticity)
                describe(record, in: &result)
                return result
            }
        } catch { return VerifyResult(.unknown, .invalid, reason: LineReject(error).reason) }
    }

    /// Adds what `record` says about itself. The records inside a notification are verified and included.
    private func describe(_ record: Record, in result: inout VerifyResult) {
        result.signedAt = record.transaction.signedDate ?? record.createdAt
        result.bundleID = record.transaction.bundle?.text
        result.environment = record.transaction.environment?.name
        if record.kind == .transaction { result.transactions = [[VerifyResult.Fact](record.transaction)] }
        guard record.kind == .notification,
            let data = try? record.data.map({ try Record($0, &reader, as: .notification) })
        else { return }
        result.bundleID = data.transaction.bundle?.text
        result.environment = data.transaction.environment?.name
        for inner in [data.signedTransactionInfo, data.signedRenewalInfo].compactMap({ $0 }) {
            result.include(inner.withUnescaped { verify(jws: $0) })
        }
    }

    /// A JSON object: an API response or the body of a notification. The signed records inside it are what counts.
    private func verify(_ body: Record) throws -> VerifyResult {
        if let jws = body.signedPayload ?? body.signedTransactionInfo { return jws.withUnescaped { verify(jws: $0) } }
        if let page = body.signedTransactions { return try verify(page: page) }
        if body.isResponse { return try verify(response: body) }
        let isKnown =
            body.isNotification || body.isRenewal || body.isAppTransaction || body.transaction.transactionID != nil
        var result = VerifyResult(
            isKnown ? body.kind : .unknown, .unverifiable,
            reason: isKnown ? "decoded, but not signed by Apple" : "not a record from Apple")
        if isKnown { describe(body, in: &result) }
        return result
    }

    private func verify(page: UnsafeRawBufferPointer) throws -> VerifyResult {
        var results: [VerifyResult] = []
        try JSONReader.forEachElement(of: page) { element in
            guard case .string(let jws) = element else {
                return results.append(VerifyResult(.unknown, .invalid, reason: "expected a JWS in quotes"))
            }
            results.append(jws.withUnescaped { verify(jws: $0) })
        }
        guard var whole = results.first else {
            return VerifyResult(.transaction, .unverifiable, reason: "an empty page")
        }
        whole.kind = .transaction
        for result in results.dropFirst() { whole.include(result) }
        return whole
    }

    private func verify(response: Record) throws -> VerifyResult {
        let status = try response.status.flatMap { try FieldReader.number($0, "status") }
        guard status == 0 else {
            let answer = status.map { "status \($0)" } ?? "no status"
            return VerifyResult(
                .legacyReceipt, .unverifiable,
                reason: "verifyReceipt answered with \(answer), so its response proves nothing")
        }
        var result = VerifyResult(
            .legacyReceipt, .unverifiable,
            reason: "a verifyReceipt response is not signed: it is only as trustworthy as whoever requested it")
        var listing = VerifyReceiptResponse(response)
        let fields = try listing.fields(&reader, onFault: { result.reason = $0.reason })
        result.transactions = fields.map { [VerifyResult.Fact]($0) }
        result.bundleID = fields.first?.bundle?.text
        result.environment = (response.transaction.environment ?? fields.first?.environment)?.name
        return result
    }

    private func verify(_ receipt: AppReceipt) -> VerifyResult {
        var result = VerifyResult(.receipt, receipts.check(receipt))
        if receipt.environment.isTesting, result.outcome != .verified {
            result.reason = "an Xcode receipt, made for testing on a developer's machine: " + result.reason
        }
        result.bundleID = receipt.bundle
        result.environment = receipt.environment?.name
        result.signedAt = receipt.createdAt
        result.transactions = receipt.purchases.map { [VerifyResult.Fact]($0) }
        result.details = [VerifyResult.Fact]([
            "receipt_type": receipt.type.map(JSON.text),
            "app_apple_id": receipt.appAppleID.map { .text(String($0)) },
            "app_version": receipt.version.map(JSON.text),
            "original_app_version": receipt.originalVersion.map(JSON.text),
            "original_purchase_date": (receipt.originalPurchaseDate?.text).map(JSON.text),
            "expiration_date": (receipt.expiresAt?.text).map(JSON.text),
        ])
        return result
    }

    private func verify(_ receipt: OldStyleReceipt) -> VerifyResult {
        var result = VerifyResult(.legacyReceipt, receipt.authenticity(trust: trust, settings: settings))
        result.bundleID = receipt.fields.bundle?.text
        result.environment = receipt.fields.environment?.name
        result.signedAt = receipt.fields.purchaseDate
        result.transactions = [[VerifyResult.Fact](receipt.fields)]
        return result
    }
}

extension UnsafeRawBufferPointer {
    var withoutByteOrderMark: UnsafeRawBufferPointer {
        starts(with: [0xEF, 0xBB, 0xBF]) ? part(3, count) : self
    }
}
