extension MonthReport {
    /// Gives a closed month the bridge of `later`, its report by the evidence known now. The ledger's figures stay those that
    /// were closed. What changed since is a step of its own, so both ends tie.
    public mutating func takeBridge(of later: MonthReport) {
        guard var bridge = later.apple else { return }
        bridge.ledgerNight = later.lastNight
        // A closed month accepts nothing more.
        bridge.unsigned = []
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

extension AppleMonths {
    /// Whether a closed month called units of this line unexplained.
    func isUnexplained(_ key: BridgeKey) -> Bool {
        closed.contains { month in
            month.apple?.lines.contains { BridgeKey($0) == key && $0.unexplained.units != 0 } ?? false
        }
    }

    /// How many units of a line the month that was closed with a period called unexplained; nil without one.
    func signed(_ key: BridgeKey, in period: ApplePeriod) -> Int64? {
        signedBridge(of: period).map { abs($0.lines.first { BridgeKey($0) == key }?.unexplained.units ?? 0) }
    }

    /// Whether the month that was closed with a period named units of this line that may be missing.
    func isNamed(_ key: BridgeKey, in period: ApplePeriod) -> Bool {
        signedBridge(of: period)?.lines.contains { BridgeKey($0) == key && $0.withheld.units != 0 } ?? false
    }

    /// The bridge of the month that was closed with a period as its own.
    private func signedBridge(of period: ApplePeriod) -> AppleBridge? {
        closed.last { month in
            month.apple?.files.contains { !$0.isEarlier && $0.first == period.first && $0.last == period.last } ?? false
        }?.apple
    }

    /// What the earlier periods of closed months leave beyond what these months have.
    ///
    /// - Parameter left: what each period leaves.
    func unsigned(_ left: [[BridgeLine]]) -> [UnsignedLine] {
        zip(periods.dropLast(), left).flatMap { period, lines -> [UnsignedLine] in
            let own = signedBridge(of: period)
            guard own != nil || closed.contains(where: { period.isMost(of: $0.first...$0.last) }) else { return [] }
            let accepted = closed.flatMap { $0.apple?.unsigned ?? [] }
                .filter { $0.first == period.first && $0.last == period.last }.map(\.line)
            let signed = Dictionary(grouping: (own?.lines ?? []) + accepted, by: { BridgeKey($0) })
            return lines.compactMap { $0.beyond(signed[BridgeKey($0)] ?? []) }
                .map { UnsignedLine(first: period.first, last: period.last, line: $0) }
        }
    }

    /// What the earlier periods have otherwise than in the month that was closed last with them.
    func changes(since rollForward: [TransitLine]) -> [BridgeChange] {
        periods.dropLast().flatMap { period -> [BridgeChange] in
            func digests(_ files: [AppleReportFile]) -> Set<String> {
                Set(files.filter { $0.first == period.first && $0.last == period.last }.map(\.digest))
            }
            func lines(_ all: [TransitLine]) -> [String: TransitLine] {
                let own = all.filter { $0.first == period.first && $0.last == period.last }
                return Dictionary(own.map { ($0.currency.text + $0.kind.rawValue, $0) }) { $1 }
            }
            guard let then = closed.last(where: { !digests($0.apple?.files ?? []).isEmpty })?.apple else { return [] }
            let (former, now) = (lines(then.rollForward), lines(rollForward))
            let isOther = digests(then.files) != digests(files)
            let changes = Set(former.keys).union(now.keys).ordered().compactMap { key -> BridgeChange? in
                guard let line = now[key] ?? former[key] else { return nil }
                let empty = TransitLine(first: line.first, last: line.last, currency: line.currency, kind: line.kind)
                let change = BridgeChange(then: former[key] ?? empty, now: now[key] ?? empty, isOtherFile: isOther)
                return change.isReportChanged || change.isBalanceChanged || change.isUnexplainedChanged ? change : nil
            }
            if !changes.isEmpty || !isOther { return changes }
            return rollForward.first { $0.first == period.first }
                .map { [BridgeChange(then: $0, now: $0, isOtherFile: true)] } ?? []
        }
    }
}

extension BridgeLine {
    /// A line of what a period leaves.
    init(_ key: BridgeKey, unexplained: UnitsAndValue, steps: [BridgeStep: UnitsAndValue]) {
        self.init(key)
        self.steps = steps.filter { $0.value != .zero }
        ledger = unexplained + explained
    }

    /// What this line leaves beyond what is signed; nil if it has no value. What a page named as in transit or missing may
    /// be unexplained by later reports.
    fileprivate func beyond(_ signed: [BridgeLine]) -> BridgeLine? {
        func rest(_ figure: (BridgeLine) -> UnitsAndValue, _ other: (BridgeLine) -> UnitsAndValue) -> UnitsAndValue {
            func rest(_ part: (UnitsAndValue) -> Int64) -> Int64 {
                let known = signed.reduce(0) { $0 &+ abs(part(figure($1))) &+ abs(part(other($1))) }
                return max(0, abs(part(figure(self))) &- known) &* part(figure(self)).signum()
            }
            return UnitsAndValue(units: rest(\.units), minor: rest(\.minor))
        }
        let steps = [BridgeStep.priceDifference, .neverCollected, .unknownProduct].map { step in
            (step, rest({ $0.steps[step] ?? .zero }, { _ in .zero }))
        }
        let unexplained = rest(\.unexplained, \.withheld)
        if ([unexplained] + steps.map(\.1)).allSatisfy({ $0.minor == 0 }) { return nil }
        return BridgeLine(BridgeKey(self), unexplained: unexplained, steps: Dictionary(uniqueKeysWithValues: steps))
    }
}
