/// The files that one feed will deliver, and what is known about them.
struct Source {
    let pattern: PathPattern
    var kind = FeedKind.orders
    var kindWhy = ""
    var isKindSure = true
    /// The first rows. Nil for Apple's records and for files without a table.
    var table: TableSample?
    var profiles: [Profile] = []
    /// Of a feed of transactions, what was read of it.
    var transactions: [Transaction] = []
    /// How many rows the newest file has; they come first.
    var newestRows = 0
    /// Whether rows or files were left unread.
    var isPart = false
    /// How many of them Apple did not sign.
    var unsigned = 0
    /// Why the files cannot be used; empty if they can.
    var refusal = ""
    /// By standard name of the column.
    var choices: [String: Choice] = [:]
    /// What the feed says beside its columns, in the order of the file.
    var settings: [Setting] = []
    /// Which rows `where` keeps: those that have one of the words in the column.
    var kept: (column: String, words: [String])?
    /// Apple's record of the purchase that each row is about, where it is known.
    var purchases: [Transaction?] = []
    /// What a person should know and nothing in the feed says.
    var remarks: [String] = []

    init(_ pattern: PathPattern) { self.pattern = pattern }

    /// The column of the file for a standard column, also where a person must confirm it.
    func profile(_ standard: String) -> Profile? {
        choices[standard]?.column.flatMap { name in profiles.first { $0.name == name } }
    }

    /// The columns that no standard column takes.
    var free: [Profile] {
        let taken = choices.values.compactMap(\.column)
        return profiles.filter { !taken.contains($0.name) && !$0.present.isEmpty && !$0.name.isEmpty }
    }

    /// The number of rows that may be evidence.
    var rows: Int { profiles.first?.values.count ?? 0 }

    /// The value of a row in a standard column.
    func value(_ standard: String, _ row: Int) -> String? { profile(standard)?.values[row] }

    /// Whether `where` and `whereNot` keep a row.
    func keeps(_ row: Int) -> Bool {
        guard let kept, let column = profiles.first(where: { $0.name == kept.column }) else { return true }
        return kept.words.contains(column.values[row] ?? "")
    }

    /// The standard word for one of the file's.
    func standard(of own: String, _ standard: String) -> String {
        choices[standard]?.words.first { $0.own == own }?.standard ?? own
    }

    /// Of a product list: each product with its type.
    var products: [Product] {
        (0..<rows).compactMap { row in
            guard let id = value("product_id", row), let type = value("type", row) else { return nil }
            var product = Product(id: Identifier(id))
            product.type = ProductType.allCases.first { $0.name == standard(of: type, "type") }
            return product
        }
    }
}

/// Where a standard column comes from, and why.
struct Choice {
    /// The column of the file. Where a person must decide, a proposal.
    var column: String?
    /// The value of every row, instead of one from the file.
    var value: String?
    /// The shop's words, with the standard words where they are known, and what is known of each.
    var words: [(own: String, standard: String?, why: String)] = []
    /// Whether the ids need a prefix, and why.
    var prefixWhy: String?
    /// Whether the evidence is sufficient. If not, a person must confirm the choice.
    var isSure = true
    var why: String
}

/// A key of a feed with its value as the configuration writes it.
struct Setting {
    var key: String
    var value: String
    var why: String
}

extension Source {
    mutating func set(_ key: String, _ value: String, why: String) {
        settings.append(Setting(key: key, value: value, why: why))
    }

    /// Sets a text that a person must confirm, or decide, unless it is sure.
    mutating func set(_ key: String, _ text: String?, isSure: Bool, why: String) {
        set(key, isSure ? text!.json5 : text.open, why: why)
    }
}

extension String {
    /// As JSON5 writes it.
    var json5: String { JSON.text(self).line }
}

extension String? {
    /// A text of the configuration that a person must confirm or replace.
    var open: String { (map { Feed.undecided + " " + $0 } ?? Feed.undecided).json5 }
}

/// What the samples of all sources say together.
struct Knowledge {
    /// Apple's records by transaction id.
    var bought: [String: Transaction] = [:]
    /// The shop's product ids with their prices.
    var products: [String: Money] = [:]
    var tokens: Set<String> = []
    /// The transactions with a token, and those with a token for a product: `TOKEN PRODUCT`.
    var payments: [String: Set<String>] = [:]
    var appleProducts: Set<String> = []
    /// What one piece of a product cost, by Apple's records.
    var prices: [String: Set<Money>] = [:]
    /// The orders of each source of orders, by id.
    var orders: [(source: Int, rows: [String: (account: String?, transaction: String?)])] = []
    /// The accounts of the orders by the transactions that they name.
    var payers: [String: String] = [:]
    /// The orders that `where` of their source leaves out, such as those of other channels.
    var ordersLeftOut: Set<String> = []
    /// The time zone of this machine, if it says one.
    var machineZone: Zone?

    mutating func add(_ transactions: [Transaction]) {
        for transaction in transactions {
            bought[transaction.id.text] = transaction
            appleProducts.insert(transaction.product.text)
            if let price = transaction.price?.money, transaction.quantity == 1 {
                prices[transaction.product.text, default: []].insert(price)
            }
            guard let token = transaction.token?.text.lowercased() else { continue }
            tokens.insert(token)
            for key in [token, token + " " + transaction.product.text] {
                payments[key, default: []].insert(transaction.id.text)
            }
        }
    }
}
