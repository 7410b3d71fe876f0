import Domain
import Reference
import Testing

@testable import Engine

/// The explanations agree with a second implementation, whose chances are exact. See docs/spec/why.md#explanations.
@Suite struct WhyReferenceTests {
    private static let most = 300
    private static let search = CommonValueSearch(most: most)
    /// As the specification orders them.
    private static let dimensions: [Dimension] = [
        .product, .storefront, .appVersion, .weekday, .label("channel"), .label("server"),
    ]

    /// Up to three dates with few values, of which some follow others, and up to three planted causes.
    private func shop(_ random: inout SplitMix64) -> [[CountedPurchase]] {
        let chosen = Self.dimensions.filter { $0 != .weekday }
        let sizes = chosen.map { _ in Int.random(in: 1...7, using: &random) }
        let follower = Bool.random(using: &random) ? chosen.randomElement(using: &random)! : nil
        let causes = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            let parts = chosen.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random))
            return (parts: parts.map { ($0, String(random.next() % 3)) }, rate: Double(random.next() % 8) / 10)
        }
        let base = Double(random.next() % 5) / 100
        let dates = Int.random(in: 1...3, using: &random)
        let count = Int.random(in: 30...Self.most, using: &random) / dates
        return (0..<dates).map { _ in
            (0..<count).map { _ in
                var values: WhyShop.Values = [:]
                for (dimension, size) in zip(chosen, sizes) {
                    let number = min(random.next() % UInt64(size), random.next() % 7)
                    if number < 6 { values[dimension] = String(number) }
                }
                if let follower, random.next() % 10 > 0 { values[follower] = values[.appVersion] }
                let cause = causes.first { $0.parts.allSatisfy { values[$0.0] == $0.1 } }
                let isLost = Double(random.next() % 1000) / 1000 < cause?.rate ?? base
                return WhyShop.purchase(values, PurchaseFate(isLost ? .byHand : .waiting))
            }
        }
    }

    private func compared(_ purchase: CountedPurchase, on date: BusinessDate) -> ComparedPurchase {
        func text(_ value: Identifier) -> String { value == .absent ? "" : value.text }
        // 2026-11-20 is a Friday.
        let weekday = String(((date.day - WhyShop.date.day + 4) % 7) + 1)
        return ComparedPurchase(
            values: [
                text(purchase.product), text(purchase.storefront), text(purchase.appVersion), weekday,
                text(purchase.labels["channel"] ?? .absent), text(purchase.labels["server"] ?? .absent),
            ], isLost: purchase.fate.fulfilment == .byHand)
    }

    @Test(arguments: 0..<4)
    func bothImplementationsNameTheSameWithTheSameNumbers(block: Int) {
        var kinds: [String: Int] = [:]
        for seed in Trials.seeds(inBlock: block, 50, long: 500) {
            var random = SplitMix64(seed: seed)
            let days = shop(&random)
            let dates = days.indices.map { WhyShop.date.advanced(by: $0) }
            let tables = zip(days, dates).map { table($0, on: $1) }
            let found = Explanations.find(in: tables, of: .lost).map { one in
                CommonValues(
                    values: Dictionary(
                        uniqueKeysWithValues: one.values.map {
                            (Self.dimensions.firstIndex(of: $0.dimension)!, $0.value.text)
                        }),
                    lost: one.count, purchases: one.purchases)
            }
            let expected = Self.search.find(
                in: zip(days, dates).flatMap { day, date in day.map { compared($0, on: date) } })
            #expect(found == expected, "seed \(seed)")
            kinds["\(expected.count) named", default: 0] += 1
            if expected.contains(where: { $0.values.count == 2 }) { kinds["pairs", default: 0] += 1 }
        }
        // The nights are of all kinds.
        for kind in ["0 named", "1 named", "2 named", "pairs"] { #expect(kinds[kind] != nil, "\(kind): \(kinds)") }
    }
}
