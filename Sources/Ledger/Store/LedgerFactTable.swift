/// The kinds of rows in `ledger_fact`, which has one row for each fact.
private enum FactKind: String {
    case crowdedToken = "crowded_token"
    /// Key: the order. Value: the transaction.
    case deskOrder = "desk_order"
    /// Key: the order.
    case takenOrder = "taken_order"
    /// Key: `unused` or `inUse`.
    case tokens
    /// Key and value: begin and end of a span of goods, in milliseconds.
    case goods
    /// Key and value: begin and end of a span of orders, in milliseconds.
    case orders
    /// Key: a renewal's transaction. Value: 1 if its goods are recorded, else 0; the time of its purchase, in milliseconds; and
    /// its product.
    case renewal
}

extension TimeSpans {
    /// Takes a row's span into account. False for one that no run writes.
    fileprivate mutating func note(from: String, to: String) -> Bool {
        guard let from = Int64(from), let to = Int64(to), from <= to else { return false }
        note(Instant(milliseconds: from)...Instant(milliseconds: to))
        return true
    }
}

extension Renewal {
    fileprivate var fact: String { "\(isRecorded ? 1 : 0) \(purchasedAt.milliseconds) \(product.text)" }

    /// Nil for a text that no run writes.
    fileprivate init?(fact: String) {
        let parts = fact.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, ["0", "1"].contains(parts[0]), let at = Int64(parts[1]) else { return nil }
        self.init(
            product: Identifier(String(parts[2])), purchasedAt: Instant(milliseconds: at), isRecorded: parts[0] == "1")
    }
}

extension Ledger {
    /// Facts about the whole ledger after the last run.
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
            case .deskOrder: facts.deskOrders[row.identifier(1)] = row.identifier(2)
            case .takenOrder: facts.takenOrders.insert(row.identifier(1))
            case .tokens:
                guard let tokens = TokenKnowledge(rawValue: row.text(1)) else {
                    throw LedgerError.damaged("an invalid fact about tokens")
                }
                facts.tokens = tokens
            case .goods:
                guard facts.goods.note(from: row.text(1), to: row.text(2)) else {
                    throw LedgerError.damaged("an invalid fact about goods")
                }
            case .orders:
                guard facts.orders.note(from: row.text(1), to: row.text(2)) else {
                    throw LedgerError.damaged("an invalid fact about orders")
                }
            case .renewal:
                guard let renewal = Renewal(fact: row.text(2)) else {
                    throw LedgerError.damaged("an invalid fact about renewals")
                }
                facts.renewals[row.identifier(1)] = renewal
            case nil: throw LedgerError.damaged("a fact of the unknown kind “\(row.text(0))”")
            }
        }
        return facts
    }

    /// Replaces all facts, unless they are the same.
    func replaceFacts(_ facts: LedgerFacts) throws {
        if try !isEmpty, try self.facts() == facts { return }
        try delete(from: .facts)
        var row = try TableWriter(self, .facts)
        func write(_ kind: FactKind, _ key: String, value: String = "") throws {
            try row.write(kind.rawValue, key, value)
        }
        for token in facts.crowdedTokens.sorted() { try write(.crowdedToken, token.text) }
        for (order, transaction) in facts.deskOrders.sorted(by: { $0.key < $1.key }) {
            try write(.deskOrder, identifiers.text(of: order), value: identifiers.text(of: transaction))
        }
        for order in facts.takenOrders.sorted() { try write(.takenOrder, identifiers.text(of: order)) }
        for (id, renewal) in facts.renewals.sorted(by: { $0.key < $1.key }) {
            try write(.renewal, identifiers.text(of: id), value: renewal.fact)
        }
        if facts.tokens != .noOrders { try write(.tokens, facts.tokens.rawValue) }
        for (kind, history) in [(FactKind.goods, facts.goods), (.orders, facts.orders)] {
            for span in history.spans {
                try write(kind, String(span.lowerBound.milliseconds), value: String(span.upperBound.milliseconds))
            }
        }
    }
}
