extension Ledger {
    public func owners(of tokens: Set<Token>, atMost countMax: Int) throws -> [Token: TokenAccounts] {
        try owners(of: tokens, atMost: countMax, isProven: true)
    }

    /// For `check`, which compares them with the orders.
    public func unprovenOwners(of tokens: Set<Token>) throws -> [Token: TokenAccounts] {
        try owners(of: tokens, atMost: nil, isProven: false)
    }

    /// - Parameter countMax: nil for all accounts.
    private func owners(
        of tokens: Set<Token>, atMost countMax: Int?, isProven: Bool
    ) throws -> [Token: TokenAccounts] {
        var owners: [Token: TokenAccounts] = [:]
        var row = try connection.prepare(OwnerProof.query + "WHERE token = ?1 LIMIT ?2")
        for token in tokens {
            row.start(token.text, countMax ?? -1)
            var proof = OwnerProof()
            while try row.step() {
                owners[token, default: [:]][row.identifier(1)] = Int(row.integer(2))
                proof.add(row)
            }
            // A part of a token's rows proves nothing.
            let isCut = (owners[token]?.count ?? 0) == countMax
            guard proof.isRight || isCut || !isProven else { throw OwnerProof.failure(token.text) }
        }
        return owners
    }

    /// It also proves that no stored order carries a token without an owner, which would mean that all rows of the token
    /// were removed: then no row is left whose proof could show it.
    public func owners(of tokens: Set<Token>) throws -> [Token: TokenAccounts] {
        let owners = try owners(of: tokens, atMost: nil, isProven: true)
        let unowned = tokens.subtracting(owners.keys)
        let texts = Set(unowned.map(\.text))
        var order = try connection.prepare(
            """
            SELECT app_account_token FROM backend_order
            WHERE id >= ?1 AND id < ?2 AND standing = 1 AND app_account_token IS NOT NULL
            """)
        for number in try cases(withTokens: unowned).sorted() {
            order.bind(rowsOf: number)
            while try order.step() {
                let token = order.text(0)
                if texts.contains(token) { throw OwnerProof.failure(token) }
            }
        }
        return owners
    }

    /// Calls `body` with each row of `OwnerProof.query`, in ascending order of token. After the rows of a token that are
    /// not proven, it calls `failing` with the token.
    func forEachOwner(
        _ body: (borrowing Statement) -> Void, failing: (_ token: String) throws -> Void
    ) throws {
        var row = try connection.prepare(OwnerProof.query + "ORDER BY token")
        var (last, proof) = ("", OwnerProof())
        while try row.step() {
            let text = row.text(0)
            if text != last {
                if !proof.isRight { try failing(last) }
                (last, proof) = (text, OwnerProof())
            }
            proof.add(row)
            body(row)
        }
        if !proof.isRight { try failing(last) }
    }

    /// Replaces the accounts of these tokens. Accounts without orders are left out.
    /// - Parameter isRebuilt: deletes the accounts of all tokens first.
    public func replaceOwners(_ owners: [Token: TokenAccounts], isRebuilt: Bool) throws {
        if isRebuilt { try connection.execute("DELETE FROM token_owner") }
        var remove = try connection.prepare("DELETE FROM token_owner WHERE token = ?1")
        var row = try connection.prepare("INSERT INTO token_owner VALUES (?1, ?2, ?3, ?4)")
        for (token, accounts) in owners.sorted(by: { $0.key < $1.key }) {
            let text = token.text
            remove.start(text)
            try remove.run()
            let counted = accounts.filter { $0.value > 0 }
            let proof = OwnerProof.of(text, counted.map { (identifiers.text(of: $0.key), Int64($0.value)) })
            for (account, orders) in counted {
                row.start(text, identifiers.text(of: account), orders, proof)
                try row.run()
            }
        }
    }
}

/// The proof of a token's owners: the sum of the hashes of all its rows. Every row of the token stores it as `proof`,
/// so a row that is removed or edited contradicts the others.
struct OwnerProof {
    /// The beginning of a query for rows that are to be proven.
    static let query = "SELECT token, account_id, orders, proof FROM token_owner "

    /// The sum of the hashes of the rows read.
    private var sum: Int64 = 0
    /// The proofs that these rows store.
    private var kept = Set<Int64>()

    static func of(_ token: String, _ accounts: [(account: String, orders: Int64)]) -> Int64 {
        accounts.reduce(0) { $0 &+ hash(token, of: $1.account, orders: $1.orders) }
    }

    private static func hash(_ token: String, of account: String, orders: Int64) -> Int64 {
        var hash = RowHash(of: [token, account])
        hash.add(orders)
        return Int64(bitPattern: hash.value)
    }

    mutating func add(_ row: borrowing Statement) {
        sum &+= Self.hash(row.text(0), of: row.text(1), orders: row.integer(2))
        kept.insert(row.integer(3))
    }

    /// Whether all rows store the sum of their hashes. Also true for a token without rows.
    var isRight: Bool { kept.isEmpty || kept == [sum] }

    static func problem(_ token: String) -> String { "the accounts of the token \(token) were changed" }
    static func failure(_ token: String) -> LedgerError { .damaged(problem(token)) }
}

extension Ledger {
    private func hash(of key: SuggestionKey) -> Int64 {
        switch key {
        case .goods(let account, let product):
            Int64(
                bitPattern: StableHash.finish(
                    identifiers.stableHash(of: account) ^ identifiers.stableHash(of: product) &* 31))
        case .order(let spelling): IdentifierKind.order.hash(Self.hash(ofSpelling: spelling))
        case .transaction(let spelling): IdentifierKind.transaction.hash(Self.hash(ofSpelling: spelling))
        }
    }

    private static func hash(ofSpelling text: String) -> UInt64 {
        var copy = text
        return StableHash.finish(~copy.withUTF8 { StableHash.of(UnsafeRawBufferPointer($0)) })
    }

    /// Entries are never removed, so some cases may have been linked since: they are judged again without a change.
    public func cases(unlinkedUnder keys: Set<SuggestionKey>) throws -> Set<CaseID> {
        var found = Set<CaseID>()
        var row = try connection.prepare("SELECT case_file FROM loose_end WHERE hash = ?1")
        for hash in Set(keys.map { hash(of: $0) }).sorted() {
            row.start(hash)
            while try row.step() { found.insert(CaseID(row.integer(0))) }
        }
        return found
    }

    /// A superfluous entry does no harm; a missing one hides a suggestion.
    public func countMissing(_ entries: [SuggestionEntry]) throws -> Int {
        var row = try connection.prepare("SELECT 1 FROM loose_end WHERE hash = ?1 AND case_file = ?2")
        var missing = 0
        for entry in entries {
            row.start(hash(of: entry.key), entry.caseID)
            if try !row.step() { missing += 1 }
        }
        return missing
    }

    func write(_ entries: [SuggestionEntry]) throws {
        var writer = try connection.prepare("INSERT OR IGNORE INTO loose_end VALUES (?1, ?2)")
        let rows = entries.map { (hash: hash(of: $0.key), caseID: $0.caseID) }
        for row in rows.sorted(by: { ($0.hash, $0.caseID) < ($1.hash, $1.caseID) }) {
            writer.start(row.hash, row.caseID)
            try writer.run()
        }
    }
}
