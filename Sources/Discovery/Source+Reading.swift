internal import AppStore

extension Source {
    private static let rowsMax = 10_000
    /// How many files of a table are read, and how many with Apple's records, which may be one a file.
    private static let filesMax = (tables: 3, records: 300)

    /// Reads the samples, and finds out which kind of feed it is.
    mutating func read() throws(IntakeError) {
        guard let latest = pattern.files.last else { return }
        let (table, reason) = try TableSample.read(latest, rows: Self.rowsMax)
        guard var table else {
            refusal = reason
            return
        }
        let newest = table.rows
        profiles = table.columns.map { Profile($0) }
        let isBackends = ["order_id", "account_id"].allSatisfy { has($0) }
        if table.delimiter == nil && !isBackends || table.isSigned, try readRecords() { return }
        for path in pattern.files.dropLast().suffix(Self.filesMax.tables - 1) {
            if let more = try TableSample.read(path, rows: Self.rowsMax).table { table.append(more) }
        }
        if table.footer == nil, let first = table.columns.first?.values.last.flatMap({ $0 }), Self.isTotal(first) {
            table.takeFooter()
        }
        self.table = table
        newestRows = newest
        profiles = table.columns.map { Profile($0) }
        tellKind()
    }

    /// Whether the files hold Apple's records. Then they are read.
    private mutating func readRecords() throws(IntakeError) -> Bool {
        let appStore = AppStoreSettings(
            bundles: [], environment: .production, now: Instant(milliseconds: 7_289_000_000_000))
        let settings = IntakeSettings(appStore: appStore, blockBytes: 16 << 20)
        var feed = Feed(kind: .transactions, path: pattern.text, name: pattern.text)
        var (rows, rejected, signed) = (0, 0, 0)
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
                    found += contents.evidence.transactions
                }
            }
        }
        guard !found.isEmpty, rejected * 10 <= rows else { return false }
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
        profiles.contains { Names.all.level(of: $0.name, as: standard) == 3 }
    }

    /// The kind that the columns and the file's name speak for.
    private mutating func tellKind() {
        let names = Names.all
        let titles = Set(profiles.map { Feed.plain($0.name) })
        if has("key"), has("outcome") { return settle(.acks, "it has key and outcome") }
        if has("order_id"), titles.contains(where: { $0.hasPrefix("response") }) {
            return settle(.orderLookups, "it has an order id and Apple's response")
        }
        if titles.contains("vendoridentifier"), titles.contains(where: { $0.contains("partnershare") }) {
            return settle(.appleFinance, "it has Apple's columns Vendor Identifier and Partner Share")
        }
        let last = (pattern.text.split(separator: "/").last.map(String.init) ?? "").lowercased()
        let hasProducts = profiles.contains { names.level(of: $0.name, as: "product_id") > 0 }
        let mayBeList =
            (hasProducts || names.isFile(last, FeedKind.products.rawValue)) && !has("account_id") && !has("order_id")
            && !profiles.contains { TimeShape($0) != nil || $0.isAppleID }
        if mayBeList, has("name") || has("type") || has("amount") {
            return settle(.products, "it has product ids with names, types or prices, and no accounts")
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
    }

    private mutating func settle(_ kind: FeedKind, _ why: String) { (self.kind, kindWhy) = (kind, why) }

    /// The column that names who gave goods by hand.
    var person: Profile? {
        profiles.first {
            Names.all.isOneOf(Names.all.operator, $0.name)
                && $0.counts.keys.contains { Names.all.word($0, of: "origin") != "auto" }
        }
    }
}
