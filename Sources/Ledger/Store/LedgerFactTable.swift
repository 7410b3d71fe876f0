public import Domain
internal import SQLite

/// `ledger_fact`: one row a fact.
private enum FactKind: String {
    case crowdedToken = "crowded_token"
    /// Key: the order. Value: the transaction.
    case deskOrder = "desk_order"
    /// Key: `unused` or `inUse`.
    case tokens
}

extension Ledger {
    /// As the last run left them.
    ///
    /// - Throws: `LedgerError.damaged` for a row that no run writes; `SQLiteError`.
    public func facts() throws -> LedgerFacts {
        var facts = LedgerFacts()
        if try isEmpty { return facts }
        var row = try connection.prepare("SELECT kind, key, value FROM ledger_fact")
        while try row.step() {
            switch FactKind(rawValue: row.text(0)) {
            case .crowdedToken:
                guard let token = Token(row.text(1)) else {
                    throw LedgerError.damaged("a crowded token that is not a token")
                }
                facts.crowdedTokens.insert(token)
            case .deskOrder: facts.deskOrders[try row.requiredIdentifier(1)] = try row.requiredIdentifier(2)
            case .tokens:
                guard let tokens = TokenKnowledge(rawValue: row.text(1)) else {
                    throw LedgerError.damaged("an invalid fact about tokens")
                }
                facts.tokens = tokens
            case nil: throw LedgerError.damaged("a fact of the unknown kind “\(row.text(0))”")
            }
        }
        return facts
    }

    public func replaceFacts(_ facts: LedgerFacts) throws {
        if try !isEmpty, try self.facts() == facts { return }
        var old = try connection.prepare("DELETE FROM ledger_fact RETURNING *")
        try remove(&old, from: .facts)
        var insert = try connection.prepare("INSERT INTO ledger_fact VALUES (?1, ?2, ?3) RETURNING *")
        func write(_ kind: FactKind, _ key: String, _ value: String = "") throws {
            insert.bind(1, kind.rawValue)
            insert.bind(2, key)
            insert.bind(3, value)
            try add(&insert, to: .facts)
            insert.reset()
        }
        for token in facts.crowdedTokens.sorted() { try write(.crowdedToken, token.text) }
        for (order, transaction) in facts.deskOrders.sorted(by: { $0.key < $1.key }) {
            try write(.deskOrder, identifiers.text(of: order), identifiers.text(of: transaction))
        }
        if facts.tokens != .noOrders { try write(.tokens, facts.tokens.rawValue) }
    }
}
