/// Data that the ledger stores although it could be derived: nights would have to work it out again. These functions
/// serve the verification, which does derive it and compares.
extension Ledger {
    public func openCases(within range: Range<CaseID>) throws -> Set<CaseID> {
        let sql = "SELECT case_file FROM watch WHERE case_file >= ?1 AND case_file < ?2"
        return Set(try all(sql, range.lowerBound, range.upperBound) { CaseID($0.integer(0)) })
    }

    public func ownerHash(_ token: Token, _ account: Identifier) -> UInt64 {
        RowHash(of: [token.text, identifiers.text(of: account)]).value
    }

    /// Where a token's `proof` does not match its rows, the sum is made wrong on purpose, so that the comparison fails.
    public func ownerSum() throws -> UInt64 {
        var sum: UInt64 = 0
        try forEachOwner { row in
            // No night writes a row that counts no orders, so such a row must not go unnoticed.
            let times = row.integer(2) > 0 ? UInt64(row.integer(2)) : .max
            sum &+= RowHash(of: [row.text(0), row.text(1)]).value &* times
        } failing: { _ in
            sum &+= 1
        }
        return sum
    }
}
