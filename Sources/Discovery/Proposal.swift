/// A configuration proposed from samples of the shop's files. Each value has a comment with the evidence for it. A value that the
/// files do not determine is marked, and every command refuses the configuration until a person decides it.
public struct Proposal {
    /// The configuration's text.
    public let text: String
    public let feeds: Int
    /// How many values a person must decide.
    public let open: Int

    /// - Parameters:
    ///   - files: absolute paths of samples.
    ///   - folder: the configuration's.
    ///   - machineZone: the time zone of this machine; nil if it says none.
    public init(files: [String], folder: String, machineZone: Zone?) throws(IntakeError) {
        var shop = Shop(machineZone)
        for pattern in PathPattern.all(files, folder: folder) {
            var source = Source(pattern)
            try source.read()
            shop.sources.append(source)
        }
        shop.understand()
        text = shop.configuration
        feeds = shop.sources.count
        open = text.split(separator: "\"" + Feed.undecided, omittingEmptySubsequences: false).count - 1
    }
}

/// All sources, and what they say of each other.
struct Shop {
    var sources: [Source] = []
    var knowledge = Knowledge()

    init(_ machineZone: Zone?) {
        knowledge.machineZone = machineZone?.name.hasSuffix("UTC") == true ? nil : machineZone
    }

    /// From what is known without the others to what is compared with them.
    mutating func understand() {
        for source in sources where source.kind == .transactions { knowledge.add(source.transactions) }
        search(.products)
        for source in sources where source.kind == .products { learnProducts(source) }
        search(.orders)
        tellTokens()
        joinAccounts()
        for (number, source) in sources.enumerated() where source.kind == .orders { learnOrders(source, number) }
        for kind in [FeedKind.credits, .receipts, .acks, .orderLookups] { search(kind) }
        tellStatuses()
        tellCollisions(.orders, "order_id", of: ["account_id"])
        tellCollisions(.credits, "credit_id", of: ["account_id", "order_id", "transaction_id"])
        tellCollisions(.receipts, "receipt_id", of: ["account_id"])
        tellReferences()
        tellLeftOut()
        tellMissingOrders()
        tellRenewals()
        for place in sources.indices { tellDeleted(place) }
        for place in sources.indices { tellLost(place) }
        for place in sources.indices where sources[place].kind == .transactions { tellTrust(place) }
        proposeZones()
        for place in sources.indices { tellDay(place) }
    }

    private mutating func search(_ kind: FeedKind) {
        let files = sources.filter { $0.kind == .credits || $0.kind == .receipts }.map(\.profiles)
        for place in sources.indices where sources[place].kind == kind && sources[place].table != nil {
            var search = ColumnSearch(sources[place], knowledge, files: files)
            search.run()
            sources[place] = search.source
        }
    }

    /// Where two tables of orders have no account in common, proposes the column that has accounts of the other, too, as
    /// where a query joined the table that has both ids.
    private mutating func joinAccounts() {
        for place in sources.indices where sources[place].kind == .orders {
            let others = sources.indices.filter { $0 != place && sources[$0].kind == .orders }
            let known = Set(others.flatMap { sources[$0].profile("account_id")?.present ?? [] })
            let hits = { (profile: Profile) in profile.present.count { known.contains($0) } }
            // Small numbers are in both by chance.
            let fitting = sources[place].free.filter { $0.counts.count > 1 && $0.isMostly { $0.utf8.count > 4 } }
            guard let own = sources[place].profile("account_id"), hits(own) == 0,
                let best = fitting.max(by: { hits($0) < hits($1) }), hits(best) * 2 >= best.present.count
            else { continue }
            let why =
                "\(hits(best)) of \(best.present.count) are accounts of the other orders, of \(own.name.json5) none: "
                + "a customer needs the same id in all feeds (first-night.md, Files)"
            sources[place].choices["account_id"] = Choice(column: best.name, isSure: false, why: why)
        }
    }

    /// Asks for the token, where each record of Apple's has one and no column of any file: it says whose a lost payment is.
    private mutating func tellTokens() {
        let count = knowledge.bought.count
        let isGiven = count > 4 && knowledge.bought.values.allSatisfy { $0.token != nil }
        let texts = sources.lazy.filter { $0.kind != .transactions }.flatMap(\.profiles).flatMap(\.counts.keys)
        guard isGiven, !texts.contains(where: { knowledge.tokens.contains($0.lowercased()) }) else { return }
        let why =
            "each of Apple's \(count) records has a token, and no column of the files in Apple's form: a query adds it "
            + "(first-night.md, Files). It says whose a lost payment is. If no table has it, remove this line"
        for place in sources.indices where sources[place].kind == .orders && sources[place].table != nil {
            let isOpen = sources[place].choices["app_account_token"] == nil
            if isOpen { sources[place].choices["app_account_token"] = Choice(isSure: false, why: why) }
        }
    }

    private mutating func learnProducts(_ source: Source) {
        for row in 0..<source.rows {
            let unit = source.choices["amount_minor"] == nil ? "amount" : "amount_minor"
            guard let id = source.value("product_id", row), let amount = source.value(unit, row),
                source.choices[unit]?.isSure == true
            else { continue }
            let own = source.value("currency", row) ?? source.choices["currency"]?.value ?? ""
            guard let currency = Currency(source.standard(of: own, "currency")),
                let minor = Array(amount.utf8).withUnsafeBytes({
                    AmountFormat().number($0, exponent: unit == "amount" ? currency.exponent : 0, currency: nil)
                })
            else { continue }
            knowledge.products[id] = Money(minor: minor, currency: currency)
        }
    }

    private mutating func learnOrders(_ source: Source, _ number: Int) {
        var rows: [String: (account: String?, transaction: String?)] = [:]
        for row in 0..<source.rows {
            guard let id = source.value("order_id", row) else { continue }
            if !source.keeps(row) { knowledge.ordersLeftOut.insert(id) }
            let own = source.purchases[row]?.id.text ?? source.value("transaction_id", row)
            let known = own ?? rows[id]?.transaction
            rows[id] = (source.value("account_id", row), known)
            if let known { knowledge.payers[known] = source.value("account_id", row) }
        }
        knowledge.orders.append((number, rows))
    }

    /// What is known of the orders in each state: how many are in Apple's records, how many have a credit. Where rows say
    /// what was given, a state that says so too hides each row that is missing.
    private mutating func tellStatuses() {
        let credits = sources.filter { $0.kind == .credits }
        let credited = Set(credits.flatMap { $0.profile("order_id")?.present ?? [] })
        let transactions = Set(credits.flatMap { $0.profile("transaction_id")?.present ?? [] })
        for place in sources.indices where sources[place].kind == .orders {
            let source = sources[place]
            guard let states = source.profile("status"), var words = source.choices["status"]?.words else { continue }
            for own in states.words.map(\.value) where own.lowercased() == Self.given {
                words.append((own, Self.given, counted(states.counts[own] ?? 0, "row", "rows")))
            }
            for (number, word) in words.enumerated() where !word.own.isEmpty {
                let rows = states.values.indices.filter { states.values[$0] == word.own }
                let bought = rows.count { source.purchases[$0] != nil }
                let given = rows.count { row in
                    credited.contains(source.value("order_id", row) ?? "")
                        || transactions.contains(
                            source.purchases[row]?.id.text ?? source.value("transaction_id", row) ?? "")
                }
                var why = word.why
                if source.purchases.contains(where: { $0 != nil }) { why += ", \(bought) in Apple's records" }
                if !credits.isEmpty { why += ", \(given) with a credit" }
                words[number].why = why
                let isMost = given * 2 > rows.count
                guard word.standard == Self.given || word.standard == nil && isMost, !credits.isEmpty else { continue }
                if word.standard != nil {
                    words[number].standard = Feed.undecided + (isMost ? " paid" : " " + Self.given)
                }
                words[number].why += Self.doubt
            }
            words.removeAll { $0.own.lowercased() == $0.standard }
            sources[place].choices["status"]!.words = words
        }
    }

    private static let given = "credited"
    private static let doubt =
        ": \"paid\" if every delivery has a credit row, so that a missing one shows; \"credited\" counts without a row"

    /// Whether the ids of two sources, or of two rows of one, are those of different customers.
    private mutating func tellCollisions(_ kind: FeedKind, _ key: String, of owner: [String]) {
        func isOther(_ left: [String], _ right: [String]) -> Bool {
            zip(left, right).contains { $0 != $1 && !$0.isEmpty && !$1.isEmpty }
        }
        var known: [(pattern: String, owners: [String: [String]])] = []
        for place in sources.indices where sources[place].kind == kind {
            let source = sources[place]
            var owners: [String: [String]] = [:]
            var within = 0
            for row in 0..<source.rows {
                guard let id = source.value(key, row) else { continue }
                let own = owner.map { source.value($0, row) ?? "" }
                if let other = owners.updateValue(own, forKey: id), isOther(other, own) { within += 1 }
            }
            for other in known {
                let same = owners.count { id, own in other.owners[id].map { isOther($0, own) } ?? false }
                guard same > 0, sources[place].choices[key] != nil else { continue }
                sources[place].choices[key]!.prefixWhy =
                    "\(same) of \(owners.count) ids are also in \(other.pattern), of other purchases: a prefix such as \"B\""
            }
            if within > 0, source.pattern.files.count > 1, source.pattern.text.contains("*") {
                let why = "\(within) ids are of other purchases in another file: give each a feed with a prefix"
                sources[place].set("path", source.pattern.text, isSure: false, why: why)
            } else if within > 0, kind != .receipts, sources[place].choices[key] != nil {
                sources[place].choices[key]!.isSure = false
                sources[place].choices[key]!.why +=
                    "; \(within) of \(source.rows) rows have the id of another purchase: each record needs an id of its own"
            }
            known.append((source.pattern.text, owners))
        }
    }

    /// Which credits and receipts name orders that need a prefix.
    private mutating func tellReferences() {
        let prefixed = knowledge.orders.filter { sources[$0.source].choices["order_id"]?.prefixWhy != nil }
        if prefixed.isEmpty { return }
        for place in sources.indices where [.credits, .receipts].contains(sources[place].kind) {
            let source = sources[place]
            guard source.profile("order_id") != nil else { continue }
            let rows = (0..<source.rows).map { (source.value("order_id", $0) ?? "", source.value("account_id", $0)) }
            let hits = knowledge.orders.map { orders in
                (
                    source: orders.source,
                    count: rows.count { id, own in orders.rows[id].map { $0.account == own } ?? false }
                )
            }.filter { $0.count > 0 }
            let names = hits.map { sources[$0.source].pattern.text + " (\($0.count))" }.joined(separator: " and ")
            guard !hits.isEmpty, hits.allSatisfy({ hit in !prefixed.contains { $0.source == hit.source } }) else {
                sources[place].choices["order_id"]!.prefixWhy =
                    hits.isEmpty
                    ? "whose orders are they? Write the prefix of those, or no prefix"
                    : "they name orders of \(names): the prefix of those"
                continue
            }
            sources[place].choices["order_id"]!.why += ", and by the account of \(names)"
        }
    }

    /// Whether the date in the name of the newest file is that of its rows, or the day on which it was written.
    private mutating func tellDay(_ place: Int) {
        let source = sources[place]
        guard let date = source.pattern.dates.last.flatMap({ $0 }) else { return }
        let days = dates(source).prefix(source.newestRows).compactMap { $0 }
        let before = days.count { $0 == date.advanced(by: -1) }
        guard before > 2, before * 5 >= days.count * 4 else { return }
        let why =
            "\(before) of \(days.count) rows of the newest file are of the day before its name. A file must bear the day of its rows"
        sources[place].set("path", source.pattern.text, isSure: false, why: why)
    }

    /// The dates of a source's rows in its own zone; empty where no column says them.
    private func dates(_ source: Source) -> [BusinessDate?] {
        let name = ["created_at", "credited_at", "received_at"].first { source.choices[$0]?.column != nil }
        guard let profile = name.flatMap({ source.profile($0) }), let shape = TimeShape(profile) else { return [] }
        let zone = shape.isLocal ? .utc : zone.proposal.flatMap { Zone($0) } ?? .utc
        let format = shape.patterns.first.flatMap { TimeFormat($0) }
        return profile.values.map { text in
            text.flatMap { TimeShape.instant($0, format, zone: .utc) }.map { zone.date(of: $0) }
        }
    }

    /// Whether credits name orders from before the first one of the samples, as where a table of orders is missing.
    private mutating func tellMissingOrders() {
        for place in sources.indices where sources[place].kind == .credits {
            let source = sources[place]
            let ids = (0..<source.rows).map { source.value("order_id", $0) }
            let own = knowledge.orders.filter { orders in ids.contains { $0.map { orders.rows[$0] != nil } ?? false } }
            guard let first = own.flatMap({ dates(sources[$0.source]).compactMap { $0 } }).min() else { continue }
            let early = zip(ids, dates(source)).compactMap { id, date in
                id.map { id in own.contains { $0.rows[id] != nil } } == false
                    ? date.flatMap { $0 < first ? $0 : nil } : nil
            }
            guard let earliest = early.min(), early.count * 20 >= source.rows else { continue }
            sources[place].choices["order_id"]!.isSure = false
            sources[place].choices["order_id"]!.why +=
                "; \(early.count), back to \(earliest), name orders of no sample, and the orders begin on \(first): "
                + "is a table of orders missing? If so, run init with it"
        }
    }

    /// Renewals that nothing names would look lost.
    private mutating func tellRenewals() {
        let others = sources.filter { $0.kind == .orders || $0.kind == .credits }
        let named = Set(others.flatMap { $0.profile("transaction_id")?.present ?? [] })
        var policy = Policy()
        policy.products = ProductList(sources.filter { $0.kind == .products }.flatMap(\.products))
        for place in sources.indices where sources[place].kind == .transactions && !others.isEmpty {
            let renewals = sources[place].transactions.filter { $0.isRenewal(in: policy) }.map(\.id.text)
            if let doubt = unnamedRenewals(Set(renewals), named: named) { sources[place].remarks.append(doubt) }
        }
    }

    /// Without evidence for a feed's time zone, that of the shop is proposed.
    private mutating func proposeZones() {
        let own = zone.proposal
        for place in sources.indices {
            let number = sources[place].settings.firstIndex { $0.key == "timeZone" && $0.value == String?.none.open }
            if let number { sources[place].settings[number].value = own.open }
        }
    }

    /// Credits and receipts for orders that are left out would look unpaid.
    private mutating func tellLeftOut() {
        for place in sources.indices where [.credits, .receipts].contains(sources[place].kind) {
            let source = sources[place]
            let count = (0..<source.rows).count {
                source.keeps($0) && source.value("order_id", $0).map(knowledge.ordersLeftOut.contains) ?? false
            }
            if count == 0 { continue }
            sources[place].choices["order_id"]!.isSure = false
            sources[place].choices["order_id"]!.why +=
                "; \(count) are orders that `where` leaves out: export the rows of the others alone"
        }
    }

    /// A credit that was deleted or voided looks given.
    private mutating func tellDeleted(_ place: Int) {
        let source = sources[place]
        guard source.kind == .credits else { return }
        let named = source.profiles.first { Names.all.isOneOf(Names.all.deleted, $0.title) }
        let other = source.free.first { TimeShape($0) != nil && $0.present.count * 2 < source.rows }
        guard let profile = named ?? other else { return }
        let no = Names.all.flags["false"]!
        let deleted = profile.present.count { !no.contains($0.lowercased()) }
        let why =
            "\(deleted) of \(source.rows) rows "
            + (named != nil
                ? "are deleted, by \(profile.name.json5): "
                : "have a time in \(profile.name.json5): if it says that the goods were taken back, ")
            + "export them too, and each deletion as a second row, a reversal with an id of its own (first-night.md, Files)"
            + (named != nil ? "" : "; if it says that nothing was given, add where: { \(profile.name.json5): \"\" }")
        guard deleted > 0, source.choices["credit_id"] != nil else { return sources[place].remarks.append(why) }
        sources[place].choices["credit_id"]!.isSure = false
        sources[place].choices["credit_id"]!.why += "; " + why
    }

    /// A client that does not write UTF-8 writes a question mark for each Chinese character, and a spreadsheet rounds ids.
    private mutating func tellLost(_ place: Int) {
        let profiles = sources[place].profiles
        let texts = profiles.map(\.name) + profiles.filter(\.isWords).flatMap(\.counts.keys)
        if let table = sources[place].table, table.broken > 0 {
            let rows = counted(table.broken, "row has", "rows have")
            sources[place].remarks.append(
                "\(rows) unbalanced quotes and would be rejected: export each quote within a text doubled, in a quoted field."
            )
        }
        var told: Set<String> = []
        for profile in profiles {
            guard let (form, cure) = Self.spreadsheet(profile), told.insert(form).inserted else { continue }
            sources[place].remarks.append(
                "\(profile.name.json5) has values such as \(profile.present[0].json5): \(form). \(cure).")
        }
        let forms = Set(knowledge.tokens.flatMap { [$0.replacing("-", with: ""), "{\($0)}"] })
        let isOrders = sources[place].kind == .orders && sources[place].choices["app_account_token"]?.column == nil
        if isOrders, let hex = profiles.first(where: { $0.counts.keys.contains { forms.contains($0.lowercased()) } }) {
            sources[place].remarks.append(
                "\(hex.name.json5) has Apple's tokens in braces or without their hyphens, and is not read: export them as UUIDs "
                    + "(PostgreSQL: \(hex.name)::uuid). They say whose a lost payment is.")
        }
        let lost = Set(texts.filter { $0.wholeMatch(of: /\?+/) != nil }).ordered().map(\.json5)
        if lost.isEmpty { return }
        sources[place].remarks.append(
            "\(lost.joined(separator: ", ")): the text was lost in the export, and different words may have become one. "
                + "Export in UTF-8 (mysql: --default-character-set=utf8mb4).")
    }

    /// How a spreadsheet, or an export for one, changed the values of a column, and the cure; nil if it did not.
    private static func spreadsheet(_ profile: Profile) -> (form: String, cure: String)? {
        let database = "Export from the database, not from the spreadsheet"
        if profile.isMostly({ $0.contains("E+") && $0.wholeMatch(of: /\d([.,]\d+)?E\+\d+/) != nil }) {
            return ("a spreadsheet rounded the ids", database)
        }
        if profile.isMostly({ $0.hasPrefix("=\"") }) { return ("formulas of a spreadsheet, not ids", database) }
        let isMarked = profile.isMostly { $0.count > 1 && ["\t", "'", "`"].contains($0.first) }
        return isMarked
            ? (
                "a mark for spreadsheets before each value, by which no other file names it",
                "Export without it, or remove it (sed)"
            )
            : nil
    }

    private mutating func tellTrust(_ place: Int) {
        let found = sources[place].transactions
        let unsigned = sources[place].unsigned
        if unsigned > 0 {
            let why = "\(unsigned) of \(found.count) are not signed by Apple: "
            let words = "\"backend\" believes your backend, \"signature\" refuses them (proof.md)"
            sources[place].set("trust", nil, isSure: false, why: why + words)
        }
        let untrusted = found.count { $0.failure == .untrustedChain }
        if untrusted > 0 {
            sources[place].remarks.append(
                "\(untrusted) of \(found.count) signatures do not lead to Apple's root: a test environment needs trustedRoots, beside timeZone."
            )
        }
    }
}
