import Domain

@testable import Engine

/// A shop of which a test says what goes wrong.
struct WhyShop {
    static let date = BusinessDate("2026-11-20")!
    /// Not in the order of their names.
    static let labels = ["server", "channel"]

    typealias Values = [Dimension: String]

    var random: SplitMix64
    /// The purchases of each date.
    private(set) var purchases: [[CountedPurchase]] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// One of `count` numbers; the smaller, the likelier.
    mutating func skewed(_ count: Int) -> Int {
        min(Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
    }

    /// What an ordinary purchase is like. Product and storefront determine type, currency and price.
    mutating func ordinary() -> Values {
        let storefronts = [("CHN", "CNY"), ("USA", "USD"), ("JPN", "JPY"), ("DEU", "EUR"), ("FRA", "EUR")]
        let (storefront, currency) = storefronts[skewed(storefronts.count)]
        let product = skewed(20)
        return [
            .product: "gems\(product)", .productType: product % 5 == 4 ? "auto_renewable" : "consumable",
            .storefront: storefront, .currency: currency, .app: "com.example.game", .appVersion: "3.\(skewed(5))",
            .hour: String(Int.random(in: 0..<24, using: &random)), .label("server"): "s\(skewed(40))",
            .label("channel"): "c\(skewed(6))",
        ]
    }

    mutating func isLost(_ rate: Double) -> Bool { Double.random(in: 0..<1, using: &random) < rate }

    /// Adds a date's purchases. `rate` says how many of those with such values are lost.
    mutating func trade(
        _ count: Int, change: (inout Values, inout SplitMix64) -> Void = { _, _ in }, rate: (Values) -> Double
    ) {
        var day: [CountedPurchase] = []
        for _ in 0..<count {
            var values = ordinary()
            change(&values, &random)
            day.append(Self.purchase(values, isLost(rate(values)) ? PurchaseFate(.lost) : PurchaseFate(.withinHour)))
        }
        purchases.append(day)
    }

    static func purchase(_ values: Values, _ fate: PurchaseFate) -> CountedPurchase {
        func id(_ dimension: Dimension) -> Identifier { values[dimension].map { Identifier($0) } ?? .absent }
        let price = Int64(600 + 100 * (values[.product]?.utf8.reduce(0) { $0 + Int($1) } ?? 0))
        var purchase = CountedPurchase(
            fate: fate, amount: values[.currency].map { Money(minor: price, currency: Currency($0)!) })
        purchase.product = id(.product)
        purchase.productType = id(.productType)
        purchase.storefront = id(.storefront)
        purchase.app = id(.app)
        purchase.hour = values[.hour].flatMap { Int($0) }
        purchase.labels = LabelSet(labels.map { LabelSet.Value(name: $0, text: id(.label($0))) })
        purchase.appVersion = id(.appVersion)
        if fate.fulfilment == .lost { purchase.cause = "no_order" }
        return purchase
    }

    var tables: [DateTable] {
        purchases.enumerated().map { day, purchases in table(purchases, on: Self.date.advanced(by: day)) }
    }

    /// Such as `app_version=3.2.1` or `server=s1 channel=c2`, in the order in which they are named.
    func named(_ trouble: Trouble = .lost) -> [String] {
        Explanations.find(in: tables, of: trouble).map { explanation in
            explanation.values.map { "\($0.dimension.name)=\($0.value.text)" }.joined(separator: " ")
        }
    }
}

extension CountedPurchase {
    /// As a receipt states it.
    var appVersion: Identifier {
        get { labels[LabelSet.appVersion] ?? .absent }
        set { labels = LabelSet(labels.values + [LabelSet.Value(name: LabelSet.appVersion, text: newValue)]) }
    }
}

/// A table of these purchases, each of a case of its own.
func table(_ purchases: [CountedPurchase], on date: BusinessDate = WhyShop.date, from first: CaseID = 1) -> DateTable {
    var rows = PurchaseRows()
    for (number, purchase) in purchases.enumerated() { rows.add(purchase, of: first.advanced(by: number)) }
    return DateTable(of: date, rows)
}
