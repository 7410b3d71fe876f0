extension Ledger {
    /// Begins a transaction that shows the ledger as it is now, whatever a run commits meanwhile. It ends when the
    /// ledger is closed.
    public func beginReading() throws {
        try connection.execute("BEGIN")
        loadedSpellings = nil
    }

    /// Cases are found by hashes of the texts, so a case that knows none of them may be among them.
    public func cases(knowing texts: [String]) throws -> Set<CaseID> {
        var keys = Set<Int64>()
        for text in texts {
            let id = Identifier(text)
            for kind in IdentifierKind.allCases where kind != .token { keys.insert(identifiers.key(kind, id)) }
            if let token = Token(text) { keys.insert(IdentifierReader.key(of: token)) }
            // A receipt without an id is identified by the digest of its content.
            if let digest = Digest256(hex: text) { keys.insert(IdentifierKind.receipt.hash(digest.words.0)) }
        }
        return try cases(withKeys: keys)
    }
}
