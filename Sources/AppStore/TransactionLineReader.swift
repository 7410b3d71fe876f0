public import Domain
internal import Scan

/// Reads the lines of a transactions feed. One a thread: it remembers chains it checked and ids it read.
///
/// What a line holds is a fact about the data: it ends in transactions, in rejects, or (a genuine record that is no
/// purchase) in nothing; reading throws nothing. INTERFACES §1.
public final class TransactionLineReader {
    private let settings: AppStoreSettings
    private let verifier: JWSVerifier
    private var reader = FieldReader()

    public init(settings: AppStoreSettings) {
        self.settings = settings
        verifier = JWSVerifier(settings: settings, trust: TrustStore(further: settings.trustedRoots))
    }

    public func read(_ line: UnsafeRawBufferPointer, isBackendTrusted: Bool, source: Provenance) -> LineOutcome {
        var outcome = LineOutcome()
        read(line, isBackendTrusted: isBackendTrusted, source: source, into: &outcome)
        return outcome
    }

    /// Adds to `outcome` what `line` comes to, white space around it passed over.
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
            }
        } catch {
            outcome.rejects.append(LineReject(error))
        }
    }

    private static let unsigned = LineReject(
        reason: "not signed by Apple, and the feed's trust is \"signature\": deliver the JWS, or set trust \"backend\"")
}

/// What Apple signed.
extension TransactionLineReader {
    /// Reads what an API response or a notification's body holds; false where it holds nothing signed.
    private func readSigned(
        in record: Record, _ source: Provenance, into outcome: inout LineOutcome
    ) throws -> Bool {
        if let jws = record.signedPayload ?? record.signedTransactionInfo {
            try jws.withUnescaped { try readSigned($0, source, into: &outcome) }
            return true
        }
        guard let page = record.signedTransactions else { return false }
        var position = 0
        try JSON.forEachElement(of: page) { element in
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

    /// Reads one JWS. Within a notification, `envelope` is what the check of the notification came to.
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
            case .notification where envelope == nil:
                try readNotification(record, authenticity, source, into: &outcome)
            case .renewal, .appTransaction, .notification:
                // Genuine, it is simply no purchase.
                if authenticity.failure != nil { throw LineReject(reason: authenticity.reason) }
            }
        }
    }

    /// The transaction inside has a signature of its own; it counts only if the notification's holds too.
    private func readNotification(
        _ notification: Record, _ authenticity: Authenticity, _ source: Provenance, into outcome: inout LineOutcome
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

/// What the backend says that it checked.
extension TransactionLineReader {
    private func vouched(_ fields: TransactionFields, _ source: Provenance) throws -> Transaction {
        var transaction = try fields.transaction(settings: settings, proof: .vouched, source: source)
        if fields.isForeign(settings) { transaction.invalidate(.wrongBundle) }
        return transaction
    }

    private func readResponse(_ record: Record, _ source: Provenance, into outcome: inout LineOutcome) throws {
        let status = try record.status.flatMap { try FieldReader.number($0, "status") }
        guard let status else {
            throw LineReject(column: "status", reason: "a verifyReceipt response without status proves nothing")
        }
        // Whatever else it holds: Apple did not call the receipt valid.
        guard status == 0 else { return }
        var response = VerifyReceiptResponse(
            receipt: record.receipt, latest: record.latestReceiptInfo, environment: record.transaction.environment)
        for fields in try response.fields(&reader, onFault: { outcome.rejects.append($0) }) {
            do { outcome.transactions.append(try vouched(fields, source)) } catch {
                outcome.rejects.append(LineReject(error))
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Without the blanks, tabs and line ends at both ends.
    var withoutSpaceAround: UnsafeRawBufferPointer {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
        var start = 0
        var end = count
        while start < end, isSpace(self[start]) { start += 1 }
        while end > start, isSpace(self[end - 1]) { end -= 1 }
        return part(start, end)
    }
}
