internal import Synchronization

extension Ledger {
    /// Records verified signatures by the SHA-256 of the JWS, so that none is verified twice.
    public func writeSignatures(_ digests: [Digest256]) throws {
        // A first load may have millions of signatures. Returning known ones only to hash them would take too long.
        var statement = try connection.prepare("INSERT OR IGNORE INTO verified_signature (digest) VALUES (?1)")
        for digest in digests.sorted(by: { $0.words < $1.words }) {
            let bytes = digest.bytes
            statement.start(bytes)
            try statement.run()
            guard connection.changes == 1 else { continue }
            var hash = RowHash()
            bytes.withUnsafeBytes { hash.add($0) }
            checksums.change(.signatures) { $0.add(hash) }
        }
    }
}

/// The signatures that earlier runs verified, for many threads. It has a connection of its own and sees what was
/// committed.
public final class SignatureMemory: Sendable {
    private let known: Mutex<Statement?>

    /// - Parameter path: the path of a ledger. If there is none, or it is empty, no signature is known.
    public init(ledger path: String) {
        known = Mutex(
            try? Connection(path: path, mode: .readOnly)
                .prepare("SELECT 1 FROM verified_signature WHERE digest = ?1"))
    }

    /// Whether the signature was verified. False if the ledger cannot be read: the signature is then verified again.
    public func contains(_ digest: Digest256) -> Bool {
        known.withLock { statement in
            guard statement != nil else { return false }
            statement!.start(digest.bytes)
            let isKnown = (try? statement!.step()) ?? false
            // A statement that stands on a row would keep reading the file as it was then.
            statement!.reset()
            return isKnown
        }
    }
}
