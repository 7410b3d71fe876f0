/// The first rows of a file in words, and what is suspicious about them. `reconcile check` shows it.
public struct FeedSample {
    /// The first row as it was understood; nil if no row was understood.
    public private(set) var first: String?
    /// What may be wrong, each in a sentence or two.
    public private(set) var doubts: [String] = []
    private let zone: Zone
    private let feed: Feed
    /// The instants of the rows, with their columns.
    private var instants: [(column: String, instant: Instant)] = []
    private var transactionIDs: Set<Identifier> = []
    /// When each transaction that the rows name was ordered, credited or bought.
    public private(set) var times: [Identifier: Instant] = [:]

    /// Whose purchase each order and each credit of the rows is.
    public private(set) var owners: [Identifier: String] = [:]

    /// The hashes of the ids of orders that the feed leaves out, and the credits that name an order and no transaction.
    public let ordersLeftOut: [UInt64]
    public let creditsOfOrders: [Credit]

    /// The accounts of orders.
    private let accounts: Set<String>

    public var namesTransactions: Bool { !transactionIDs.isEmpty }

    /// - Parameter zone: in which instants are shown.
    public init(_ contents: FileContents, feed: Feed, zone: Zone) {
        self.zone = zone
        self.feed = feed
        let evidence = contents.evidence
        ordersLeftOut = contents.ordersLeftOut
        accounts = Set(evidence.orders.map(\.account.text))
        creditsOfOrders = evidence.credits.filter { $0.order != nil && $0.transaction == nil }
        let rows =
            switch feed.kind {
            case .orders: evidence.orders.map { words(of: $0) }
            case .credits: evidence.credits.map { words(of: $0) }
            case .receipts: evidence.receipts.map { words(of: $0) }
            case .transactions, .orderLookups: evidence.transactions.map { words(of: $0) }
            case .products: evidence.products.map { words(of: $0) }
            case .acks: evidence.acknowledgements.map { words(of: $0) }
            case .appleFinance: [String]()
            }
        first = rows.first
        for order in evidence.orders { if let id = order.transaction { times[id] = order.createdAt } }
        for credit in evidence.credits { if let id = credit.transaction { times[id] = credit.creditedAt } }
        for transaction in evidence.transactions {
            times[transaction.id] = transaction.purchasedAt
            if let token = transaction.token { times[Identifier(token.text)] = transaction.purchasedAt }
        }
        for order in evidence.orders where transactionIDs.isEmpty {
            if let token = order.token { times[Identifier(token.text)] = order.createdAt }
        }
        var shared = 0
        func own(_ id: Identifier, _ owner: String) {
            if let other = owners.updateValue(owner, forKey: id), other != owner { shared += 1 }
        }
        for order in evidence.orders { own(order.id, order.account.text) }
        for credit in evidence.credits {
            let parts = [credit.account, credit.order, credit.transaction].map { $0?.text ?? "" }
            own(credit.id, parts.joined(separator: " "))
        }
        if shared > 0 {
            doubts.append(
                "\(shared) of \(counted(contents.totals.rows, "row", "rows")) \(shared == 1 ? "has" : "have") the id of another purchase, and only one of those counts. Each record needs an id of its own."
            )
        }
        doubtAmounts(contents)
        doubtLabels(contents)
        doubtInstants(written: Instant(milliseconds: contents.stamp.modified / 1_000_000))
        doubtIdentifiers()
        doubtTransactions(evidence.transactions)
    }

    private mutating func words(of order: Order) -> String {
        joined(
            [
                ("order_id", order.id.text), ("account_id", order.account.text), ("product_id", order.product.text),
                ("quantity", String(order.quantity)), ("amount", order.amount?.description),
                ("status", order.status.rawValue),
                ("transaction_id", seen(order.transaction)), ("app_account_token", order.token?.text),
                ("created_at", text(order.createdAt, "created_at")),
                ("updated_at", order.updatedAt.map { text($0, "updated_at") }), ("bundle_id", order.bundle?.text),
            ] + fields(of: order.labels))
    }

    private mutating func words(of credit: Credit) -> String {
        joined(
            [
                ("credit_id", credit.id.text), ("order_id", credit.order?.text),
                ("transaction_id", seen(credit.transaction)), ("account_id", credit.account.text),
                ("product_id", credit.product?.text), ("quantity", credit.quantity.map { String($0) }),
                ("kind", credit.kind.rawValue), ("origin", credit.origin.rawValue),
                ("credited_at", text(credit.creditedAt, "credited_at")),
            ] + fields(of: credit.labels))
    }

    /// Neither the receipt's data nor the device id is shown.
    private mutating func words(of receipt: Receipt) -> String {
        joined(
            [
                ("received_at", text(receipt.receivedAt, "received_at")), ("account_id", receipt.account.text),
                ("receipt_id", receipt.givenID?.text), ("order_id", receipt.order?.text),
                ("transaction_id", seen(receipt.transaction)), ("product_id", receipt.product?.text),
                ("receipt_data", receipt.proof == .unchecked ? nil : "\(receipt.proof)"),
                ("verify_status", receipt.verifyStatus.map { String($0) }),
                ("verify_retryable", receipt.isRetryable.map { String($0) }),
            ] + fields(of: receipt.labels))
    }

    private mutating func words(of transaction: Transaction) -> String {
        joined(
            [
                ("transaction_id", seen(transaction.id)), ("product_id", transaction.product.text),
                ("quantity", String(transaction.quantity)), ("price", transaction.price?.money.description),
                ("purchased_at", text(transaction.purchasedAt, "purchased_at")),
                ("bundle_id", transaction.bundle?.text),
                ("environment", transaction.environment.name), ("proof", "\(transaction.proof)"),
            ] + fields(of: transaction.labels))
    }

    private func words(of product: Product) -> String {
        joined([
            ("product_id", product.id.text), ("type", product.type?.name), ("name", product.name),
            ("amount", product.price?.description), ("valid_from", product.validFrom?.text),
            ("valid_to", product.validTo?.text),
        ])
    }

    private mutating func words(of answer: Acknowledgement) -> String {
        joined([("key", answer.key), ("outcome", answer.outcome.rawValue), ("at", text(answer.at, "at"))])
    }

    private func fields(of labels: LabelSet) -> [(name: String, value: String?)] {
        labels.values.map { ("label_" + $0.name, $0.text.text) }
    }

    private func joined(_ fields: [(name: String, value: String?)]) -> String {
        fields.compactMap { field in field.value.map { field.name + "=" + $0 } }.joined(separator: " ")
    }

    /// The transaction id's text. Remembers the id.
    private mutating func seen(_ id: Identifier?) -> String? {
        if let id { transactionIDs.insert(id) }
        return id?.text
    }

    /// The local time with its offset: `2026-11-19T01:03+08:00`. Remembers the instant.
    private mutating func text(_ instant: Instant, _ column: String) -> String {
        instants.append((column, instant))
        let offset = zone.offset(at: instant)
        let local = Instant(milliseconds: instant.milliseconds + offset).text.dropLast()
        let minutes = Int(offset.magnitude / 60_000)
        let clock = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ":")
        let short = local.hasSuffix(":00") ? local.dropLast(3) : local
        return short + (offset < 0 ? "-" : "+") + clock
    }
}

extension FeedSample {
    /// Whether two feeds of orders share no account, and the ids of one look different from those of the other: figures alone and
    /// letters, or of other lengths. Nil if so few rows do not show it; else two examples.
    public func otherAccounts(than other: FeedSample) -> [String]? {
        let forms = [self, other].map { Set($0.accounts.map { $0.allSatisfy(\.isNumber) ? 0 : $0.utf8.count }) }
        let isKnown = min(accounts.count, other.accounts.count) > 4
        return isKnown && forms[0].isDisjoint(with: forms[1]) ? [accounts, other.accounts].map { $0.min()! } : nil
    }
}

/// What may be wrong although every row could be read.
extension FeedSample {
    private mutating func doubtAmounts(_ contents: FileContents) {
        guard contents.amountsWithoutCurrency > 0 else { return }
        doubts.append(
            "\(counted(contents.amountsWithoutCurrency, "amount has no currency and is", "amounts have no currency and are")) never compared. Export the currency, "
                + "or write columns: { currency: { value: \"CNY\" } }.")
    }

    private mutating func doubtLabels(_ contents: FileContents) {
        for name in contents.emptyLabels where contents.totals.rows > 0 {
            let column = feed.labels[name]?.name ?? name
            doubts.append("No row has a value of the label \(name). Is \(column) the name of its column?")
        }
    }

    private mutating func doubtInstants(written: Instant) {
        let late = instants.filter { $0.instant > written + clockSkewTolerance }
        if let latest = late.max(by: { $0.instant < $1.instant }) {
            doubts.append(
                "\(late.count) of \(counted(instants.count, "time", "times")) \(late.count == 1 ? "is" : "are") later than the file was written, \(latest.column) by up to "
                    + "\(Self.hours(latest.instant, after: written)). Is the feed's timeZone, \(feed.zone.name), right?"
            )
        }
        if let early = instants.first(where: { $0.instant < .appStoreOpening }) {
            let isDays = early.instant.milliseconds < 100_000_000
            doubts.append(
                "\(early.column) is \(early.instant), before the App Store opened. Is it a number of "
                    + (isDays ? "days, as Excel has it?" : "seconds since 2001, as Swift writes it?")
                    + " Export date and time as text.")
        }
    }

    private static func hours(_ instant: Instant, after other: Instant) -> String {
        let minutes = (instant.milliseconds - other.milliseconds) / 60_000
        return minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h"
    }

    /// Excel keeps 15 digits of a number.
    private mutating func doubtIdentifiers() {
        let long = transactionIDs.map(\.text).filter { $0.utf8.count > 15 }
        guard long.count > 4, long.allSatisfy({ $0.hasSuffix("0") }) else { return }
        doubts.append(
            long.allSatisfy { $0.hasSuffix(".0") }
                ? "All transaction ids end with .0: they were written as numbers with a point. Export them as text."
                : "All transaction ids end with 0. Did Excel round them? Export them without Excel.")
    }

    private mutating func doubtTransactions(_ transactions: [Transaction]) {
        let foreign = transactions.filter { $0.failure == .wrongBundle }
        if let bundle = foreign.first?.bundle {
            doubts.append(
                "\(foreign.count) of \(counted(transactions.count, "transaction", "transactions")) \(foreign.count == 1 ? "is" : "are") of \(bundle.text), which app.bundleIDs does not "
                    + "list.")
        }
        let untrusted = transactions.count { $0.failure == .untrustedChain }
        if untrusted > 0 {
            doubts.append(
                "The signatures of \(untrusted) of \(counted(transactions.count, "transaction", "transactions")) do not lead to a trusted root. For a "
                    + "test environment, name its root in trustedRoots.")
        }
    }
}

/// What `init` and `check` say of renewals that no row names. Nil if they are few, or most are named.
public func unnamedRenewals<ID: Hashable>(_ renewals: Set<ID>, named: Set<ID>) -> String? {
    let count = renewals.subtracting(named).count
    guard renewals.count >= 5, count * 2 > renewals.count else { return nil }
    return
        "\(count) of \(renewals.count) renewals are named by no order and no credit: if the backend only moves the expiry, "
        + "each would look lost, and the night withholds its goods. Export a credit row for each period (first-night.md, Files)"
}
