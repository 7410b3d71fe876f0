/// A renewal. Either the backend recorded its goods by itself and in time, or a night reported that it lacks them.
/// See docs/spec/rules.md#recorded-renewals.
public struct Renewal: Hashable, Codable, Sendable {
    public var product: Identifier
    public var purchasedAt: Instant
    /// Once a night has reported it, it stays false: a person or a repair may have recorded the goods later.
    public var isRecorded: Bool

    public init(product: Identifier, purchasedAt: Instant, isRecorded: Bool) {
        (self.product, self.purchasedAt, self.isRecorded) = (product, purchasedAt, isRecorded)
    }
}

extension Renewal: Comparable {
    /// In the order of purchase. Of renewals bought at the same time, those that lack their goods come first.
    public static func < (left: Renewal, right: Renewal) -> Bool {
        (left.purchasedAt, left.isRecorded ? 1 : 0) < (right.purchasedAt, right.isRecorded ? 1 : 0)
    }
}

/// A sample of each product's renewals, by transaction id. The order of the additions does not matter. A renewal that is
/// added twice counts once.
extension [Identifier: Renewal] {
    /// The size of a product's sample: the renewals whose ids have the smallest hashes. The latest ones are kept as well.
    private static var sampleMax: Int { 200 }
    /// How many renewals count as the latest ones, and how many of them may lack their goods.
    private static var latest: (count: Int, lackingMax: Int) { (10, 2) }
    /// Fewer recorded renewals show nothing.
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

    /// Drops the renewals that belong to no sample.
    public mutating func sample() {
        if count <= Self.sampleMax { return }
        let products = Dictionary<Identifier, [Element]>(grouping: self, by: \.value.product)
        var reader = IdentifierReader()
        for (_, all) in products where all.count > Self.sampleMax {
            let ordered = all.map { (reader.textHash(of: $0.key), $0.key) }.ordered { $0 < $1 }
            let latest = Set(
                all.ordered { ($0.value.purchasedAt, $0.key) < ($1.value.purchasedAt, $1.key) }.suffix(
                    Self.latest.count
                ).map(\.key))
            for (_, id) in ordered[Self.sampleMax...] where !latest.contains(id) { self[id] = nil }
        }
    }

    /// The products whose renewals the backend records, each with the purchase time of the first one that counts. Renewals
    /// are counted in the order of purchase, from a recorded one on. When those that lack their goods outnumber the recorded
    /// ones, the count starts over. If the latest ones lack their goods, the backend may have stopped recording renewals.
    public var recordedSince: [Identifier: Instant] { byProduct.compactMapValues(Self.recordedSince) }

    /// The products of whose latest renewals more lack their goods than losses explain: the backend may not record them.
    public var lackingLately: Set<Identifier> {
        Set(byProduct.filter { Self.lacking($0.value) > Self.latest.lackingMax }.keys)
    }

    /// Each product's renewals, in the order of purchase.
    private var byProduct: [Identifier: [Renewal]] {
        Dictionary<Identifier, [Renewal]>(grouping: values, by: \.product).mapValues { $0.ordered { $0 < $1 } }
    }

    /// How many of the latest ones lack their goods.
    private static func lacking(_ ordered: [Renewal]) -> Int {
        ordered.suffix(latest.count).count { !$0.isRecorded }
    }

    private static func recordedSince(_ ordered: [Renewal]) -> Instant? {
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
        let isUsual = recorded >= recordedMin && recorded > 9 * lost && lacking(ordered) <= latest.lackingMax
        return isUsual ? begin : nil
    }
}

extension [Identifier: Instant] {
    /// Whether the backend records the goods of a renewal of then. `self` is `recordedSince`.
    public func covers(_ product: Identifier, at purchasedAt: Instant?) -> Bool {
        guard let since = self[product], let purchasedAt else { return false }
        return since <= purchasedAt
    }
}
