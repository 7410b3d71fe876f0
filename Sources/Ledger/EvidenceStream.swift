public import Domain
internal import SQLite

extension Ledger {
    /// The evidence of the cases numbered within `range` that was known after the delivery `last`, in ascending order
    /// of case: what lets a month be read piece by piece, however long the ledger is.
    public func recall(cases range: Range<Int64>, through last: Int32) throws -> Recalled {
        var recalled = Recalled()
        for kind in RecalledTable.allCases {
            var statement = try connection.prepare(
                "SELECT * FROM " + kind.rawValue + " WHERE id >= ?1 AND id < ?2 AND delivery <= ?3 ORDER BY id")
            statement.bind(1, range.lowerBound << 24)
            statement.bind(2, range.upperBound << 24)
            statement.bind(3, Int64(last))
            while try statement.step() { try recalled.add(kind, statement) }
        }
        return recalled
    }

    /// The number of the last file that `run`, or a run before it, took in.
    public func lastDelivery(through run: Int64) throws -> Int32 {
        var statement = try connection.prepare("SELECT max(id) FROM delivery WHERE run <= ?1")
        statement.bind(1, run)
        return try statement.step() ? Int32(statement.optionalInteger(0) ?? 0) : 0
    }

    /// Each token's account with the number of its orders, in ascending order of token.
    public func forEachTokenOwner(_ body: (Token, Identifier) -> Void) throws {
        var statement = try connection.prepare(
            "SELECT token, account_id FROM token_owner WHERE orders > 0 ORDER BY token")
        while try statement.step() {
            guard let token = statement.token(0), let account = statement.identifier(1) else { continue }
            body(token, account)
        }
    }
}
