internal import Domain

/// The settings of small worlds: policies, horizons, and the instants at which verdicts change.
enum WorldPolicy {
    static func policy(_ random: inout SplitMix64) -> Policy {
        var policy = Policy()
        policy.tokenUse = random.pick([.account, .account, .order, .none])
        policy.environment = random.oneIn(8) ? .sandbox : .production
        policy.zone = Zone(random.pick(["UTC", "Asia/Shanghai", "America/New_York", "Europe/Berlin"]))!
        if random.oneIn(6) { policy.compare = Set(ComparedField.allCases.filter { _ in random.oneIn(2) }) }
        if random.oneIn(5) { policy.graceCredit = .hours(0) }
        if random.oneIn(5) { policy.graceApple = .hours(48) }
        policy.products = products(&random)
        policy.tokenFanOut = random.pick([1, 2, 16])
        if random.oneIn(6) { policy.historyFrom = BusinessDate("2025-11-17") }
        return policy
    }

    /// Includes the end of a month, the end of a year, a leap day, and days on which clocks change.
    static func horizon(_ random: inout SplitMix64, zone: Zone) -> Horizon {
        let days = [
            "2025-11-18", "2025-11-30", "2025-12-31", "2024-02-29", "2025-10-26", "2025-11-02", "2026-03-08",
            "2026-03-29", "2026-04-01",
        ]
        let date = BusinessDate(random.pick(days))!
        var horizon = Horizon(instant: zone.end(of: date), businessDate: date)
        if random.oneIn(4) { horizon.instant = horizon.instant + .hours(-7) }
        if random.oneIn(3) {
            horizon.coverage.firstDate = date.advanced(by: -20)
            for kind in [FeedKind.orders, .credits, .transactions] where random.oneIn(2) {
                horizon.coverage.gaps[kind] = [date.advanced(by: -Int.random(in: 0...9, using: &random))]
            }
        }
        return horizon
    }

    /// The instants at which a grace has just passed, a day or month begins, or history begins.
    static func boundaries(policy: Policy, horizon: Horizon) -> [Instant] {
        let graces = [
            .hours(0), policy.graceCredit, policy.graceRefund, policy.graceReceipt, policy.graceApple, policy.orderTTL,
            policy.receiptTTL,
        ]
        let passed = graces.map { horizon.instant + Milliseconds(-$0.count) }
        let date = horizon.businessDate
        let (year, month, _) = date.yearMonthDay
        let monthStart = BusinessDate(year: year, month: month, day: 1)!
        return passed + [date, monthStart, date.advanced(by: -9)].map(policy.zone.start(of:))
    }

    /// Includes a price that changed, a price in a second currency, products of every type, and sometimes no product at all.
    private static func products(_ random: inout SplitMix64) -> ProductList {
        if random.oneIn(6) { return ProductList() }
        let rows: [(Identifier, ProductType?, Money?)] = [
            ("coins", .consumable, Money(minor: 600, currency: "CNY")),
            ("gems", .consumable, Money(minor: 120, currency: "JPY")),
            ("sword", .nonConsumable, Money(minor: 1500, currency: "KWD")),
            ("month", .autoRenewable, Money(minor: 1200, currency: "CNY")),
            ("season", random.oneIn(2) ? .nonRenewing : nil, nil),
        ]
        var products = rows.map { id, type, price in
            var product = Product(id: id)
            product.type = type
            product.price = price
            return product
        }
        var raised = products[0]
        raised.price = Money(minor: 1200, currency: "CNY")
        raised.validFrom = BusinessDate("2025-11-30")
        products.append(raised)
        var second = products[1]
        second.price = Money(minor: 700, currency: "CNY")
        second.validFrom = BusinessDate("2025-11-30")
        products.append(second)
        return ProductList(products)
    }
}
