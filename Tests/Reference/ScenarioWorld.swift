internal import Domain

/// What scenarios share: the night of 18 November 2025, default graces, and a short product list.
enum ScenarioWorld {
    static let date = BusinessDate("2025-11-18")!

    /// The instant that times are relative to: the end of the business date in the policy's zone.
    static func now(_ policy: Policy) -> Instant { policy.zone.end(of: date) }

    static let horizon = Horizon(instant: Zone.utc.end(of: date), businessDate: date)

    static let policy: Policy = {
        var policy = Policy()
        policy.bundles = ["com.example.game"]
        policy.products = ProductList([
            product("coins", .consumable, Money(minor: 600, currency: "CNY")),
            product("chest", .consumable, Money(minor: 3000, currency: "CNY")),
            product("gems", .consumable, Money(minor: 120, currency: "JPY")),
            product("sword", .nonConsumable, Money(minor: 1500, currency: "KWD")),
            product("month", .autoRenewable, Money(minor: 1200, currency: "CNY")),
            product("season", .nonRenewing, nil),
        ])
        return policy
    }()

    private static func product(_ id: Identifier, _ type: ProductType, _ price: Money?) -> Product {
        var product = Product(id: id)
        product.type = type
        product.price = price
        return product
    }
}

/// `-3d`, `-1h+1ms`, `0`: a time relative to the horizon, in d, h, m, s and ms.
func offset(_ text: some StringProtocol) -> Milliseconds {
    var sum: Int64 = 0
    var rest = Substring(text)
    while !rest.isEmpty {
        let sign: Int64 = rest.hasPrefix("-") ? -1 : 1
        if rest.hasPrefix("-") || rest.hasPrefix("+") { rest.removeFirst() }
        let digits = rest.prefix { $0.isNumber }
        rest.removeFirst(digits.count)
        let unit = rest.prefix { $0.isLetter }
        rest.removeFirst(unit.count)
        let units: [Substring: Int64] = ["d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1, "": 0]
        guard let count = Int64(digits), let length = units[unit] else { preconditionFailure("\(text) is no time") }
        sum += sign * count * length
    }
    return Milliseconds(sum)
}

extension Scenario {
    /// A piece of `set`: `tokens:order`, `gap:credits@-3d`, …
    mutating func set(_ word: String) {
        let (name, value) = halves(word, at: ":")
        switch name {
        case "tokens": policy.tokenUse = TokenUse(rawValue: value)!
        case "fanOut": policy.tokenFanOut = Int(value)!
        case "env": policy.environment = AppEnvironment.allCases.first { $0.name.lowercased() == value }!
        case "zone":
            policy.zone = Zone(value)!
            horizon.instant = ScenarioWorld.now(policy)
        case "now": horizon.instant = ScenarioWorld.now(policy) + offset(value)
        case "history": policy.historyFrom = ScenarioWorld.date.advanced(by: Int(value)!)
        case "first": horizon.coverage.firstDate = ScenarioWorld.date.advanced(by: Int(value)!)
        case "compare": policy.compare = Set(value.split(separator: ",").map { ComparedField(rawValue: String($0))! })
        case "list": policy.products = ProductList()
        case "ttl": policy.receiptTTL = Milliseconds(-offset("-" + value).count)
        case "hole":
            let (feed, day) = halves(value, at: "@")
            horizon.coverage.firstDate = ScenarioWorld.date.advanced(by: -100)
            horizon.coverage.gaps[FeedKind(rawValue: feed)!, default: []].append(
                ScenarioWorld.date.advanced(by: Int(day)!))
        default: preconditionFailure("\(sentence): set \(word)")
        }
    }
}

/// `a:b` as a and b. Without the separator, the whole text and an empty text.
func halves(_ word: String, at separator: Character) -> (String, String) {
    let parts = word.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return (parts[0], parts.count == 2 ? parts[1] : "")
}
