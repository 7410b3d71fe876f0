extension MonthReport {
    /// Gives a closed month the bridge of `later`, its report by the evidence known now. The ledger's figures stay those that
    /// were closed; by what they changed since is a step of its own, so both ends tie.
    public mutating func takeBridge(of later: MonthReport) {
        guard var bridge = later.apple else { return }
        bridge.ledgerNight = later.lastNight
        var lines = Dictionary(uniqueKeysWithValues: bridge.lines.map { (BridgeKey($0), $0) })
        let together = Set(
            lines.keys.filter(\.country.isEmpty).map {
                BridgeKey(product: $0.product, country: "", currency: $0.currency, kind: .sales)
            })
        let (closed, now) = (bridgeSums(sales, together), bridgeSums(later.sales, together))
        for key in Set(closed.keys).union(now.keys) {
            let change = (closed[key] ?? .zero) - (now[key] ?? .zero)
            if change == .zero { continue }
            lines[key, default: BridgeLine(key)].ledger += change
            lines[key]!.steps[.restated] = change
        }
        bridge.lines = lines.ordered().map(\.value)
        apple = bridge
        thresholds = later.thresholds
    }
}

/// What a month sold and refunded, as the bridge sums it. Refunds are negative.
private func bridgeSums(_ sales: [SalesLine], _ together: Set<BridgeKey>) -> [BridgeKey: UnitsAndValue] {
    sales.reduce(into: [:]) { sums, line in
        let moved = line.movements
        for (kind, units, minor) in [
            (BridgeLine.Kind.sales, line.unitsSold, moved.purchases),
            (.returns, 0 &- line.unitsRefunded, 0 &- moved.refunds),
        ] {
            let key = BridgeKey(
                Identifier(line.product), storefront: line.storefront, line.currency, kind: kind, together: together)
            sums[key, default: .zero] += UnitsAndValue(units: units, minor: minor)
        }
    }
}
