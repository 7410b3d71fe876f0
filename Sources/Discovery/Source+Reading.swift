internal import AppStore

extension Source {
    private static let rowsMax = 10_000
    /// How many rows of each file but the newest.
    private static let olderMax = 4_000
    /// How many files of a table are read, and how many with Apple's records, which may be one a file.
    private static let filesMax = (tables: 6, records: 300)

    /// Reads the samples, and finds out which kind of feed it is.
    mutating func read() throws(IntakeError) {
        guard let latest = pattern.files.last else { return }
        let (table, reason) = try Self.table(latest, rows: Self.rowsMax)
        guard var table else {
            refusal = reason
            return
        }
        let newest = table
        isPart = newest.rows >= Self.rowsMax || pattern.files.count > Self.filesMax.tables
        take(table)
        let isBackends = ["order_id", "account_id"].allSatisfy { has($0) }
        if table.delimiter == nil && !isBackends || table.isSigned, try readRecords() { return }
        for path in pattern.files.dropLast().suffix(Self.filesMax.tables - 1) {
            guard let more = try Self.table(path, rows: Self.olderMax).table else { continue }
            if more.rows >= Self.olderMax { isPart = true }
            if remarks.isEmpty { remarks += otherForm(path, more, beside: newest).map { [$0] } ?? [] }
            table.append(more)
        }
        self.table = table
        newestRows = newest.rows
        take(table)
        tellKind()
    }

    /// Reads a table. Its last row may be a sum.
    private static func table(_ path: String, rows: Int) throws(IntakeError) -> (table: TableSample?, reason: String) {
        var (table, reason) = try TableSample.read(path, rows: rows)
        let first = table?.columns.first?.values.last.flatMap { $0 }
        if table?.footer == nil, let first, isTotal(first) { table?.takeFooter() }
        return (table, reason)
    }

    /// Takes the table's columns. Tools for reports begin each title with that of the report, and tables may with a letter.
    private mutating func take(_ table: TableSample) {
        profiles = table.columns.map { Profile($0) }
        for sign in [" ", "_"] as [Character] {
            let words = profiles.compactMap { profile in
                profile.name.firstIndex(of: sign).map { String(profile.name[...$0]) }
            }
            guard let (word, count) = words.counts.first, count > 2,
                sign == " " ? count * 2 > profiles.count : count == profiles.count
            else { continue }
            for place in profiles.indices where profiles[place].name.hasPrefix(word) {
                let name = profiles[place].name
                let isKnown = Names.all.columns.keys.contains { Names.all.level(of: name, as: $0) > 0 }
                if !isKnown { profiles[place].title = String(name.dropFirst(word.count)) }
            }
        }
    }

    /// What differs in how another file of the feed is written; nil if nothing does.
    private func otherForm(_ path: String, _ other: TableSample, beside newest: TableSample) -> String? {
        var differences: [String] = []
        if other.delimiter != newest.delimiter || other.encoding != newest.encoding {
            differences.append("delimiter or encoding")
        }
        for column in newest.columns {
            guard let twin = other.columns.first(where: { $0.name == column.name }), let own = Self.sign(column),
                let others = Self.sign(twin), own != others
            else { continue }
            let examples = [column, twin].map { $0.values.lazy.compactMap { $0 }.first ?? "" }
            differences.append("\(column.name.json5): \(examples[0]) and \(examples[1])")
        }
        if differences.isEmpty { return nil }
        let names = [pattern.files.last!, path].map { $0.split(separator: "/").last.map(String.init) ?? "" }
        return "\(names[0]) and \(names[1]) are written in different ways (\(differences.joined(separator: "; "))), "
            + "and a feed reads all its files in one way: export both alike, or make them two feeds."
    }

    /// The sign between the figures of nearly all values: the last one, or of times the first one.
    private static func sign(_ column: TableSample.Column) -> String? {
        let texts = column.values.prefix(500).compactMap { $0 }
        let signs = texts.filter { !$0.contains(where: \.isLetter) }.compactMap { text in
            let all = text.matches(of: /\d(\D)(?=\d)/).map { String($0.1) }
            return text.contains(":") ? all.first : all.last
        }
        return signs.counts.first.flatMap { $0.count * 20 >= texts.count * 19 ? $0.value : nil }
    }

    /// Whether the files hold Apple's records. Then they are read.
    private mutating func readRecords() throws(IntakeError) -> Bool {
        let appStore = AppStoreSettings(
            bundles: [], environment: .production, now: Instant(milliseconds: 7_289_000_000_000))
        let settings = IntakeSettings(appStore: appStore, blockBytes: 16 << 20)
        var feed = Feed(kind: .transactions, path: pattern.text, name: pattern.text)
        var (rows, rejected, signed) = (0, 0, 0)
        var reject: Reject?
        var found: [Transaction] = []
        for path in pattern.files.suffix(Self.filesMax.records) {
            let file = FoundFile(feed: 0, path: path, name: path, fileDate: BusinessDate(day: 0), isDated: false)
            for trust in [Trust.signature, .backend] {
                feed.trust = trust
                guard
                    case .read(let contents) = try readBeginning(
                        of: file, feed: feed, rows: Self.rowsMax, settings: settings)
                else { continue }
                if trust == .signature {
                    signed += contents.evidence.transactions.count
                } else {
                    rows += contents.totals.rows
                    rejected += contents.totals.rejected
                    reject = reject ?? contents.rejects.first
                    found += contents.evidence.transactions
                }
            }
        }
        guard !found.isEmpty, rejected * 10 <= rows else {
            let hasAppleRecords = isDecoded && !has("account_id") && !has("order_id")
            guard hasAppleRecords, let reject else { return false }
            let column = reject.column.map { reject.reason.hasPrefix($0) ? "" : $0 + ": " } ?? ""
            refusal = "line \(reject.line), as a record of Apple's: \(column)\(reject.reason)"
            return true
        }
        let early = found.count { $0.purchasedAt < .appStoreOpening }
        if early * 2 > found.count {
            refusal =
                "\(early) of \(found.count) purchases are older than the App Store: seconds since 2001, as Swift's JSONEncoder "
                + "writes them? Write milliseconds since 1970 (dateEncodingStrategy)"
            return true
        }
        unsigned = found.count - signed
        kind = .transactions
        transactions = found
        kindWhy = "\(counted(found.count, "record", "records")) of Apple's in \(counted(rows, "row", "rows"))"
        return true
    }

    static func isTotal(_ text: String) -> Bool {
        Names.all.totals.contains { text.lowercased().hasPrefix($0) }
            || text.wholeMatch(of: /共\d+.{0,2}|\(\d+ rows?\)/) != nil
    }

    private func has(_ standard: String) -> Bool {
        profiles.contains { Names.all.level(of: $0.title, as: standard) == 3 }
    }

    /// The kind that the columns and the file's name speak for.
    private mutating func tellKind() {
        let names = Names.all
        let titles = Set(profiles.map { Feed.plain($0.name) })
        if has("key"), has("outcome") { return settle(.acks, "it has key and outcome") }
        let last = (pattern.text.split(separator: "/").last.map(String.init) ?? "").lowercased()
        let isNamed = [FeedKind.orders, .credits, .receipts].contains { last.hasPrefix($0.rawValue) }
        if has("order_id"), !isNamed, titles.contains(where: { $0.hasPrefix("response") }) {
            return settle(.orderLookups, "it has an order id and Apple's response")
        }
        if titles.contains("vendoridentifier"), titles.contains(where: { $0.contains("partnershare") }) {
            return settle(.appleFinance, "it has Apple's columns Vendor Identifier and Partner Share")
        }
        if let why = applesTable(last) {
            (refusal, table, profiles) = (why, nil, [])
            return
        }
        let mayBeList = mayListProducts(last)
        // Of another kind by its name, and a list of no products: its rows have the same ones.
        let isOther = profiles.contains { names.level(of: $0.title, as: "product_id") > 0 && !$0.isUnique }
        if mayBeList, !(isNamed && isOther), has("name") || has("type") || has("amount") {
            return settle(.products, "it has product ids with names, types or prices, and no accounts")
        }
        if mayBeList, last.hasPrefix(FeedKind.products.rawValue) { return settle(.products, "by the file's name") }
        if let list = listOfRows {
            refusal = "its rows are in a list: export each as an object of its own, jq -c '.\(list)'"
            (self.table, profiles) = (nil, [])
            return
        }
        let clues: [(kind: FeedKind, clues: [(String, Int)])] = [
            (.orders, [("status", 2), ("amount", 1), ("currency", 1)]),
            (.credits, [("credit_id", 3), ("credited_at", 2), ("kind", 1), ("origin", 1)]),
            (.receipts, [("verify_status", 2), ("received_at", 2), ("verify_retryable", 1), ("device_id", 1)]),
        ]
        var scores = clues.map { kind, clues in
            var found = clues.filter { has($0.0) }.map { (word: $0.0, weight: $0.1) }
            if names.isFile(last, kind.rawValue) {
                found.append(("the file's name", last.hasPrefix(kind.rawValue) ? 4 : 2))
            }
            if kind == .receipts, profiles.contains(where: \.isReceipt) { found.append(("signed data", 4)) }
            if kind == .credits, person != nil { found.append(("who did it", 1)) }
            return (kind: kind, score: found.reduce(0) { $0 + $1.weight }, words: found.map(\.word))
        }
        scores.order { $0.score > $1.score }
        let best = scores[0]
        kind = best.kind
        kindWhy = best.words.isEmpty ? "nothing says what it is" : "by " + best.words.joined(separator: ", ")
        isKindSure = best.score >= 2 && best.score - scores[1].score >= 2
        if best.score < 2, let body = profiles.first(where: \.isAppleText) {
            kindWhy += "; \(body.name.json5) may have Apple's records: export this column alone, one record a line"
        } else if profiles.isEmpty {
            kindWhy +=
                ": a record over several lines belongs into a file named .json, and a line end between joined files (awk 1)"
        }
        if !isKindSure, scores[1].score > 0 {
            kindWhy += "; \(scores[1].kind.rawValue) by " + scores[1].words.joined(separator: ", ")
        }
        if kind == .receipts, !names.isFile(last, kind.rawValue), let signed = signedColumn {
            (isKindSure, kindWhy) = (false, kindWhy + "; or Apple's own records? Then export \(alone(signed))")
        }
    }

    /// Whether it may be a list of products, by the file's name and what the rows have and lack.
    private func mayListProducts(_ file: String) -> Bool {
        let hasProducts = profiles.contains { Names.all.level(of: $0.title, as: "product_id") > 0 }
        return (hasProducts || Names.all.isFile(file, FeedKind.products.rawValue)) && !has("account_id")
            && !has("order_id") && !profiles.contains { TimeShape($0) != nil || $0.isAppleID }
    }

    /// The list of a JSON value in which orders or accounts are named, if the value itself names none.
    private var listOfRows: String? {
        let known = ["order_id", "account_id"]
        guard let lists = table?.lists, !known.contains(where: has) else { return nil }
        let name = lists.first { name in known.contains { Names.all.level(of: name, as: $0) == 3 } }
        return name.map { String($0.reversed().drop { $0 != "]" }.reversed()) }
    }

    /// Why a table has Apple's records and cannot be read; nil if it is a feed.
    private func applesTable(_ name: String) -> String? {
        guard let table, !has("account_id"), !has("order_id"),
            !Names.all.files.keys.contains(where: { $0 != "reversals" && Names.all.isFile(name, $0) })
        else { return nil }
        if table.delimiter == nil {
            guard let record = signedColumn ?? decodedObject else { return nil }
            return "its rows have Apple's record in one member, and trust changes nothing: export \(alone(record))"
        }
        guard name.hasPrefix("apple-") || isDecoded || signedColumn != nil && profiles.count < 5 else { return nil }
        let what =
            (signedColumn ?? profiles.first(where: \.isAppleText)?.name).map(alone)
            ?? "what Apple signed, or each decoded record as JSON with Apple's names, one a line, into a file named .jsonl"
        return "Apple's records are read as JSON and not as a table: export \(what)"
    }

    /// The column with what Apple signed, but for the state of renewals.
    private var signedColumn: String? {
        profiles.first { $0.isMostly(Self.isSigned) && !$0.name.contains("enewal") }?.name
    }

    /// How to export a column, or a member of JSON, by itself.
    private func alone(_ name: String) -> String {
        (table?.delimiter == nil
            ? "\(name.json5) alone (jq -rc '.\(name) // empty')" : "the column \(name.json5) alone, one value a line")
            + ", into a file named .jsonl"
    }

    private static let decoded: Set = ["transactionid", "originaltransactionid", "productid", "purchasedate"]

    /// Whether the columns are those of a record that Apple signed, decoded, in any spelling.
    private var isDecoded: Bool { Set(profiles.map { Feed.plain($0.name) }).isSuperset(of: Self.decoded) }

    /// The member that holds such a record.
    private var decodedObject: String? {
        let paths = Dictionary(grouping: profiles.map { $0.name.split(separator: ".") }.filter { $0.count > 1 }) {
            $0.dropLast().joined(separator: ".")
        }
        return paths.first { Set($0.value.map { Feed.plain(String($0.last!)) }).isSuperset(of: Self.decoded) }?.key
    }

    private static func isSigned(_ text: String) -> Bool { text.hasPrefix("eyJ") && text.count { $0 == "." } == 2 }

    private mutating func settle(_ kind: FeedKind, _ why: String) { (self.kind, kindWhy) = (kind, why) }

    /// The column that names who gave goods by hand.
    var person: Profile? {
        profiles.first {
            Names.all.isOneOf(Names.all.operator, $0.title)
                && $0.counts.keys.contains { Names.all.word($0, of: "origin") != "auto" }
        }
    }
}
