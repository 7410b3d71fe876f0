public import Domain
internal import SQLite

/// What the ledger keeps so that a night need not work it out, for who works it out anew.
extension Ledger {
    public func openCases(within range: Range<Int64>) throws -> Set<Int64> {
        var found = Set<Int64>()
        var row = try connection.prepare("SELECT case_file FROM watch WHERE case_file >= ?1 AND case_file < ?2")
        row.bind(1, range.lowerBound)
        row.bind(2, range.upperBound)
        while try row.step() { found.insert(row.integer(0)) }
        return found
    }

    /// Of an order that carries a token.
    public func ownerHash(_ token: Token, _ account: Identifier) -> UInt64 {
        ownerHash(token.text, identifiers.text(of: account))
    }

    /// The sum of those hashes over all orders that the ledger counts; another one where `proof` is not theirs.
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
            // A row of no orders is none that a night writes.
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
