package import Domain
internal import Scan

/// Reads the lines of a transactions feed. One a thread: it remembers what it read last.
///
/// What a line holds is a fact about the data: it ends in transactions, in rejects, or (a genuine record that is no
/// purchase) in nothing; reading throws nothing. INTERFACES §1.
package final class TransactionLineReader {
    private let settings: AppStoreSettings
    private var reader = FieldReader()

    package init(settings: AppStoreSettings) {
        self.settings = settings
    }

    package func read(_ line: UnsafeRawBufferPointer, isBackendTrusted: Bool, source: Provenance) -> LineOutcome {
        var outcome = LineOutcome()
        read(line, isBackendTrusted: isBackendTrusted, source: source, into: &outcome)
        return outcome
    }

    /// Adds to `outcome` what `line` comes to, white space around it passed over.
    package func read(
        _ line: UnsafeRawBufferPointer, isBackendTrusted: Bool, source: Provenance, into outcome: inout LineOutcome
    ) {
        do {
            let record = try Record(line, &reader)
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

    /// A record that the backend says it checked.
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
