/// Reads the lines of a transactions feed. Use one per thread: it caches chains and ids.
///
/// A line may be a JWS, or a JSON object that contains signed records (an API response, a history page, a notification)
/// or, in a feed whose trust is `backend`, unsigned data. Reading never throws: each line results in transactions, in
/// rejects, or, for a genuine record that is not a purchase, in nothing. See docs/spec/app-store.md#transaction-lines.
public final class TransactionLineReader {
    private let settings: AppStoreSettings
    private let verifier: JWSVerifier
    private var reader = FieldReader()

    /// Parses the trusted roots.
    public init(settings: AppStoreSettings) {
        self.settings = settings
        verifier = JWSVerifier(settings: settings, trust: TrustStore(further: settings.trustedRoots))
    }

    /// Reads one line. Surrounding white space is ignored.
    ///
    /// - Parameters:
    ///   - isBackendTrusted: whether unsigned data counts (the feed's trust is `backend`).
    ///   - source: the line, as the transactions' provenance.
    ///   - outcome: what was read is added to it, so that its memory serves all lines.
    public func read(
        _ line: UnsafeRawBufferPointer, isBackendTrusted: Bool, source: Provenance, into outcome: inout LineOutcome
    ) {
        do {
            let text = line.withoutSpaceAround
            guard text.first == UInt8(ascii: "{") else { return try readSigned(text, source, into: &outcome) }
            let record = try Record(text, &reader, as: .line)
            if try readSigned(in: record, source, into: &outcome) { return }
            guard isBackendTrusted else { throw Self.unsigned }
            if record.isResponse {
                try readResponse(record, source, into: &outcome)
            } else {
                outcome.transactions.append(try vouched(record.transaction, source))
                outcome.noteOffer(record.transaction)
            }
        } catch {
            outcome.rejects.append(LineReject(error))
        }
    }

    private static let unsigned = LineReject(
        reason:
            "not signed by Apple, and the feed's trust is \"signature\": deliver the JWS, or set trust to \"backend\"")
}

/// Signed records.
extension TransactionLineReader {
    /// Reads the signed records in an API response or a notification body; false if it contains none.
    private func readSigned(
        in record: Record, _ source: Provenance, into outcome: inout LineOutcome
    ) throws -> Bool {
        if let jws = record.signedPayload ?? record.signedTransactionInfo {
            try jws.withUnescaped { try readSigned($0, source, into: &outcome) }
            return true
        }
        guard let page = record.signedTransactions else { return false }
        var position = 0
        try JSONReader.forEachElement(of: page) { element in
            position += 1
            do {
                guard case .string(let jws) = element else { throw LineReject(reason: "expected a JWS in quotes") }
                try jws.withUnescaped { try readSigned($0, source, into: &outcome) }
            } catch {
                outcome.rejects.append(LineReject(error, element: position, of: "signedTransactions"))
            }
        }
        return true
    }

    /// Reads one JWS. For the transaction inside a notification, `envelope` is the result of checking the notification.
    private func readSigned(
        _ text: UnsafeRawBufferPointer, _ source: Provenance, envelope: Authenticity? = nil,
        into outcome: inout LineOutcome
    ) throws {
        let jws = try JWS(text)
        try jws.payload.withUnsafeBytes { payload in
            let record = try Record(payload, &reader, as: .payload)
            let (authenticity, digest) = try verifier.check(jws, record)
            if case .genuine(.some) = authenticity { outcome.verified.append(digest) }
            switch record.kind {
            case .transaction:
                var transaction = try record.transaction.transaction(
                    settings: settings, proof: .verified, source: source)
                let foreign: ProofFailure? = record.isForeign(settings) ? .wrongBundle : nil
                if let failure = envelope?.failure ?? authenticity.failure ?? foreign {
                    transaction.invalidate(failure)
                }
                outcome.transactions.append(transaction)
                outcome.noteOffer(record.transaction)
            case .notification where envelope == nil:
                try readNotification(record, authenticity, source: source, into: &outcome)
            case .renewal, .appTransaction, .notification, .receipt, .legacyReceipt, .unknown:
                // A genuine record of another kind is not a purchase, and not an error.
                if authenticity.failure != nil { throw LineReject(reason: authenticity.reason) }
            }
        }
    }

    /// The transaction inside a notification has its own signature. It counts only if the notification's signature
    /// holds too.
    private func readNotification(
        _ notification: Record, _ authenticity: Authenticity, source: Provenance, into outcome: inout LineOutcome
    ) throws {
        let data = try notification.data.map { try Record($0, &reader, as: .notification) }
        var envelope = authenticity
        if authenticity.failure == nil, data?.isForeign(settings) == true {
            envelope = .broken(.wrongBundle, "a notification for another app")
        }
        if let inner = data?.signedTransactionInfo {
            return try inner.withUnescaped { try readSigned($0, source, envelope: envelope, into: &outcome) }
        }
        if envelope.failure != nil { throw LineReject(reason: envelope.reason) }
    }
}

extension LineOutcome {
    fileprivate mutating func noteOffer(_ fields: TransactionFields) {
        if fields.hasOffer, let id = fields.transactionID { offers.append(id) }
    }
}

/// Unsigned data, accepted on the backend's word.
extension TransactionLineReader {
    private func vouched(_ fields: TransactionFields, _ source: Provenance) throws -> Transaction {
        var transaction = try fields.transaction(settings: settings, proof: .vouched, source: source)
        try fields.requirePast(settings.latest)
        if settings.isForeign(fields.bundle) { transaction.invalidate(.wrongBundle) }
        return transaction
    }

    private func readResponse(_ record: Record, _ source: Provenance, into outcome: inout LineOutcome) throws {
        let status = try record.status.flatMap { try FieldReader.number($0, "status") }
        guard let status else {
            throw LineReject(column: "status", reason: "a verifyReceipt response without status proves nothing")
        }
        // Apple did not call this receipt valid, so nothing else in the response counts.
        guard status == 0 else { return }
        var response = VerifyReceiptResponse(record)
        for fields in try response.fields(&reader, onFault: { outcome.rejects.append($0) }) {
            do { outcome.transactions.append(try vouched(fields, source)) } catch {
                outcome.rejects.append(LineReject(error))
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes without leading and trailing white space.
    var withoutSpaceAround: UnsafeRawBufferPointer {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
        var start = 0
        var end = count
        while start < end, isSpace(self[start]) { start += 1 }
        while end > start, isSpace(self[end - 1]) { end -= 1 }
        return part(start, end)
    }
}
