// The accounts of the customer who asks: in a field of their own, or in the message.
extension Inquiry {
    /// The answers to what was typed or pasted: one for each identifier of a list, else one. Of a list's answers, those
    /// about another account's purchase come first, then those with a case that needs action.
    /// See docs/spec/interfaces.md#lookup-spellings.
    ///
    /// - Parameters:
    ///   - asker: the account of the customer who asks. Of several, a purchase of any is the customer's, and the first is the
    ///     one whose goods are missing, or whose purchase the answer is about. An id of something else stands for the account
    ///     of its order or credit, and the answer says so.
    ///   - pasted: what the record says, if `text` is a pasted record instead of identifiers.
    ///   - mayBrowse: whether other customers' purchases may be shown where no whole id is on record.
    public func answers(
        to text: String, asker: String? = nil, mayBrowse: Bool = true, pasted: PastedRecord? = nil
    ) throws -> [LookupAnswer] {
        func answers(from asker: String?, and others: [String] = []) throws -> [LookupAnswer] {
            try self.answers(to: text, from: asker, and: others, mayBrowse: mayBrowse, pasted: pasted)
        }
        if let asker, let (kind, account) = try named(byID: asker) {
            var found = try answers(from: account)
            (found[0].unknownAccount, found[0].unknownKind) = (asker, kind)
            return found
        }
        let accounts =
            try asker.map(accounts(in:))
            ?? accounts(joinedIn: TypedText(String((pasted?.message ?? text).prefix(2000))))
        if accounts.count < 2 { return try answers(from: asker) }
        var found = try answers(from: accounts[0], and: Array(accounts.dropFirst()))
        let own = found.flatMap(\.subjects).filter { $0.belongsToAsker == true }
        let meant = own.first { $0.facts.verdict.isException } ?? own.first
        if let first = meant.flatMap({ subject in accounts.first { subject.belongs(to: $0) == true } }) {
            for index in found.indices {
                (found[index].asker, found[index].otherAskers) = (first, accounts.filter { $0 != first })
            }
        }
        return found
    }

    /// The account that the text is, in the spelling on record, or the only one in it; as typed where none is.
    func account(typed text: String) throws -> String {
        let typed = TypedText(text)
        if let account = try typed.whole.first(where: isAccount) { return account }
        let named = Set(try typed.runs.compactMap { try $0.first(where: isAccount) })
        if named.isEmpty { return try accounts(alike: [typed.core]).first ?? text }
        guard let account = named.first, named.count == 1, typed.stray(like: account, besides: [account]) == nil else {
            return text
        }
        return account
    }

    /// The account of who asks, as an agent typed it; nil if it says that it is not known.
    func account(asking text: String) throws -> String? {
        let isNobody = text.lowercased().contains(
            /^[^\p{L}\p{N}]*(?:不知道|不清楚|不记得|忘了|未知|没有|无|unknown|none|n\/?a)?[^\p{L}\p{N}]*$/)
        return try account(typed: text) == text && isNobody ? nil : account(typed: text)
    }

    /// The accounts on record with signs or words of another script between them. Empty where the text is one.
    private func accounts(in text: String) throws -> [String] {
        if try TypedText(text).whole.contains(where: isAccount) { return [] }
        let words = folded(text).split { $0.isWhitespace || ",/;、".contains($0) }
        // Customers say 大号 and 小号, and write 和, 及, +, | and brackets between them.
        let pieces = words.prefix(5).flatMap { word in
            word.split { !$0.isASCII || !($0.isLetter || $0.isNumber || "_.@-".contains($0)) }.prefix(5)
        }
        return try (words.prefix(5) + pieces).reduce(into: []) { known, word in
            let spellings = [String(word), String(word.drop { !$0.isASCII })]
            let account = try spellings.map(account(typed:)).first(where: isAccount)
            if let account, !known.contains(account) { known.append(account) }
        }
    }

    /// The accounts on record of which the text calls the first one an account, and joins the others to it.
    private func accounts(joinedIn typed: TypedText) throws -> [String] {
        guard let first = typed.accounts.first, Set(typed.accounts).count == 1 else { return [] }
        let accounts = try ([first] + typed.joined(to: first)).map(account(typed:))
        guard accounts.count > 1, try isAccount(accounts[0]) else { return [] }
        return try accounts.reduce(into: []) { if try !$0.contains($1) && isAccount($1) { $0.append($1) } }
    }

    /// The kind of record that has this id, and the account of its order or credit if they name only one. Nil if no record has
    /// the id, or the text also names an account.
    private func named(byID text: String) throws -> (kind: LookupKind, account: String?)? {
        let spellings = TypedText(text).all
        if try spellings.contains(where: isAccount) { return nil }
        if try spellings.contains(where: { try !history.transactions(ofEmailedOrder: $0).isEmpty }) {
            return (.emailedOrder, nil)
        }
        let cases = try history.cases(knowing: spellings)
        let evidence = try history.load(cases: Set(cases.ordered(by: >).prefix(Self.nearMax))).evidence
        let query = LookupQuery(spellings)
        let (rows, kinds) = (query.rows(of: evidence), query.kinds(in: evidence))
        let accounts = Set(rows.orders.map(\.account.text) + rows.credits.map(\.account.text)).filter { !$0.isEmpty }
        return [.transaction, .order, .credit, .receipt].first(where: kinds.contains).map { kind in
            (kind, accounts.count == 1 ? accounts.first : nil)
        }
    }
}
