/// Finds the columns of a source: by their names, by the look of their values, and by what other sources say of the same
/// purchases.
struct ColumnSearch {
    var source: Source
    let knowledge: Knowledge
    /// The columns of each file of credits or receipts.
    let files: [[Profile]]
    /// Names of orders in these files, and all columns of the file.
    var references: [Reference]
    typealias Reference = (orders: Profile, all: [Profile])

    /// What other sources say of a column.
    enum Link {
        case agrees(String), differs(String)
        /// Many rows agree, but too few: the others may have the same numbers by chance.
        case partly(String)
        case unknown
    }

    private struct Candidate {
        var profile: Profile
        var level: Int
        var link: Link

        var agrees: Bool { if case .agrees = link { true } else { isPartly } }
        var isPartly: Bool { if case .partly = link { true } else { false } }
        var differs: Bool { if case .differs = link { true } else { false } }
        var why: String {
            switch link {
            case .agrees(let why), .differs(let why), .partly(let why): why
            case .unknown: "by its name"
            }
        }
    }

    init(_ source: Source, _ knowledge: Knowledge, files: [[Profile]] = []) {
        self.source = source
        self.knowledge = knowledge
        self.files = files
        references = files.flatMap { file in
            file.filter { Names.all.level(of: $0.title, as: "order_id") == 3 && !$0.present.isEmpty }
                .map { (orders: $0, all: file) }
        }
    }

    /// Links come first, because the others are compared along them.
    private static let order = [
        "receipt_data", "transaction_id", "order_id", "account_id", "credit_id", "app_account_token", "product_id",
    ]

    mutating func run() {
        let all = Feed.columnNames(of: source.kind)
        tellDeletes()
        for standard in Self.order where all.contains(standard) {
            source.choices[standard] = choose(standard)
            if standard == "order_id" { findNamedOrder() }
        }
        if source.choices["transaction_id"] == nil { tellInnerIDs() }
        doubtTransaction()
        findToken()
        doubtAccount()
        tellChecks()
        findPurchases()
        doubtProduct()
        for standard in all where !Self.order.contains(standard) && !standard.hasPrefix("amount") {
            source.choices[standard] = choose(standard)
        }
        tellWords()
        if all.contains("amount") { chooseAmount() }
        setAside()
        doubtPayment()
        doubtCreation()
        tellTimes()
    }

    /// Asks for a column where Apple's ids are within the JSON of one.
    private mutating func tellInnerIDs() {
        guard source.kind == .orders || source.kind == .credits else { return }
        for profile in source.free where profile.isObject {
            let names = profile.present.flatMap { text in
                text.matches(of: /"([^"]+)" *: *"?(\d{15,17})\b/).filter { knowledge.bought[String($0.2)] != nil }.map {
                    String($0.1)
                }
            }
            guard let (name, count) = names.counts.first else { continue }
            let why =
                "\(profile.name.json5) holds JSON, in which \(name.json5) is Apple's transaction id in \(count) of "
                + "\(counted(profile.present.count, "row", "rows")): a query makes it a column (first-night.md, Files)"
            source.choices["transaction_id"] = Choice(isSure: false, why: why)
            return
        }
    }

    /// Columns that a person is asked about even where only the values look like it.
    private static let links = ["quantity", "transaction_id", "app_account_token"]

    private func choose(_ standard: String) -> Choice? {
        let found = candidates(standard)
        let proven = found.filter(\.agrees)
        let pool = proven.isEmpty ? found.filter { $0.level > 0 && !$0.differs } : proven
        let level = pool.map(\.level).max() ?? 0
        // A row's own number may be that of its order by chance.
        let top = standard == "order_id" && level < 3 && !proven.isEmpty ? pool : pool.filter { $0.level == level }
        if top.count == 1, let only = top.first {
            var choice = Choice(column: only.profile.name, why: only.why)
            choice.isSure = !only.isPartly && (only.agrees || level == 3 || isSafe(only.profile, standard))
            if !choice.isSure, !only.isPartly { choice.why += ", which other columns have as well" }
            return choice
        }
        if let first = top.first {
            let names = top.map { $0.profile.name.json5 }.joined(separator: " or ")
            return Choice(column: first.profile.name, isSure: false, why: "\(names): \(first.why)")
        }
        if standard.hasSuffix("_id"), let float = source.free.first(where: { isFloating($0, standard) }) {
            let why = "values such as \(float.present[0]), which are numbers with a point, not ids: export them as text"
            return Choice(column: float.name, isSure: false, why: why)
        }
        let other = found.first { $0.level == 3 || Self.links.contains(standard) }
        if let other, standard != "order_id" || !hasAppleIDs(other.profile) {
            return Choice(column: other.profile.name, isSure: false, why: other.why)
        }
        let fitting = fitting(standard)
        // A credit must name its order, or Apple's transaction, which is looked for first.
        let payment = source.choices["transaction_id"]
        let isNamed = payment?.isSure == true && source.profile("transaction_id")?.present.count == source.rows
        let needsOrder =
            source.kind == .credits && standard == "order_id" && !isNamed && (payment == nil || !fitting.isEmpty)
        guard needsOrder || Feed.requiredColumns(of: source.kind).contains(standard) else { return nil }
        if let choice = listed(standard) { return choice }
        let best = guess(standard, fitting)
        if let other {
            return Choice(
                column: best?.name ?? other.profile.name, isSure: false,
                why: "\(other.profile.name.json5): \(other.why)")
        }
        let none =
            unread(standard) ?? "neither a name nor values say so"
            + (["status", "order_id"].contains(standard) ? ": a query makes it (first-night.md, Files)" : "")
        let isProven = best.map { self.isProven($0, standard, fitting) } ?? false
        let why = best.map { (isProven ? "" : "a guess by value; ") + (named($0, standard) ?? "its name says nothing") }
        return Choice(column: best?.name, isSure: isProven, why: why ?? none)
    }

    /// The columns that may be it by their values.
    func fitting(_ standard: String) -> [Profile] {
        // Goods may be given and taken back for one order.
        let rowsMax = ["credit_id": 1, "order_id": 2][standard]
        return source.free.filter { profile in
            fits(profile, standard) && !isClaimed(profile, but: standard)
                && !profile.counts.keys.contains { knowledge.tokens.contains($0.lowercased()) }
                && (standard != "status" || mayBeState(profile))
                && rowsMax.map { profile.counts.count * $0 * 20 >= profile.present.count * 19 && !profile.isAppleID }
                    ?? true
        }
    }

    private func candidates(_ standard: String) -> [Candidate] {
        source.profiles.compactMap { profile in
            let level = Names.all.level(of: profile.title, as: standard)
            guard !profile.present.isEmpty, !profile.name.isEmpty, level == 3 || !isClaimed(profile, but: standard),
                fits(profile, standard)
            else { return nil }
            let link = link(profile, standard)
            let candidate = Candidate(profile: profile, level: level, link: link)
            return candidate.agrees || level > 0 || looksLike(profile, standard) ? candidate : nil
        }
    }

    /// Whether a column has the ids as numbers with a point, such as `550000.0`, as pandas writes them where some are missing.
    private func isFloating(_ profile: Profile, _ standard: String) -> Bool {
        Names.all.level(of: profile.title, as: standard) == 3
            && profile.isMostly { $0.hasSuffix(".0") && Profile.isFigures(String($0.dropLast(2))) }
    }

    /// Whether a column whose name says nothing has the values of one that links purchases.
    private func looksLike(_ profile: Profile, _ standard: String) -> Bool {
        standard == "transaction_id" && source.kind != .receipts && profile.isAppleID
            || standard == "app_account_token" && Names.all.level(of: profile.title, as: "device_id") == 0
    }

    /// Whether a column's name says that it is another standard column, or another one has it.
    private func isClaimed(_ profile: Profile, but standard: String) -> Bool {
        if standard == "transaction_id", hasAppleIDs(profile) { return false }
        return Feed.columnNames(of: source.kind).contains { other in
            other != standard && Names.all.level(of: profile.title, as: other) == 3
                && (standard != "order_id" || other != "transaction_id" || fits(profile, other))
        } || source.choices.contains { $0.key != standard && $0.value.isSure && $0.value.column == profile.name }
            || Names.all.level(of: profile.title, as: "updated_at") == 3
    }

    /// Whether a column with a name that others have as well can only be this one.
    private func isSafe(_ profile: Profile, _ standard: String) -> Bool {
        switch standard {
        case "order_id", "credit_id", "receipt_id": profile.isUnique
        case "created_at", "credited_at", "received_at", "at":
            !source.profiles.contains { $0.name != profile.name && fits($0, standard) && !isClaimed($0, but: standard) }
        case "status", "kind", "origin", "type", "outcome":
            profile.counts.keys.allSatisfy { standardWord($0, standard) != nil }
        case "name": true
        default: false
        }
    }

    /// Whether the values may be those of the column.
    private func fits(_ profile: Profile, _ standard: String) -> Bool {
        switch standard {
        case "transaction_id":
            profile.isMostly { Profile.isFigures($0) && $0.utf8.count > 8 }
                || profile.counts.keys.contains { knowledge.bought[$0] != nil }
        case "app_account_token": profile.isUUID
        case "quantity": profile.isInteger
        case "currency": profile.isCurrency
        case "created_at", "updated_at", "credited_at", "received_at", "at": TimeShape(profile) != nil
        case "receipt_data": profile.isMostly { $0.utf8.count > 40 && !$0.contains(" ") }
        case "verify_status": profile.isVerifyStatus
        case "status", "type", "outcome", "kind", "origin": profile.counts.count <= Profile.wordsMax
        case "verify_retryable": profile.isFlag
        case "order_id", "account_id", "credit_id", "product_id", "receipt_id":
            TimeShape(profile) == nil && !profile.isReceipt && !profile.isObject
                && !profile.isMostly { $0.contains(".") && Double($0) != nil }
        default: true
        }
    }
}

/// What other sources say.
extension ColumnSearch {
    private func link(_ profile: Profile, _ standard: String) -> Link {
        let level = Names.all.level(of: profile.title, as: standard)
        switch standard {
        case "transaction_id":
            let known = profile.counts.keys.count { knowledge.bought[$0] != nil }
            // A renewal has another id than its first purchase.
            if ["orig", "原"].contains(where: profile.name.lowercased().contains) {
                return .differs("original transaction ids, by the name")
            }
            if known > 0 { return .agrees("\(known) of \(profile.counts.count) are in Apple's records") }
            if profile.isAppleID, level > 0 {
                return level == 3 ? .unknown : .differs("digits as Apple's ids have them")
            }
            return .differs("none is in Apple's records, and they do not look like Apple's ids")
        case "app_account_token":
            let known = profile.counts.keys.count { knowledge.tokens.contains($0.lowercased()) }
            if known > 0 { return .agrees("\(known) of \(profile.counts.count) are in Apple's records") }
            if level == 3, knowledge.tokens.isEmpty { return .unknown }
            return .differs("UUIDs, and none is in Apple's records")
        case "product_id": return productLink(profile)
        case "order_id": return orderLink(profile)
        case "account_id": return accountLink(profile, level)
        case "quantity": return quantityLink(profile)
        case "receipt_data" where profile.isReceipt: return .agrees("signed data in \(profile.present.count) rows")
        case "verify_status" where level == 3 || profile.counts.keys.contains { $0 != "0" }:
            return .agrees("Apple's codes: \(profile.shown)")
        case "currency" where profile.isCurrency && (level == 3 || source.kind != .receipts):
            return .agrees("currencies: \(profile.shown)")
        default: return .unknown
        }
    }

    private func productLink(_ profile: Profile) -> Link {
        if source.kind == .products, knowledge.appleProducts.isEmpty { return .unknown }
        let known = knowledge.appleProducts.union(source.kind == .products ? [] : Set(knowledge.products.keys))
        let hits = profile.present.count { known.contains($0) }
        if hits * 2 >= profile.present.count {
            return .agrees("\(hits) of \(profile.present.count) are products of Apple's records or the product list")
        }
        if hits > 0 || !known.isEmpty {
            return .differs(
                "only \(hits) of \(profile.present.count) are products of Apple's records or the product list")
        }
        return profile.isInteger ? .differs("only digits; are these the product ids of App Store Connect?") : .unknown
    }

    private func orderLink(_ profile: Profile) -> Link {
        let level = Names.all.level(of: profile.title, as: "order_id")
        if source.kind == .orders {
            guard level > 0, !references.isEmpty else { return linkOfAppleIDs(profile) ?? .unknown }
            let hits = references.map { reference in
                (reference, reference.orders.counts.keys.count { profile.counts[$0] != nil })
            }.filter { $0.1 > 0 }
            if hits.isEmpty {
                return level == 3
                    ? linkOfAppleIDs(profile) ?? .differs("no credit or receipt of the samples names one") : .unknown
            }
            let own = hits.filter { !profile.isInteger || level == 3 || isOfSameAccounts(profile, $0.0) }
            guard let best = own.max(by: { $0.1 < $1.1 }) else {
                return .differs("another file has such numbers, of other accounts")
            }
            return .agrees("\(best.0.orders.name.json5) of another file names \(best.1) of \(profile.counts.count)")
        }
        if knowledge.orders.isEmpty { return linkOfAppleIDs(profile) ?? .unknown }
        let hits = profile.counts.keys.count { id in knowledge.orders.contains { $0.rows[id] != nil } }
        // Two tables that count from one have the same numbers.
        let isProof = profile.isInteger ? namesAccounts(profile) : level > 0
        if hits > 0, isProof || !profile.isInteger && hits * 2 >= profile.counts.count {
            return .agrees("\(hits) of \(profile.counts.count) are orders of the samples")
        }
        return linkOfAppleIDs(profile) ?? (level == 3 ? .unknown : .differs("none is an order of the samples"))
    }

    /// Whether the values are known to be Apple's transaction ids, whatever the column is called.
    func hasAppleIDs(_ profile: Profile) -> Bool {
        let known = profile.counts.keys.count { knowledge.bought[$0] != nil }
        return known > 0 && (profile.isAppleID || known * 2 > profile.counts.count)
    }

    private func linkOfAppleIDs(_ profile: Profile) -> Link? {
        hasAppleIDs(profile) ? .differs("its values are Apple's transaction ids") : nil
    }

    func orderAccounts(_ id: String?) -> [String] {
        guard let id else { return [] }
        return knowledge.orders.compactMap { $0.rows[id]?.account }
    }

    /// Whether rows of another file that name orders have the accounts of those orders.
    private func isOfSameAccounts(_ orders: Profile, _ reference: Reference) -> Bool {
        source.profiles.filter { Names.all.level(of: $0.title, as: "account_id") == 3 }.contains {
            let (same, all) = agreement($0, orders, reference)
            return same * 2 > all
        }
    }

    /// Whether a column has the accounts of the orders that another one names.
    private func namesAccounts(_ orders: Profile) -> Bool {
        let accounts = orders.values.map { orderAccounts($0) }
        return source.profiles.contains { profile in
            zip(accounts, profile.values).count { all, own in own.map(all.contains) ?? false } * 2
                > accounts.count { !$0.isEmpty }
        }
    }

    private func accountLink(_ profile: Profile, _ level: Int) -> Link {
        if source.kind == .orders { return .unknown }
        let pairs = profile.values.indices.compactMap { row in
            profile.values[row].map { (own: $0, orders: owners(row)) }
        }.filter { !$0.orders.isEmpty }
        let same = pairs.count { $0.orders.contains($0.own) }
        if pairs.isEmpty { return .unknown }
        guard same * 2 >= pairs.count, level > 0 || pairs.count > 1 else {
            return .differs("\(same) of \(pairs.count) are the account of their order")
        }
        let why = "\(same) of \(pairs.count) are the account of their order"
        return same * 10 >= pairs.count * 9 ? .agrees(why) : .partly(why + ": other rows, which are not about orders?")
    }

    /// The accounts of the order or payment that a row names.
    private func owners(_ row: Int) -> [String] {
        let owners = orderAccounts(source.value("order_id", row))
        let payer = source.value("transaction_id", row).flatMap { knowledge.payers[$0] }
        return owners.isEmpty ? payer.map { [$0] } ?? [] : owners
    }

    /// Finds Apple's record of the purchase that each row is about: by its transaction, its order, or a token that only one
    /// order and one record have, for the product if Apple knows it.
    mutating func findPurchases() {
        let isSure = source.choices["transaction_id"]?.isSure == true
        let keys = (0..<source.rows).map { row -> String? in
            guard let token = source.value("app_account_token", row)?.lowercased() else { return nil }
            let product = source.value("product_id", row) ?? ""
            return knowledge.appleProducts.contains(product) ? token + " " + product : token
        }
        var owners: [String: Set<String>] = [:]
        for (row, key) in keys.enumerated() {
            if let key { owners[key, default: []].insert(source.value("order_id", row) ?? "\(row)") }
        }
        source.purchases = keys.enumerated().map { row, key in
            if let id = source.value("transaction_id", row), isSure || knowledge.bought[id] != nil {
                return knowledge.bought[id]
            }
            var ids: Set<String> = []
            if source.kind == .orders {
                ids = key.flatMap { owners[$0]!.count == 1 ? knowledge.payments[$0] : nil } ?? []
            } else if let order = source.value("order_id", row) {
                ids = Set(knowledge.orders.compactMap { $0.rows[order]?.transaction })
            }
            return ids.count == 1 ? knowledge.bought[ids.first!] : nil
        }
    }

    /// Apple's record of the purchase that a row is about.
    func bought(_ row: Int) -> Transaction? { source.purchases.isEmpty ? nil : source.purchases[row] }

    private func quantityLink(_ profile: Profile) -> Link {
        let pairs = profile.values.indices.compactMap { row in
            profile.values[row].flatMap { own in bought(row).map { (own, $0.quantity) } }
        }
        let others = pairs.filter { $0.0 != String($0.1) }
        if let other = others.first, others.count * 20 > pairs.count {
            return .differs("\(other.0) where Apple has \(other.1): a number of coins?")
        }
        // A column of ones may be anything.
        let isNamed = Names.all.level(of: profile.title, as: "quantity") > 0 || source.table?.hasHeader == false
        if isNamed, profile.counts.keys.elementsEqual(["1"]) { return .agrees("1 in every row") }
        if pairs.contains(where: { $0.1 > 1 }) || isNamed && pairs.count > 4 {
            return .agrees("\(pairs.count - others.count) of \(pairs.count) as in Apple's records")
        }
        return .differs("not always 1, and too few records of Apple's to compare: pieces bought, or coins?")
    }
}
