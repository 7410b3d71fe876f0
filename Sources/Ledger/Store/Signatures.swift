public import Domain
internal import SQLite
internal import Synchronization

extension Ledger {
    /// Remembers signatures that were verified, by the SHA-256 of the JWS, so that none is checked twice.
    public func writeSignatures(_ digests: [Digest256]) throws {
        // Of the millions in a first load, what is known need not be returned to be hashed.
        var statement = try connection.prepare("INSERT OR IGNORE INTO verified_signature (digest) VALUES (?1)")
        for digest in digests.sorted(by: { $0.words < $1.words }) {
            let bytes = digest.bytes
            statement.bind(1, blob: bytes)
            try statement.run()
            guard connection.changes == 1 else { continue }
            var hash = RowHash()
            bytes.withUnsafeBytes { hash.add($0) }
            checksums.change(.signatures) { $0.add(hash) }
        }
    }
}

/// Signatures verified in earlier runs, asked by many threads. A connection of its own: it sees what was committed.
public final class SignatureMemory: Sendable {
    private let known: Mutex<Statement?>

    /// - Parameter path: of a ledger; one that is not there, or holds nothing yet, knows no signature.
    public init(ledger path: String) {
        known = Mutex(
            try? Connection(path: path, mode: .readOnly)
                .prepare("SELECT 1 FROM verified_signature WHERE digest = ?1"))
    }

    /// A ledger that cannot be asked knows nothing: the signature is checked again.
    public func contains(_ digest: Digest256) -> Bool {
        known.withLock { statement in
            guard statement != nil else { return false }
            statement!.bind(1, blob: digest.bytes)
            let isKnown = (try? statement!.step()) ?? false
            statement!.reset()
            return isKnown
        }
    }
}
