/// The months that were closed before, and what they were last reported by: to show what changed since, subject by subject.
struct ClosedMonths: Sendable {
    struct ClosedMonth: Sendable {
        var name: String
        /// Its instants, by the time zone of today.
        var window: Range<Instant>
        /// Its instants by the time zone in which it was last reported.
        var reported: Range<Instant>
    }
    /// By name.
    let months: [ClosedMonth]
    /// The basis of the run that they were last reported by, and the last delivery that it knew. Nil if no month was closed.
    let reported: (basis: Basis, delivery: DeliveryID)?
    /// Whether that basis judges every case as today's does, apart from coverage.
    let isSameBasis: Bool

    init(
        _ history: some MonthHistory, settings: NightSettings, basis: Basis, seals: [MonthSeal], except period: Period
    ) throws {
        let zone = basis.policy.zone
        let run = try seals.last.flatMap { seal in try history.runs(through: seal.run).last }
        var then: Basis?
        if let run { then = Basis(settings, try history.head(asOf: run), of: run).asOf(run) }
        months = seals.filter { $0.period != period.name }.ordered { $0.period < $1.period }.compactMap { seal in
            guard let month = seal.month else { return nil }
            return ClosedMonth(
                name: seal.period, window: month.span(in: zone),
                reported: month.span(in: then?.policy.zone ?? zone))
        }
        if let then, let run, !months.isEmpty {
            reported = (then, try history.lastDelivery(through: run.id))
            isSameBasis = run.policy == basis.policyText
        } else {
            (reported, isSameBasis) = (nil, true)
        }
    }
}

extension Basis {
    /// The same with the time zone, the beginning of history and the product list that a run had, as its record says.
    fileprivate func asOf(_ run: RunRecord) -> Basis {
        var basis = self
        var list: [Product] = []
        for line in run.policy.split(separator: "\n") {
            if let product = Product(policyLine: line) { list.append(product) }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "timeZone": basis.policy.zone = Zone(String(parts[1])) ?? basis.policy.zone
            case "historyFrom": basis.policy.historyFrom = BusinessDate(String(parts[1]))
            default: break
            }
        }
        basis.policy.products = ProductList(list)
        return basis
    }
}

extension Product {
    /// A line of a policy's text: id, type, price with currency, first and last day, by blanks. Nil for another line, and for
    /// a product whose id holds a blank.
    fileprivate init?(policyLine line: Substring) {
        var parts = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.first == "product", parts.count == 6 || parts.count == 7 else { return nil }
        self.init(id: Identifier(parts[1]))
        type = ProductType.allCases.first { $0.name == parts[2] }
        if parts.count == 7 {
            guard let currency = Currency(parts[4]), let minor = Int64(parts[3].filter { $0 != "." }) else {
                return nil
            }
            price = Money(minor: minor, currency: currency)
            parts.remove(at: 4)
        }
        validFrom = BusinessDate(parts[4])
        validTo = BusinessDate(parts[5])
    }
}
