public import Domain
internal import SQLite

/// Data that the ledger stores although it could be derived: nights would have to work it out again. These functions
/// serve the verification, which does derive it and compares.
extension Ledger {
    public func openCases(within range: Range<CaseID>) throws -> Set<CaseID> {
        var found = Set<CaseID>()
        var row = try TableReader<WatchColumn>(self, "WHERE case_file >= ?1 AND case_file < ?2")
        row.statement.bind(1, range.lowerBound)
        row.statement.bind(2, range.upperBound)
        while try row.step() { found.insert(CaseID(row.integer(.caseFile))) }
        return found
    }

    public func ownerHash(_ token: Token, _ account: Identifier) -> UInt64 {
        ownerHash(token.text, identifiers.text(of: account))
    }

    /// The sum of these hashes over all orders counted as owners, modulo 2^64. It is falsified on purpose where a
    /// token's `proof` does not match its rows.
    public func ownerSum() throws -> UInt64 {
        var sum: UInt64 = 0
        var row = try TableReader<TokenOwnerColumn>(self, "ORDER BY token")
        var (last, proof) = ("", OwnerProof())
        while try row.step() {
            let text = row.text(.token)
            if text != last {
                if !proof.isRight { sum &+= 1 }
                (last, proof) = (text, OwnerProof())
            }
            proof.add(row)
            // No night writes a row that counts no orders, so such a row must not go unnoticed.
            let times = row.integer(.orders) > 0 ? UInt64(row.integer(.orders)) : .max
            sum &+= ownerHash(text, row.text(.accountID)) &* times
        }
        return proof.isRight ? sum : sum &+ 1
    }

    private func ownerHash(_ token: String, _ account: String) -> UInt64 {
        var hash = RowHash()
        for text in [token, account] { Array(text.utf8).withUnsafeBytes { hash.add($0) } }
        return hash.value
    }
}
