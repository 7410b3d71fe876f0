internal import Domain
internal import SQLite

extension Ledger {
    /// Begins a look at the ledger as it is now, whatever a run commits meanwhile. It ends with the ledger.
    public func beginReading() throws {
        try connection.execute("BEGIN")
    }

    /// The cases that may know one of these texts, whatever each names there.
    ///
    /// Found by hash: whether the evidence really holds it is the caller's to see.
    public func cases(knowing texts: [String]) throws -> Set<Int64> {
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
