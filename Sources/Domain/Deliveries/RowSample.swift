/// What the header and the first rows of a file show. It decides no verdict.
public struct RowSample: Hashable, Sendable, Codable {
    /// The columns of the feed that the header names, sorted; nil for a file without one.
    public private(set) var named: [String]?
    /// How many rows were looked at.
    public private(set) var rows = 0
    /// How many of them have a value, for each column that a row may lack.
    public private(set) var filled: [String: Int] = [:]
    /// The columns that the feed is not to read, sorted.
    public private(set) var unread: [String] = []
    /// What Apple's records usually say that a piece of a product costs, for each currency.
    public private(set) var prices: [ProductPrice] = []

    public struct ProductPrice: Hashable, Sendable, Codable {
        public var product: Identifier
        public var price: Money
    }

    /// How many rows are looked at.
    public static let rowsMost = 1000
    /// Apple's name of a refund's time. Few rows have one, so all of a file's are looked at.
    private static let revoked = "revocationDate"

    public init() {}

    /// - Parameters:
    ///   - named: the columns of the header.
    ///   - filled: how many of the first rows have a value in columns that leave no trace in the evidence.
    ///   - offers: the ids of transactions whose price is that of an offer.
    ///   - start: of the file's date.
    public init(
        of evidence: Evidence, _ kind: FeedKind, named: Set<String>? = nil, filled: [String: Int] = [:],
        offers: Set<Identifier> = [], since start: Instant
    ) {
        self.named = named?.sorted()
        switch kind {
        case .orders:
            let orders = Self.newest(evidence.orders, since: start)
            count(orders)
            doubtTokens(of: orders)
        case .credits: count(evidence.credits)
        case .receipts:
            count(evidence.receipts)
            keepUsual()
        case .transactions:
            count(evidence.transactions)
            keepUsual()
            price(evidence.transactions.prefix(Self.rowsMost).filter { !offers.contains($0.id) })
            let vouched = evidence.transactions.lazy.filter { $0.proof == .vouched }
            // What Apple signed cannot be lost.
            if !vouched.isEmpty { self.filled[Self.revoked] = vouched.contains { $0.revocation != nil } ? 1 : 0 }
        default: break
        }
        self.filled.merge(filled) { $1 }
    }

    /// The first orders of the file's date, or, without any, the first of all: an export may repeat those of many days, which
    /// keep the values that new ones have lost.
    public static func newest(_ all: [Order], since start: Instant) -> ArraySlice<Order> {
        let newest = all.lazy.filter { $0.createdAt >= start }.prefix(rowsMost)
        return newest.isEmpty ? all.prefix(rowsMost) : ArraySlice(newest)
    }

    private mutating func count(_ all: some Collection<some DescribedEvidence>) {
        let first = all.prefix(Self.rowsMost)
        var fields = FilledFields()
        for var row in first {
            fields.next = 0
            row.listFields(in: &fields)
        }
        rows = first.count
        for (name, count) in fields.counts { filled[name.description] = count }
        for name in Self.derived { filled[name] = nil }
    }

    /// Fields that no column of the feed has, and fields that few of Apple's records have.
    private static let derived = [
        "proof", "failure", "further_transaction_ids", "revoked_at", "revocation_type", "revocation_reason",
        "revocation_percentage", "transaction_reason",
    ]

    /// Counts a token that the orders of several accounts share as missing: it identifies no account. A few others beside it do
    /// not make it right.
    private mutating func doubtTokens(of orders: ArraySlice<Order>) {
        let named = orders.filter { $0.token != nil }
        let shared = Dictionary(grouping: named, by: \.token).values.filter {
            let accounts = Set($0.map(\.account)).count
            return $0.count >= Self.sharedMin && accounts * 2 >= Self.sharedMin
                || accounts >= Self.accountsMin && $0.count == named.count
        }
        guard let most = shared.map(\.count).max() else { return }
        filled["app_account_token"] = most * 10 >= named.count * 9 ? 0 : named.count - most
    }

    /// With this many orders, of at least half as many accounts, one shared token is not a coincidence.
    private static let sharedMin = 10
    /// With this many accounts, it is not a coincidence either that all have the same token.
    private static let accountsMin = 3

    /// Drops the columns that some rows have and most do not: it depends on what is sold, and on what clients report.
    private mutating func keepUsual() { filled = filled.filter { $1 == 0 || $1 * 2 >= rows } }

    /// The lower median of each product's prices in a currency. What the records themselves call a subscription has offers.
    private mutating func price(_ rows: [Transaction]) {
        let priced = rows.filter {
            $0.proof >= .vouched && $0.quantity == 1 && $0.price?.thousandths ?? 0 > 0
                && ProductList().type(of: $0) != .autoRenewable
        }
        prices = Dictionary(grouping: priced, by: \.product).ordered().flatMap { product, rows in
            Dictionary(grouping: rows.map(\.price!), by: \.currency).ordered().map { currency, prices in
                let ordered = prices.map(\.thousandths).sorted()
                let usual = Price(thousandths: ordered[(ordered.count - 1) / 2], currency: currency)
                return ProductPrice(product: product, price: usual.money)
            }
        }
    }

    /// The sample of a feed that is not to read these columns.
    public func without(_ unread: Set<String>) -> RowSample {
        var sample = self
        sample.unread = unread.sorted()
        return sample
    }

    /// The sample of both files.
    public func joined(with other: RowSample) -> RowSample {
        var sample = self
        sample.named = named.flatMap { own in other.named.map { Set(own).union($0).sorted() } }
        sample.rows += other.rows
        sample.filled.merge(other.filled, uniquingKeysWith: +)
        sample.prices += other.prices
        return sample
    }
}

/// Counts the rows that have a value, for each field that a row may lack, in the order of the fields.
private struct FilledFields: EvidenceFields {
    var counts: [(name: StaticString, rows: Int)] = []
    /// The place of the next field.
    var next = 0

    private mutating func note(_ name: StaticString, _ isFilled: Bool) {
        if next == counts.count { counts.append((name, 0)) }
        if isFilled { counts[next].rows += 1 }
        next += 1
    }

    mutating func id(_ name: StaticString, _ value: inout Identifier?, as _: IdentifierUse, isRequired _: Bool) {
        note(name, value != nil)
    }
    mutating func token(_ name: StaticString, _ value: inout Token?, isOfPurchase _: Bool) { note(name, value != nil) }
    mutating func instant(_ name: StaticString, _ value: inout Instant?, isRequired _: Bool) {
        note(name, value != nil)
    }
    mutating func number<Value: FixedWidthInteger>(
        _ name: StaticString, _ value: inout Value?, in _: ClosedRange<Int64>, isRequired _: Bool
    ) { note(name, value != nil) }
    mutating func amount(_ name: StaticString, _ value: inout Int64?, in _: inout Currency?) {
        // Evidence does not show which of two columns is empty. The reader counts those of orders.
        if name.description == "price" { note("price (or its currency)", value != nil) }
    }
    mutating func code<Value>(_ name: StaticString, _ value: inout Value?, isRequired _: Bool) {
        note(name, value != nil)
    }
    mutating func flag(_ name: StaticString, _ value: inout Bool?, isRequired _: Bool) { note(name, value != nil) }
    mutating func source(_: inout Provenance) {}
    mutating func labels(_: inout LabelSet) {}
    mutating func word<Value>(_: StaticString, _: inout Value, of _: CaseWords<Value>) {}
    mutating func digest(_: StaticString, _: inout Digest256) {}
}
