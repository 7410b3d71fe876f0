/// A renewal whose goods the backend recorded by itself and in time, or which a night told as lacking them.
/// See docs/spec/rules.md#recorded-renewals.
public struct Renewal: Hashable, Codable, Sendable {
    public var product: Identifier
    public var purchasedAt: Instant
    /// False for ever once a night told of it: a person or a repair may have recorded its goods.
    public var isRecorded: Bool

    public init(product: Identifier, purchasedAt: Instant, isRecorded: Bool) {
        self.product = product
        self.purchasedAt = purchasedAt
        self.isRecorded = isRecorded
    }
}

extension Renewal: Comparable {
    /// In the order of purchase; of the same time, first those that lack their goods.
    public static func < (left: Renewal, right: Renewal) -> Bool {
        (left.purchasedAt, left.isRecorded ? 1 : 0) < (right.purchasedAt, right.isRecorded ? 1 : 0)
    }
}

/// Renewals by transaction id: of each product a sample. The order in which they are added does not matter, and what is
/// added twice counts once.
extension [Identifier: Renewal] {
    /// The size of a product's sample: those whose ids have the smallest hashes, and besides the latest ones.
    private static var sampleMax: Int { 200 }
    /// How many of a product are the latest ones, and how many of these may lack their goods.
    private static var latest: (count: Int, lackingMax: Int) { (10, 2) }
    /// Fewer recorded renewals show nothing, and so do those of which one in ten lacks its goods.
    private static var recordedMin: Int { 10 }

    public mutating func add(_ renewal: Renewal, of id: Identifier) {
        guard let known = self[id] else {
            self[id] = renewal
            if count.isMultiple(of: 5 * Self.sampleMax) { sample() }
            return
        }
        self[id] = Renewal(
            product: renewal.product, purchasedAt: renewal.purchasedAt,
            isRecorded: renewal.isRecorded && known.isRecorded)
    }

    public mutating func add(_ others: Self) {
        for (id, renewal) in others { add(renewal, of: id) }
    }

    /// Drops what is not of the products' samples.
    public mutating func sample() {
        if count <= Self.sampleMax { return }
        let products = Dictionary<Identifier, [Element]>(grouping: self, by: \.value.product)
        var reader = IdentifierReader()
        for (_, all) in products where all.count > Self.sampleMax {
            let ordered = all.map { (reader.textHash(of: $0.key), $0.key) }.ordered { $0 < $1 }
            let latest = Set(
                all.ordered { ($0.value, $0.key) < ($1.value, $1.key) }.suffix(Self.latest.count).map(\.key))
            for (_, id) in ordered[Self.sampleMax...] where !latest.contains(id) { self[id] = nil }
        }
    }

    /// The products whose renewals the backend records, each with the time of the purchase since which it does. In the order
    /// of purchase, the count begins at a recorded renewal, and anew once more lack their goods than are recorded. Where the
    /// latest ones lack their goods, the backend may have stopped recording them.
    public var recordedSince: [Identifier: Instant] {
        Dictionary<Identifier, [Renewal]>(grouping: values, by: \.product).compactMapValues { renewals in
            let ordered = renewals.ordered { $0 < $1 }
            var (begin, recorded, lost) = (Instant?.none, 0, 0)
            for renewal in ordered {
                if renewal.isRecorded {
                    begin = begin ?? renewal.purchasedAt
                    recorded += 1
                } else if begin != nil {
                    lost += 1
                    if lost > recorded { (begin, recorded, lost) = (nil, 0, 0) }
                }
            }
            let lacking = ordered.suffix(Self.latest.count).count { !$0.isRecorded }
            let isUsual = recorded >= Self.recordedMin && recorded > 9 * lost && lacking <= Self.latest.lackingMax
            return isUsual ? begin : nil
        }
    }
}
