import Domain
import Reference
import Testing

@testable import Engine

/// What lost orders have in common, in shops where the test knows it. See docs/spec/why.md#explanations.
@Suite struct WhyExplanationTests {
    @Test func oneBadVersionIsNamedAlone() throws {
        var shop = WhyShop(seed: 1)
        shop.trade(3000) { $0[.appVersion] == "3.2" ? 0.06 : 0.0005 }
        #expect(shop.named() == ["app_version=3.2"])
        let first = try #require(Explanations.find(in: shop.tables, of: .lost).first)
        let lost = shop.purchases[0].filter { $0.fate.fulfilment == .lost }
        #expect(first.ofCount == lost.count && first.count == lost.filter { $0.appVersion == "3.2" }.count)
        #expect(first.purchases == shop.purchases[0].filter { $0.appVersion == "3.2" }.count)
        #expect(first.rate > 0.03 && first.rateElsewhere < 0.005 && first.support > 0.8 && first.riskRatio > 10)
    }

    @Test func ofTwoIndependentCausesBothAreNamedFirst() {
        var shop = WhyShop(seed: 2)
        shop.trade(6000) { $0[.appVersion] == "3.3" || $0[.label("server")] == "s3" ? 0.1 : 0.0005 }
        #expect(Set(shop.named()) == ["app_version=3.3", "server=s3"])
    }

    /// Nearly all customers of one storefront have the bad version, and some elsewhere.
    @Test func ofAVersionTiedToAStorefrontOnlyTheVersionIsNamed() {
        var shop = WhyShop(seed: 3)
        shop.trade(4000) { values, random in
            let isHere = values[.storefront] == "JPN"
            values[.appVersion] = Int.random(in: 0..<20, using: &random) < (isHere ? 18 : 1) ? "4.0" : "3.0"
        } rate: {
            $0[.appVersion] == "4.0" ? 0.1 : 0.0005
        }
        #expect(shop.named() == ["app_version=4.0"])
    }

    @Test func aPairIsNamedWhereNeitherOfItsValuesIsBadAlone() {
        var shop = WhyShop(seed: 4)
        shop.trade(8000) { $0[.appVersion] == "3.1" && $0[.label("channel")] == "c1" ? 0.12 : 0.0005 }
        #expect(shop.named() == ["app_version=3.1 channel=c1"])
    }

    @Test func whatAllPurchasesHaveIsNeverNamedNorTheCauseNorTheLackOfAValue() {
        var shop = WhyShop(seed: 5)
        shop.trade(3000) { values, random in
            if Int.random(in: 0..<4, using: &random) == 0 { values[.appVersion] = nil }
        } rate: {
            $0[.appVersion] == nil ? 0.05 : 0
        }
        #expect(shop.named() == [])
        #expect(shop.purchases[0].filter { $0.cause == "no_order" }.count > 20)
    }

    @Test func oneBadWeekdayIsNamedInAWeek() {
        var shop = WhyShop(seed: 6)
        for day in 0..<7 { shop.trade(600) { _ in day == 3 ? 0.06 : 0.001 } }
        // 2026-11-20 is a Friday, three days later it is Monday.
        #expect(shop.named() == ["weekday=1"])
    }

    /// A night with one version that may be bad. Each threshold is met on the left and just missed on the right.
    @Test(
        arguments: [
            ((lost: 5, of: 20), (lost: 0, of: 2000), true),
            ((4, 20), (0, 2000), false),  // fewer than five
            ((25, 100), (75, 3000), true),
            ((25, 100), (76, 3000), false),  // less than a quarter of the lost
            ((60, 1000), (99, 5000), true),
            ((60, 1000), (101, 5000), false),  // less than three times as often
            ((8, 200), (2, 300), false),  // chance may do that
        ] as [((lost: Int, of: Int), (lost: Int, of: Int), Bool)])
    func eachThresholdHolds(bad: (lost: Int, of: Int), good: (lost: Int, of: Int), isNamed: Bool) {
        var purchases: [CountedPurchase] = []
        for (version, cells) in [("2", bad), ("1", good)] {
            for number in 0..<cells.of {
                let fate = PurchaseFate(number < cells.lost ? .lost : .withinDay)
                purchases.append(WhyShop.purchase([.appVersion: version], fate))
            }
        }
        let found = Explanations.find(in: [table(purchases)], of: .lost)
        #expect(found.map(\.values) == (isNamed ? [[DimensionValue(dimension: .appVersion, value: "2")]] : []))
    }

    /// The chance is 0.00029: small enough where three are tried, too great where four are.
    @Test(arguments: [(labels: 0, isNamed: true), (1, true), (2, false)])
    func aPairThatIsOneOfItsValuesInOtherWordsIsNotTried(labels: Int, isNamed: Bool) {
        var purchases: [CountedPurchase] = []
        for number in 0..<100 {
            let isBad = number < 8
            var values: WhyShop.Values = [.appVersion: isBad ? "bad" : "good"]
            for label in WhyShop.labels[..<labels] where !isBad { values[.label(label)] = "good" }
            let fate = PurchaseFate(number < 5 || number >= 94 ? .lost : .withinHour)
            purchases.append(WhyShop.purchase(values, fate))
        }
        #expect(Explanations.find(in: [table(purchases)], of: .lost).isEmpty != isNamed)
    }

    /// From exact fractions.
    @Test(
        arguments: [
            (Cells(hitsWith: 3, with: 4, hits: 4, all: 8), 17.0 / 70),
            (Cells(hitsWith: 4, with: 4, hits: 4, all: 8), 1.0 / 70),
            (Cells(hitsWith: 2, with: 4, hits: 4, all: 8), 1),  // as many as on average
            (Cells(hitsWith: 30, with: 10_000, hits: 100, all: 100_000), 2.3928685466948943e-08),
            (Cells(hitsWith: 500, with: 20_000, hits: 1000, all: 100_000), 2.397399295917885e-100),
        ] as [(Cells, Double)])
    func theChanceIsThatOfFishersTest(cells: Cells, chance: Double) {
        #expect(abs(cells.chance / chance - 1) < 1e-6)
    }

    /// More cannot be: each explains a quarter of the lost orders, and none twice.
    @Test func fourEqualCausesAreAllNamedInTheOrderOfTheirBytes() {
        var purchases: [CountedPurchase] = []
        for number in 0..<5400 {
            let version = number < 400 ? ["d", "b", "c", "a"][number % 4] : "good"
            purchases.append(WhyShop.purchase([.appVersion: version], PurchaseFate(number < 100 ? .lost : .withinHour)))
        }
        let found = Explanations.find(in: [table(purchases)], of: .lost)
        #expect(found.map { $0.values[0].value.text } == ["a", "b", "c", "d"])
        #expect(found.map(\.support) == [0.25, 0.25, 0.25, 0.25] && found.map(\.purchases) == [100, 100, 100, 100])
    }

    @Test func theOrderOfRowsAndTablesDoesNotMatter() {
        var shop = WhyShop(seed: 8)
        for _ in 0..<3 { shop.trade(1500) { $0[.label("server")] == "s3" ? 0.5 : $0[.appVersion] == "3.3" ? 0.1 : 0 } }
        let found = Explanations.find(in: shop.tables, of: .lost)
        let other = shop.purchases.enumerated().map { day, purchases in
            table(purchases.shuffled(using: &shop.random), on: WhyShop.date.advanced(by: day))
        }
        #expect(found.count > 1 && found == Explanations.find(in: other.reversed(), of: .lost))
    }

    @Test func ofTwoValuesThatAlwaysGoTogetherTheFirstDimensionIsNamed() {
        var shop = WhyShop(seed: 9)
        shop.trade(3000) { values, _ in
            values[.label("channel")] = "of " + values[.appVersion]!
        } rate: {
            $0[.appVersion] == "3.2" ? 0.06 : 0.0005
        }
        #expect(shop.named() == ["app_version=3.2"])
    }

    @Test func eachTroubleHasItsOwnCommonValues() {
        var purchases: [CountedPurchase] = []
        func add(_ count: Int, _ version: String, _ fate: PurchaseFate) {
            purchases += repeatElement(WhyShop.purchase([.appVersion: version], fate), count: count)
        }
        add(900, "good", PurchaseFate(.withinHour, delay: 3))
        add(100, "lost", PurchaseFate(.withinHour, delay: 3))
        add(10, "lost", PurchaseFate(.later, delay: 18))
        add(100, "twice", PurchaseFate(.withinHour, delay: 3))
        add(10, "twice", PurchaseFate(.withinHour, isCreditedTwice: true, delay: 3))
        add(100, "orphan", PurchaseFate(.withinHour, delay: 3))
        add(10, "orphan", PurchaseFate(nil))
        add(100, "slow", PurchaseFate(.withinHour, delay: 3))
        add(40, "slow", PurchaseFate(.withinHour, delay: 9))
        let day = table(purchases)
        func named(_ trouble: Trouble) -> [String] {
            Explanations.find(in: [day], of: trouble).flatMap { $0.values.map(\.value.text) }
        }
        #expect(named(.lost) == ["lost"])
        #expect(named(.creditedTwice) == ["twice"])
        #expect(named(.orphanReceipt) == ["orphan"])
        #expect(named(.late(than: 8)) == ["slow"])
    }

    /// At most one night in a hundred shows anything where chance alone loses orders.
    @Test func quietNightsStayQuiet() {
        let nights = Trials.count(100, long: 1000)
        var shown = 0
        for seed in 0..<UInt64(nights) {
            var shop = WhyShop(seed: 1000 + seed)
            let rate = Double.random(in: 0.002...0.03, using: &shop.random)
            shop.trade(1500) { _ in rate }
            if !shop.named().isEmpty { shown += 1 }
        }
        #expect(shown * 100 <= nights, "\(shown) of \(nights)")
    }
}
