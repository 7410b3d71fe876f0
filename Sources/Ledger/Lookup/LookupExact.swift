extension Ledger {
    /// Keys are hashes, and a client can choose receipt ids whose hashes collide, so each case is checked. Only a few
    /// rows of each case are read.
    public func exactCases(
        _ cases: Set<CaseID>, holding texts: [String]
    ) throws -> (recorded: [CaseID], claimed: [CaseID]) {
        var found: (recorded: [CaseID], claimed: [CaseID]) = ([], [])
        var record = try connection.prepare(Self.recordQuery)
        var receipt = try connection.prepare(Self.receiptQuery)
        for number in try inOrderOfNeed(cases) {
            if try holds(texts, in: number, &record) {
                found.recorded.append(number)
            } else if try holds(texts, in: number, &receipt) {
                found.claimed.append(number)
            }
        }
        return found
    }

    public func isKnown(_ text: String, in cases: Set<CaseID>) throws -> Bool {
        var record = try connection.prepare(Self.recordQuery)
        var receipt = try connection.prepare(Self.receiptQuery)
        for number in cases.sorted(by: >) {
            if try holds([text], in: number, &record) || holds([text], in: number, &receipt) { return true }
        }
        return false
    }

    public func isAccount(_ text: String, in cases: Set<CaseID>) throws -> Bool {
        var statement = try connection.prepare(
            """
            SELECT 1 FROM backend_order WHERE id >= ?1 AND id < ?2 AND account_id = ?3
            UNION ALL SELECT 1 FROM backend_credit WHERE id >= ?1 AND id < ?2 AND account_id = ?3
            UNION ALL SELECT 1 FROM client_receipt WHERE id >= ?1 AND id < ?2 AND account_id = ?3
            """)
        return try cases.contains { number in
            statement.start(number.row(0), number.advanced(by: 1).row(0), text)
            return try statement.step()
        }
    }

    public func inOrderOfNeed(_ cases: Set<CaseID>) throws -> [CaseID] {
        var statement = try connection.prepare("SELECT 1 FROM watch WHERE case_file = ?1")
        var openCases: [CaseID] = []
        var others: [CaseID] = []
        for number in cases.sorted(by: >) {
            statement.start(number)
            if try statement.step() { openCases.append(number) } else { others.append(number) }
        }
        return openCases + others
    }

    private func holds(_ texts: [String], in number: CaseID, _ statement: inout Statement) throws -> Bool {
        for text in texts {
            statement.start(number.row(0), number.advanced(by: 1).row(0), text, Token(text)?.text ?? text)
            if try statement.step() { return true }
        }
        return false
    }

    private static let recordQuery = """
        SELECT 1 FROM backend_order WHERE id >= ?1 AND id < ?2
        AND (order_id = ?3 OR transaction_id = ?3 OR account_id = ?3 OR app_account_token = ?4)
        UNION ALL
        SELECT 1 FROM apple_transaction WHERE id >= ?1 AND id < ?2 AND (transaction_id = ?3
        OR original_transaction_id = ?3 OR web_order_line_item_id = ?3 OR app_account_token = ?4)
        UNION ALL
        SELECT 1 FROM backend_credit WHERE id >= ?1 AND id < ?2
        AND (credit_id = ?3 OR order_id = ?3 OR transaction_id = ?3 OR account_id = ?3)
        """

    private static let receiptQuery = """
        SELECT 1 FROM client_receipt WHERE id >= ?1 AND id < ?2 AND (receipt_id = ?3 OR order_id = ?3
        OR transaction_id = ?3 OR account_id = ?3 OR receipt_id IS NULL AND lower(hex(content)) = lower(?4))
        """
}

extension Ledger {
    /// With tokens per account, they find purchases that nothing else links to the account.
    public func ownTokens(of account: String, in cases: [CaseID]) throws -> Set<Token> {
        var order = try connection.prepare(
            """
            SELECT DISTINCT app_account_token FROM backend_order
            WHERE id >= ?1 AND id < ?2 AND account_id = ?3 AND app_account_token IS NOT NULL
            """)
        var found = Set<Token>()
        for number in cases {
            order.start(number.row(0), number.advanced(by: 1).row(0), account)
            while try order.step() { Token(order.text(0)).map { _ = found.insert($0) } }
        }
        let owners = try owners(of: found, atMost: 2)
        return found.filter { owners[$0]?.count == 1 && owners[$0]?[Identifier(account)] != nil }
    }
}
