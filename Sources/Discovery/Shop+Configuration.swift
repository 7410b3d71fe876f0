/// The configuration as text.
extension Shop {
    var configuration: String {
        let (zone, history) = (zone, history)
        let lines =
            [
                "// Written by 'reconcile init --from'. The comment beside each value gives the evidence for it.",
                "// Until a person has replaced each text that begins with \(Feed.undecided), check and nightly refuse.",
                "// Settings that are left out have their defaults: interfaces.md.",
                "{",
            ] + app + [
                line(1, "timeZone: \(zone.isSure ? zone.proposal!.json5 : zone.proposal.open),", zone.why),
                line(1, "historyFrom: \(history.text),", history.why),
                line(
                    1, "retry: { enabled: false },",
                    "until a job reads retry-manifest.jsonl and gives what it lists; then remove this line"),
                "", "  feeds: [",
            ] + sources.flatMap(\.lines) + ["  ],", "}", ""]
        return lines.joined(separator: "\n")
    }

    private var app: [String] {
        let all = sources.flatMap(\.transactions)
        let bundles = all.compactMap(\.bundle?.text).counts
        let list = bundles.map { bundles.count == 1 ? $0.value.json5 : Optional($0.value).open }
        let why =
            bundles.isEmpty
            ? "the app's bundle id: no record of Apple's could be read" : "Apple's records: " + bundles.shown
        let ids = list.isEmpty ? String?.none.open : list.joined(separator: ", ")
        var lines = [line(1, "app: {", ""), line(2, "bundleIDs: [\(ids)],", why)]
        let others = all.map(\.environment).filter { $0 != .production }
        if others.count * 2 > all.count {
            let why =
                "\(others.count) of \(all.count) records are of another environment: \(others.map(\.name).counts.shown)"
            lines.append(line(2, "environment: \(Optional("Production").open),", why))
        }
        if let use = tokenUse { lines.append(line(2, "appAccountToken: \(use.text),", use.why)) }
        return lines + [line(1, "},", "")]
    }

    /// What a token stands for: an account, or one order.
    private var tokenUse: (text: String, why: String)? {
        // Orders by their ids, because an export may hold an order more than once.
        var tokens: [String: (accounts: Set<String>, orders: Set<String?>)] = [:]
        var accounts: [String: Set<String>] = [:]
        for source in sources where source.kind == .orders {
            for row in 0..<source.rows {
                guard let token = source.value("app_account_token", row), let account = source.value("account_id", row)
                else { continue }
                tokens[token, default: ([], [])].accounts.insert(account)
                tokens[token]!.orders.insert(source.value("order_id", row))
                accounts[account, default: []].insert(token)
            }
        }
        if tokens.isEmpty { return nil }
        if accounts.allSatisfy({ account, tokens in tokens.allSatisfy { $0.lowercased() == account.lowercased() } }) {
            return ("account".json5, "the tokens are the accounts")
        }
        let several = accounts.count { $0.value.count > 1 }
        if several > 0 {
            return (Optional("order").open, "\(several) of \(accounts.count) accounts have several tokens")
        }
        let repeated = tokens.values.count { $0.orders.count > 1 }
        // A refund may be a row of its own, with the token of its order.
        if repeated * 2 > tokens.count, tokens.values.allSatisfy({ $0.accounts.count == 1 }) {
            return ("account".json5, "each account has one token")
        }
        let seen = repeated == 0 ? "no account has two orders" : "\(repeated) of \(tokens.count) tokens are in two rows"
        return (
            String?.none.open,
            "\"account\" if each account has one token, \"order\" if each order has its own: \(seen)"
        )
    }

    /// The zone of the shop's books: that of its own times.
    var zone: (proposal: String?, isSure: Bool, why: String) {
        let own = sources.filter { $0.kind == .orders || $0.kind == .credits }
        var names = own.flatMap(\.settings).filter { $0.key == "timeZone" && !$0.value.contains(Feed.undecided) }
            .map { String($0.value.dropFirst().dropLast()) }
        names += own.compactMap { ColumnSearch($0, knowledge).writtenZone()?.name }
        let known = Set(names).subtracting(["UTC"]).ordered()
        let why = "it decides business dates and months"
        if known.count == 1 { return (known[0], true, why + "; the shop's own times are in it") }
        return (known.first ?? knowledge.machineZone?.name, false, why + ": where are the books kept?")
    }

    private var history: (text: String, why: String) {
        let oldest = sources.filter { $0.kind == .orders }.flatMap { source -> [Instant] in
            guard let profile = source.profile("created_at"), let shape = TimeShape(profile) else { return [] }
            // Times far from Apple's do not show where the orders begin.
            let fit = ColumnSearch(source, knowledge).nearness(profile)
            guard fit.pairs == 0 || fit.near > 0 else { return [] }
            return profile.present.compactMap {
                TimeShape.instant($0, shape.patterns.first.flatMap { TimeFormat($0) }, zone: .utc)
            }
        }.min()
        let why = "older purchases are out of scope"
        guard let oldest, let bought = sources.flatMap({ $0.transactions.map(\.purchasedAt) }).min(),
            (max(oldest, bought) - min(oldest, bought)).count > Milliseconds.days(1).count
        else { return ("null", why) }
        // Before the later day one side is missing, and everything of the other would be an exception.
        return (
            Optional(Zone.utc.date(of: max(oldest, bought)).text).open,
            why
                + ": Apple's records go back to \(Zone.utc.date(of: bought)), the orders to \(Zone.utc.date(of: oldest))"
        )
    }
}

private func line(_ level: Int, _ text: String, _ why: String) -> String {
    let text = String(repeating: "  ", count: level) + text
    if why.isEmpty { return text }
    return text + String(repeating: " ", count: max(0, 60 - displayWidth(text))) + "  // " + display(why)
}

extension [String] {
    /// How often each occurs, the most frequent first.
    var counts: [(value: String, count: Int)] {
        reduce(into: [:]) { $0[$1, default: 0] += 1 }.map { ($0.key, $0.value) }
            .ordered { ($1.1, $0.0) < ($0.1, $1.0) }
    }
}

extension [(value: String, count: Int)] {
    var shown: String { map { "\($0.value) \($0.count)" }.joined(separator: ", ") }
}

/// The feed as text.
extension Source {
    fileprivate var lines: [String] {
        let remarks = remarks.map { line(2, "// " + display($0), "") }
        if !refusal.isEmpty {
            let why =
                "it cannot be read: \(refusal). Correct the file, delete this configuration and run init again; "
                + "or delete this feed"
            return remarks + [line(2, "{ kind: \(String?.none.open), path: \(pattern.text.json5) },", why)]
        }
        let files = counted(pattern.files.count, "file", "files")
        let isNightly = pattern.isDated || kind == .products
        var all = [Setting(key: "path", value: pattern.text.json5, why: isNightly ? files : files + Self.undated)]
        let isNeeded =
            [.orders, .credits].contains(kind) || kind == .transactions && !pattern.text.contains("*")
        if isNeeded, pattern.isDated {
            all.append(Setting(key: "required", value: "true", why: "a night without it is incomplete"))
        }
        all += shape
        for setting in settings {
            all.removeAll { $0.key == setting.key }
            all.append(setting)
        }
        let kind = isKindSure ? kind.rawValue.json5 : Optional(kind.rawValue).open
        var lines = remarks + [line(2, "{ kind: \(kind),", kindWhy)]
        lines += all.map { line(3, "\($0.key): \($0.value),", $0.why) }
        let columns = Feed.columnNames(of: self.kind).compactMap { name in
            choices[name].map { $0.lines(name) } ?? unread(name)
        }
        if !columns.isEmpty { lines += [line(3, "columns: {", "")] + columns.flatMap { $0 } + [line(3, "},", "")] }
        let (labelled, labels) = labels
        if let labels { lines.append(line(3, display(labels), "reports may show these columns; remove the // for it")) }
        if let command {
            let isLate = self.kind == .orders && choices["updated_at"] == nil
            let place = self.kind == .transactions ? "examples/export has the query" : "first-night.md, Every night"
            let doubt = isLate ? "; an order that changes more than 3 days later is missed" : ""
            lines.append(line(3, display(command), place + doubt))
        }
        let taken = labelled.union(choices.values.compactMap(\.column))
        // An empty column with a standard name is read once it has values.
        let rest = profiles.filter { profile in
            !taken.contains(profile.name) && profile.name != kept?.column
                && !(profile.present.isEmpty && Feed.columnNames(of: self.kind).contains { isNamed(profile, $0) })
        }.map(\.name.json5)
        if !rest.isEmpty, table != nil {
            lines.append(line(3, "// not used: " + display(rest.joined(separator: ", ")), ""))
        }
        return lines + [line(2, "},", "")]
    }

    private func isNamed(_ profile: Profile, _ standard: String) -> Bool {
        let root = table?.delimiter == nil ? profile.name.prefix { $0 != "." } : profile.name[...]
        return choices[standard] == nil && Feed.isSame(String(root), standard)
    }

    /// The line for a standard column that is not used, where a column has its name and would be read by it.
    private func unread(_ standard: String) -> [String]? {
        guard let profile = profiles.first(where: { !$0.present.isEmpty && isNamed($0, standard) }) else { return nil }
        let mayBe =
            switch standard {
            case "transaction_id": profile.present.contains { Profile.isFigures($0) && $0.utf8.count > 8 }
            case "app_account_token": profile.present.contains { Token($0) != nil }
            case "receipt_data": profile.present.contains { $0.utf8.count > 40 }
            default: false
            }
        let other = Feed.columnNames(of: kind).first { choices[$0]?.column == profile.name }
        let why =
            other.map { "the column of this name is \($0)" }
            ?? "a column has this name and other values, such as \(profile.present[0].prefix(24))"
        return mayBe
            ? [line(4, "\(standard): \(Optional(profile.name).open),", "some values may be; null if none is")]
            : [line(4, "\(standard): null,", why)]
    }

    private static let undated = ": no date in the name, so it belongs to the night that reads it"

    /// How the files are written, where that is not as usual.
    private var shape: [Setting] {
        guard let table else { return [] }
        var source = self
        source.settings = []
        if table.encoding != .utf8 {
            let isKnown = profiles.contains { profile in
                profile.name.utf8.contains { $0 > 0x7F }
                    && Names.all.columns.keys.contains { Names.all.level(of: profile.title, as: $0) > 0 }
            }
            let isSure = isKnown || table.encoding == .utf16
            let why = (isSure ? "detected" : "a guess") + " from the bytes"
            source.set("encoding", table.encoding.rawValue, isSure: isSure, why: why)
        }
        if table.format == .text {
            source.set("format", "text", isSure: true, why: "quotes and backslashes as in COPY, Hive and mysql")
        }
        if let delimiter = table.delimiter, delimiter != (table.format == .csv ? 0x2C : 0x09) {
            let text = String(decoding: [delimiter], as: UTF8.self)
            source.set("delimiter", text, isSure: true, why: "gives every line the same number of fields")
        }
        if table.skipped.lines > 0 {
            source.set("skipLines", String(table.skipped.lines), why: "lines above the header")
        }
        if table.skipped.afterHeader > 0 { source.set("skipAfterHeader", "1", why: "names of types, or dashes") }
        if !table.hasHeader {
            let names = profiles.map(\.name.json5).joined(separator: ", ")
            source.set("header", "[\(names)]", why: "the first line is a row; the names are made up")
        }
        if let footer = table.footer, let place = footer.firstIndex(where: { !$0.isEmpty }) {
            // Any other number may change by the next day.
            let (count, stray) = table.beforeFooter
            let numbers = footer[place].matches(of: /\d+/)
            let isSure = numbers.isEmpty || numbers.count == 1 && numbers[0].output == String(count)
            let plural = footer[place].replacing(/\d+/, with: "{rows}").replacing(/\{rows} row\b/, with: "{rows} rows")
            let text = numbers.count == 1 ? plural : footer[place]
            let value = "{ \(profiles[place].name.json5): \(isSure ? text.json5 : Optional(text).open) }"
            var why = "the last row: " + footer.joined(separator: " ").prefix(60)
            if !isSure {
                why += "; a night counts \(counted(count, "row", "rows")) before it"
                why += stray.map { ", with \($0.prefix(40).description.json5): export without such lines" } ?? ""
                why += ". Without this line no footer is compared"
            }
            source.set("footer", value, why: why)
        }
        return source.settings
    }
}

extension Choice {
    fileprivate func lines(_ name: String) -> [String] {
        if let value {
            let text = isSure ? value.json5 : (value.isEmpty ? nil : value).open
            return [line(4, "\(name): { value: \(text) },", why)]
        }
        let from = isSure ? (column ?? "").json5 : column.open
        if let prefixWhy {
            return [line(4, "\(name): { from: \(from), prefix: \(String?.none.open) },", why + "; " + prefixWhy)]
        }
        if words.isEmpty { return [line(4, "\(name): \(from),", why)] }
        let map = words.map { line(5, "\($0.own.json5): \($0.standard.map(\.json5) ?? String?.none.open),", $0.why) }
        return [line(4, "\(name): { from: \(from), words: {", why)] + map + [line(4, "} },", "")]
    }
}
