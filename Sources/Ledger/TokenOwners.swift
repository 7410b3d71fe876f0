public import Domain
internal import SQLite

/// How many standing orders of each account carry a token.
public typealias TokenAccounts = [Identifier: Int]

extension Ledger {
    /// The accounts whose orders carry each of these tokens; of each token at most so many, where told.
    public func owners(of tokens: Set<Token>, atMost count: Int64 = -1) throws -> [Token: TokenAccounts] {
        var owners: [Token: TokenAccounts] = [:]
        var statement = try connection.prepare("SELECT account_id, orders FROM token_owner WHERE token = ?1 LIMIT ?2")
        for token in tokens {
            statement.bind(1, token.text)
            statement.bind(2, count)
            while try statement.step() {
                owners[token, default: [:]][try statement.requiredIdentifier(0)] = Int(statement.integer(1))
            }
        }
        return owners
    }

    /// Records the accounts of these tokens as they are now.
    public func replaceOwners(_ owners: [Token: TokenAccounts], isRebuilt: Bool) throws {
        if isRebuilt { try connection.execute("DELETE FROM token_owner") }
        var remove = try connection.prepare("DELETE FROM token_owner WHERE token = ?1")
        var insert = try connection.prepare("INSERT INTO token_owner VALUES (?1, ?2, ?3)")
        for (token, accounts) in owners.sorted(by: { $0.key < $1.key }) {
            let text = token.text
            remove.bind(1, text)
            try remove.run()
            for (account, orders) in accounts where orders > 0 {
                insert.bind(1, text)
                insert.bind(2, identifiers.text(of: account))
                insert.bind(3, Int64(orders))
                try insert.run()
            }
        }
    }
}

/// A case that holds an unused order or a loose purchase, and what it is found by.
public struct LooseEnd: Hashable, Sendable {
    public var key: Int64
    public var caseFile: Int64

    public init(key: Int64, caseFile: Int64) {
        self.key = key
        self.caseFile = caseFile
    }
}

extension Ledger {
    /// What orders and purchases share when the one may be suggested for the other.
    public func looseKey(account: Identifier, product: Identifier) -> Int64 {
        Int64(
            bitPattern: StableHash.finish(
                identifiers.stableHash(of: account) ^ identifiers.stableHash(of: product) &* 31))
    }

    /// Other cases that hold an unused order or a loose purchase under these keys. Entries are never removed:
    /// a stale one costs a look at a case.
    public func looseCases(_ keys: Set<Int64>) throws -> Set<Int64> {
        var found = Set<Int64>()
        var statement = try connection.prepare("SELECT case_file FROM loose_end WHERE hash = ?1")
        for key in keys.sorted() {
            statement.bind(1, key)
            while try statement.step() { found.insert(statement.integer(0)) }
        }
        return found
    }

    public func writeLooseEnds(_ entries: [LooseEnd]) throws {
        var statement = try connection.prepare("INSERT OR IGNORE INTO loose_end VALUES (?1, ?2)")
        for entry in entries.sorted(by: { ($0.key, $0.caseFile) < ($1.key, $1.caseFile) }) {
            statement.bind(1, entry.key)
            statement.bind(2, entry.caseFile)
            try statement.run()
        }
    }
}
