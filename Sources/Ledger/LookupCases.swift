public import Domain
internal import SQLite

/// A subject's verdict as the last run left it.
public struct KeptVerdict: Sendable {
    public var subject: SubjectKey
    public var verdict: Verdict
    public var cause: Cause
    public var flags: Flags
}

extension Ledger {
    /// Begins a look at the ledger as it is now, whatever a run commits meanwhile. It ends with the ledger.
    public func beginReading() throws {
        try connection.execute("BEGIN")
    }

    /// The cases that may know one of these texts, whatever each names there.
    ///
    /// Found by hash: whether the evidence really holds it is the caller's to see.
    public func cases(knowing texts: some Sequence<String>) throws -> Set<Int64> {
        var keys = Set<Int64>()
        for text in texts {
            let id = Identifier(text)
            for kind in IdentifierKind.allCases where kind != .token { keys.insert(identifiers.key(kind, id)) }
            if let token = Token(text) { keys.insert(IdentifierReader.key(of: token)) }
            // A receipt without an id of its own is known by the digest of its content.
            if let digest = Digest256(hex: text) { keys.insert(IdentifierKind.receipt.hash(digest.words.0)) }
        }
        return try cases(withKeys: keys)
    }

    /// What the last run said of the case's subjects.
    public func verdicts(ofCase number: Int64) throws -> [KeptVerdict] {
        var verdicts: [KeptVerdict] = []
        var statement = try connection.prepare(
            "SELECT kind, key, verdict, cause, flags FROM subject WHERE id >= ?1 AND id < ?2 ORDER BY id")
        statement.bind(1, number << 24)
        statement.bind(2, (number + 1) << 24)
        while try statement.step() {
            guard let kind = SubjectKey.Kind(rawValue: UInt8(clamping: statement.integer(0))),
                let verdict = Verdict(rawValue: statement.text(2)), let cause = Cause(rawValue: statement.text(3))
            else { throw LedgerError.damaged("a subject has an unknown verdict") }
            verdicts.append(
                KeptVerdict(
                    subject: SubjectKey(kind, try statement.requiredIdentifier(1)), verdict: verdict, cause: cause,
                    flags: Flags(rawValue: UInt16(clamping: statement.integer(4)))))
        }
        return verdicts
    }

    /// The names of these deliveries' files.
    public func names(of deliveries: Set<Int32>) throws -> [Int32: String] {
        var names: [Int32: String] = [:]
        var statement = try connection.prepare("SELECT name FROM delivery WHERE id = ?1")
        for number in deliveries.sorted() {
            statement.bind(1, Int64(number))
            while try statement.step() { names[number] = statement.text(0) }
        }
        return names
    }
}
