// Accounts that are not written in one piece.
extension TypedText {
    /// Numbers of eight or nine digits in groups of three or more, as people write an account, maybe with an amount behind.
    /// Shorter ones may be a date and an amount; longer ones are looked for as `broken`.
    var grouped: [String] {
        beginning.matches(of: /[0-9]{3,}(?:[\s.-][0-9]{3,})+/).flatMap { chain in
            let parts = chain.0.split { !$0.isNumber }
            return [parts.joined()] + (parts.last!.count == 3 ? [parts.dropLast().joined()] : [])
        }.filter { (8..<Self.brokenMin).contains($0.count) }
    }

    /// The same of six or seven digits, which may also be two amounts, each with the text in which it has no blank.
    var paired: [(account: String, text: String)] {
        beginning.matches(of: /(?:^|[^0-9.])([0-9]{3})[\s-]([0-9]{3,4})(?![0-9.])/).map { pair in
            let account = String(pair.1 + pair.2)
            return (account, beginning[..<pair.1.startIndex] + account + beginning[pair.2.endIndex...])
        }
    }

    /// Numbers of six digits or more with an amount behind a hyphen.
    var beforeAmounts: [String] {
        beginning.matches(of: /(?:^|[^0-9A-Za-z_-])([0-9]{6,})-[0-9]{1,4}(?![0-9A-Za-z_-])/).map { String($0.1) }
    }

    /// The numbers of six digits that are this time of day, to two minutes: `110220`.
    func times(near instant: Instant, in zone: Zone) -> [String] {
        let time = (instant.milliseconds - zone.start(of: zone.date(of: instant)).milliseconds) / 1000
        return runs.compactMap(\.first).filter { run in
            guard run.utf8.count == 6, let number = Int64(run), run.allSatisfy(\.isNumber) else { return false }
            let (hour, minute, second) = (number / 10_000, number / 100 % 100, number % 100)
            return hour < 24 && minute < 60 && second < 60 && abs(hour * 3600 + minute * 60 + second - time) <= 120
        }
    }
}

extension Inquiry {
    /// The account on record that is written in groups of digits, or with an amount behind a hyphen; one of six or seven digits
    /// only behind a word that says so.
    func groupedAccount(in typed: TypedText) throws -> String? {
        if let account = try typed.grouped.first(where: isAccount) { return account }
        let labelled = typed.paired.filter { TypedText($0.text).accounts == [$0.account] }.map(\.account)
        if let account = try labelled.first(where: isAccount) { return account }
        let amounts = try typed.beforeAmounts.filter(isAccount)
        return try amounts.isEmpty || newestAccounts().contains { $0.contains("-") } ? nil : amounts[0]
    }

    /// The accounts on record that two numbers of a message would make, or that are two amounts.
    func pairedAccounts(in typed: TypedText) throws -> [NearIdentifier] {
        try typed.paired.map(\.account).filter(isAccount).map { NearIdentifier(kind: .account, id: $0) }
    }

    /// A number that is no account, where accounts have the number of a server before that of the customer, and the accounts that end
    /// in it.
    func roles(in typed: TypedText, asker: String?) throws -> (number: String, accounts: [String])? {
        let numbers = ((asker.map { [$0] } ?? []) + typed.runs.compactMap(\.first) + [typed.core]).filter {
            5...12 ~= $0.utf8.count && $0.utf8.allSatisfy { (48...57).contains($0) }
        }
        let form = /[0-9A-Za-z][-_.:#][0-9]{4,}/
        guard !numbers.isEmpty, try newestAccounts().contains(where: { $0.contains(form) })
        else { return nil }
        for number in numbers.prefix(5) {
            let found = try history.accounts(endingIn: number, casesMax: Self.newestCases, countMax: 200)
            let accounts = found.filter { account in
                account.dropLast(number.count).last.map { "-_.:#".contains($0) } ?? false
            }
            if !accounts.isEmpty { return (number, accounts.ordered()) }
        }
        return nil
    }
}

extension LookupAnswer {
    /// Adds what is to be said of the account of who asks, where it is not on record: accounts like it, or that end in it. Its
    /// purchases are not known, so that nobody can say that none fits.
    /// - Parameter isUnknown: whether nothing that the text names is on record.
    mutating func noteAccount(_ asker: String?, in typed: TypedText, isUnknown: Bool, of source: Inquiry) throws {
        unknownAccount = try asker.flatMap(source.unknown)
        if asker == nil, route == .noIdentifier, let code = typed.wordAccounts.first(where: { $0 == $0.uppercased() }) {
            (unknownAccount, route) = (code, .unknown)
        }
        if isUnknown || unknownAccount != nil { roles = try source.roles(in: typed, asker: unknownAccount) }
        guard let unknownAccount, route == .nothingFits, subjects.isEmpty else { return }
        near += try source.near(TypedText(unknownAccount)).filter { $0.kind == .account && !near.contains($0) }
        route = .unknown
    }
}
