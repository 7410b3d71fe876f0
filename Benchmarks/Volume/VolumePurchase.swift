import Demo
import Domain

/// The purchases of one generated night.
struct VolumeShop: Sendable {
    var purchases: Int
    var seed: Int
    /// Without any problem that stays open.
    var isProblemFree: Bool
    /// Whether the backend marks an order as credited once it has given the goods.
    var marksCredited: Bool
    /// Whether orders have the four columns of `VolumePurchase.labels`.
    var hasLabels: Bool

    /// The first purchase is at 2025-10-10T00:00:00Z or soon after, the last before the end of the thirtieth day.
    static let start: Int64 = 1_760_054_400_000
    static let span: Int64 = 30 * 86_400_000

    /// The first number of this seed's identifiers. Those of two seeds never meet.
    func base(_ step: Int64) -> Int64 { Int64(seed + 1) * step }

    /// A permutation of the numbers below `purchases`: identifiers in no order are the worst case for search trees.
    ///
    /// A Feistel network permutes the numbers of an even count of bits; numbers that are too large go through it again.
    func shuffled(_ index: Int) -> Int {
        let half = max(1, (Int.bitWidth - (purchases - 1).leadingZeroBitCount + 1) / 2)
        let mask = 1 << half - 1
        var number = index
        repeat {
            var (left, right) = (number >> half, number & mask)
            for round in 0..<4 {
                var mixer = SplitMix64(seed: UInt64(seed << 40 | round << 32 | right))
                (left, right) = (right, left ^ Int(truncatingIfNeeded: mixer.next()) & mask)
            }
            number = left << half | right
        } while number >= purchases
        return number
    }
}

/// One purchase. Everything follows from seed and index, so that each feed can be written on its own.
struct VolumePurchase {
    let index: Int
    let outcome: VolumeOutcome
    let account: Int
    let product: Int
    let market: Int
    /// In minor units.
    let amount: Int64
    /// Milliseconds since `VolumeShop.start`.
    let at: Int64
    /// From the order to the credit, in milliseconds.
    let delay: Int64
    let token: Token
    let transaction: Int64
    let transactionHasToken: Bool
    let receiptNamesOrder: Bool
    /// Which of the prepared texts is its receipt.
    let receipt: Int

    init(_ index: Int, of shop: VolumeShop) {
        var random = SplitMix64(seed: UInt64(shop.seed) << 40 ^ UInt64(index))
        self.index = index
        let outcome = VolumeOutcome.table[random.int(in: 0..<1000)]
        self.outcome = shop.isProblemFree && outcome.verdict != nil ? .matched : outcome
        account = random.int(in: 0..<max(1, shop.purchases / 3))
        product = random.int(in: 0..<200)
        market = Self.marketOfPercent[random.int(in: 0..<100)]
        amount = Int64((product % 40 + 1) * 100 - 1 + market * 10)
        // Each purchase has its part of the month, so that the times ascend.
        let part = Double(VolumeShop.span) / Double(shop.purchases)
        let place = Double(index) + Double(random.int(in: 0..<1000)) / 1000
        at = Int64(place * part)
        delay = Int64(random.int(in: 500..<60_000))
        // Version 4, variant 1, like the result of Foundation's UUID().
        token = Token(high: random.next() & ~0xF000 | 0x4000, low: random.next() & ~(3 << 62) | 2 << 62)
        // Apple's identifiers have 15 digits, or 16 since 2021.
        let era: Int64 = random.int(in: 0..<10) < 3 ? 2_000_000_000_000_000 : 440_000_000_000_000
        transaction = era + shop.base(1_000_000_000_000) + Int64(shop.shuffled(index)) * 5003
        transactionHasToken = random.int(in: 0..<10) < 7
        receiptNamesOrder = random.int(in: 0..<50) > 0
        receipt = random.int(in: 0..<VolumeFeeds.receiptTexts)
    }

    /// Four columns that a shop keeps of an order: its values follow from the index, so that orders without them are the same.
    func labels(seed: Int) -> [(column: String, value: Int)] {
        var random = SplitMix64(seed: UInt64(seed) << 41 ^ UInt64(index))
        return [("version", 8), ("server", 50), ("channel", 6), ("network", 3)].map { column, values in
            // The lower values are the more frequent ones.
            (column, min(random.int(in: 0..<values), random.int(in: 0..<values)))
        }
    }

    static let currencies = ["USD", "EUR", "CNY", "AUD", "GBP", "BRL"]
    static let storefronts = ["USA", "DEU", "CHN", "AUS", "GBR", "BRA"]
    private static let marketOfPercent = [40, 20, 15, 10, 10, 5].enumerated().flatMap { market, percent in
        Array(repeating: market, count: percent)
    }
}
