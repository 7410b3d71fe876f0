/// The months that were closed before, and the basis of their last report: to show what changed since, subject by subject.
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
    /// How today's settings and product list differ from those of that run.
    let settingsChanged: [SettingChange]

    init(
        _ history: some MonthHistory, settings: NightSettings, basis: Basis, seals: [MonthSeal], except period: Period
    ) throws {
        let zone = basis.policy.zone
        let run = try seals.last.flatMap { seal in try history.runs(through: seal.run).last }
        var then: (basis: Basis, head: HistoryHead)?
        if let run {
            var settings = settings
            settings.policy.bundles = Set(run.bundles.map { Identifier($0) })
            let head = try history.head(asOf: run)
            then = (try Basis(settings, head, of: run).asOf(run), head)
        }
        months = seals.filter { $0.period != period.name }.ordered { $0.period < $1.period }.compactMap { seal in
            guard let month = seal.month else { return nil }
            return ClosedMonth(
                name: seal.period, window: month.span(in: zone),
                reported: month.span(in: then?.basis.policy.zone ?? zone))
        }
        if let then, let run, !months.isEmpty {
            reported = (then.basis, try history.lastDelivery(through: run.id))
            isSameBasis = run.policy == basis.policyText
            settingsChanged =
                run.settingChanges(to: basis) + then.head.feedChanges(to: basis, settings).filter(\.isOfFeed)
                + (try run.productChanges(to: basis))
        } else {
            (reported, isSameBasis, settingsChanged) = (nil, true, [])
        }
    }
}

extension Basis {
    /// The same with the time zone, the beginning of history and the product list that a run had, as its record says.
    /// - Throws: `EngineError.damaged` if the record contains a product that this program never writes.
    fileprivate func asOf(_ run: RunRecord) throws(EngineError) -> Basis {
        var basis = self
        let settings = RunRecord.settings(run.policy)
        basis.policy.zone = settings["timeZone"].flatMap { Zone($0) } ?? basis.policy.zone
        if let first = settings["historyFrom"] { basis.policy.historyFrom = BusinessDate(first) }
        basis.policy.products = ProductList(try [Product](policyText: run.policy))
        return basis
    }
}
