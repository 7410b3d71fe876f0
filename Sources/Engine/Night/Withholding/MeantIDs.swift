internal import Matching

extension Identifier {
    /// The plain spellings of accounts that a person may have meant who wrote this one.
    var meantAccounts: Set<String> { plainSpelling.meantIDs.union([plainSpelling]) }

    /// The same of orders.
    var meantOrders: Set<String> { plainSpelling.meantOrders }
}

extension Character {
    fileprivate var isPlainDigit: Bool { isASCII && isNumber }
    fileprivate var isPlain: Bool { isASCII && (isLetter || isNumber) }
    /// People write long numbers in groups.
    fileprivate var isInsideNumbers: Bool { isWhitespace || "-–—‐‑_.·".contains(self) }
}

extension StringProtocol {
    /// Its letters and digits, in their plain spelling.
    var compact: String {
        // By bytes: every lost payment asks for its ids.
        let plain = utf8.filter { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 }
        return Domain.plainSpelling(of: String(decoding: plain, as: UTF8.self))
    }

    /// The number in it, if it has just one: people leave out the letters that all ids of the shop have.
    var onlyNumber: String? {
        // By bytes, as above.
        func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
        let number = utf8.drop { !isDigit($0) }.prefix(while: isDigit)
        let isOnly = utf8.count(where: isDigit) == number.count
        guard isOnly, number.count >= 6, number.count < utf8.count else { return nil }
        return Domain.plainSpelling(of: String(decoding: number, as: UTF8.self))
    }

    /// Fewer than six digits may be a part of a date or a ticket. With a letter among them, five letters and digits are enough.
    var isIdentifying: Bool {
        let digits = utf8.count { 0x30...0x39 ~= $0 }
        if hasSixDigits || digits == 0 { return digits > 0 }
        let letters = utf8.count { 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 }
        return letters > 0 && digits + letters >= 5
    }

    fileprivate var hasSixDigits: Bool { utf8.count { 0x30...0x39 ~= $0 } >= 6 }

    /// Without signs at both ends.
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: \.isPlain), let last = lastIndex(where: \.isPlain) else { return "" }
        return String(self[first...last])
    }
}

extension String {
    /// The plain spellings of ids that a person may have meant who wrote this plain spelling: each word, part of letters and
    /// digits, and number in it; numbers with blanks or hyphens between, as one; and all its letters and digits.
    var meantIDs: Set<String> {
        guard isIdentifying, !utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return [] }
        var ids = split { !$0.isPlain }.map(String.init)
        for word in split(whereSeparator: RejectedRows.isBetweenWords) + [self[...]] {
            ids += [word.trimmed, word.compact]
        }
        for numbers in split(whereSeparator: { !$0.isPlainDigit && !$0.isInsideNumbers }) {
            let groups = numbers.split { !$0.isPlainDigit }
            for first in groups.indices {
                for end in first..<Swift.min(first + 6, groups.count) {
                    ids.append(groups[first...end].joined(separator: ""))
                }
            }
        }
        return Set(ids.filter(\.isIdentifying).map { Domain.plainSpelling(of: $0) })
    }

    /// The same for an order. Of its parts, only the longest number and the longest part of letters and digits count: an order's
    /// id may contain a date, which other orders share.
    fileprivate var meantOrders: Set<String> {
        let parts = [split { !$0.isPlainDigit }, split { !$0.isPlain }]
        let longest = parts.compactMap { parts in parts.max { $0.count < $1.count }.map(String.init) }
        let ids = (longest + [trimmed, compact]).filter(\.hasSixDigits)
        return Set(ids.map { Domain.plainSpelling(of: $0) })
    }
}

extension Subject {
    /// The tokens of the purchase and of its orders.
    func tokens(in file: Case) -> [String] {
        let tokens = transactions.map { file.transactions[$0].token } + orders.map { file.orders[$0].token }
        return Set(tokens.compactMap { $0?.text }).ordered()
    }
}

extension CaseSet {
    /// Those of these accounts that an order names, or an accepted receipt. The receipt's payment has no token and no order or
    /// credit of another account. It was paid in the environment, and is neither refunded nor shared with the family. A credit
    /// shows no account: the same person may have written all of them.
    func accountsOnRecord(among wanted: Set<Identifier>, _ environment: AppEnvironment) -> Set<Identifier> {
        let ordered = Set(orders.lazy.map(\.account).filter(wanted.contains))
        let vouched = receipts.filter { wanted.contains($0.account) && $0.vouchesForItsClaim && $0.transaction != nil }
        if vouched.isEmpty { return ordered }
        let claimed = Set(vouched.map { $0.transaction! })
        let paid = transactions.filter { claimed.contains($0.id) }
        let own = Set(paid.map(\.id)).subtracting(
            paid.lazy.filter {
                $0.token != nil || $0.environment != environment || $0.revocation != nil
                    || $0.ownership == .familyShared
            }.map(\.id))
        return ordered.union(
            vouched.filter { receipt in
                own.contains(receipt.transaction!)
                    && !orders.contains { $0.transaction == receipt.transaction && $0.account != receipt.account }
                    && !credits.contains { $0.transaction == receipt.transaction && $0.account != receipt.account }
            }.map(\.account))
    }
}

extension History {
    /// The same, among the first 100 cases of each account.
    func accountsOnRecord(
        among wanted: Set<Identifier>, _ environment: AppEnvironment
    ) throws -> Set<Identifier> {
        try wanted.filter { account in
            let found = try cases(knowing: [account.text]).ordered().prefix(100)
            if found.isEmpty { return false }
            return try CaseSet(load(cases: Set(found)).evidence, policy: Policy())
                .accountsOnRecord(among: [account], environment).contains(account)
        }
    }
}
