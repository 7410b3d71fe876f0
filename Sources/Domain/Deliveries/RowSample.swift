/// What the first rows of a file show. It decides no verdict.
public struct RowSample: Hashable, Sendable, Codable {
    /// The columns of which at least nine in ten rows have a value, sorted.
    public private(set) var filled: [String] = []
    /// The columns of which no row has a value, sorted.
    public private(set) var empty: [String] = []
    /// What Apple's records usually say that a piece of a product costs, for each currency.
    public private(set) var prices: [ProductPrice] = []

    public struct ProductPrice: Hashable, Sendable, Codable {
        public var product: Identifier
        public var price: Money
    }

    /// How many rows are looked at, and how many there must be.
    private static let (rowsMost, rowsMin) = (1000, 10)

    public init() {}

    public init(of evidence: Evidence, _ kind: FeedKind) {
        switch kind {
        case .orders: count(evidence.orders)
        case .credits: count(evidence.credits)
        case .receipts: count(evidence.receipts)
        case .transactions:
            count(evidence.transactions)
            price(evidence.transactions.prefix(Self.rowsMost))
        default: break
        }
    }

    private mutating func count(_ rows: [some DescribedEvidence]) {
        let first = rows.prefix(Self.rowsMost)
        guard first.count >= Self.rowsMin else { return }
        var fields = FilledFields()
        for var row in first {
            fields.next = 0
            row.listFields(in: &fields)
        }
        filled = fields.counts.filter { $0.rows * 10 >= first.count * 9 }.map(\.name.description).sorted()
        empty = fields.counts.filter { $0.rows == 0 }.map(\.name.description).sorted()
    }

    /// The lower median of each product's prices in a currency. Subscriptions have offers.
    private mutating func price(_ rows: ArraySlice<Transaction>) {
        let priced = rows.filter {
            $0.proof >= .vouched && $0.quantity == 1 && $0.expiresAt == nil && $0.price?.thousandths ?? 0 > 0
        }
        prices = Dictionary(grouping: priced, by: \.product).ordered().flatMap { product, rows in
            Dictionary(grouping: rows.map(\.price!), by: \.currency).ordered().map { currency, prices in
                let ordered = prices.map(\.thousandths).sorted()
                let usual = Price(thousandths: ordered[(ordered.count - 1) / 2], currency: currency)
                return ProductPrice(product: product, price: usual.money)
            }
        }
    }

    /// The sample without the columns that the feed is not to read among the empty ones.
    public func without(empty unread: Set<String>) -> RowSample {
        var sample = self
        sample.empty.removeAll(where: unread.contains)
        return sample
    }

    /// The sample of both files.
    public func joined(with other: RowSample) -> RowSample {
        var sample = hasColumns ? self : other
        if hasColumns, other.hasColumns {
            sample.filled.removeAll { !other.filled.contains($0) }
            sample.empty.removeAll { !other.empty.contains($0) }
        }
        sample.prices = prices + other.prices
        return sample
    }

    /// There were enough rows to look at.
    public var hasColumns: Bool { !filled.isEmpty || !empty.isEmpty }
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
        note(name, value != nil)
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
