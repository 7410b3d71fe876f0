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
    /// Whether the rules are of the version by which that run judged.
    let hasSameRules: Bool
    /// Whether settings and product list decide as they did then, whatever the rules.
    let hasSameSettings: Bool
    /// How today's settings and product list differ from those of that run.
    let settingsChanged: [SettingChange]
    /// Today's policy with one changed setting, or the product list, as it was then, by the name of what is changed back.
    let former: [(name: String, policy: Policy)]
    /// What people decided since about files that days of the closed months lack: the last decision about each.
    let gapDecisions: [GapDecision]

    init(
        _ history: some MonthHistory, settings: NightSettings, head: HistoryHead, basis: Basis, seals: [MonthSeal],
        except period: Period
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
            hasSameRules = run.rules == RunRecord.rules(basis.policyText)
            let (changes, products) = (run.settingChanges(to: basis), try run.productChanges(to: basis))
            hasSameSettings = changes.isEmpty && products.isEmpty
            settingsChanged =
                changes + then.head.feedChanges(to: basis, settings).filter(\.isOfFeed) + products
            var former = changes.map { change in
                var policy = basis.policy
                policy.take([change.setting: change.old ?? ""])
                if change.setting == RunRecord.bundlesKey { policy.bundles = then.basis.policy.bundles }
                return (name: change.setting, policy: policy)
            }
            if !products.isEmpty {
                var policy = basis.policy
                policy.products = then.basis.policy.products
                former.append((SettingChange.products, policy))
            }
            self.former = former
            let closed = seals.filter { $0.period != period.name }.compactMap(\.month)
            gapDecisions = head.gapDecisions.last(after: then.head.gapDecisions).filter { gap in
                // Where the file came since, the decision changes nothing.
                let isDelivered = { (head: HistoryHead) in head.arrivals[gap.feed]?.contains(gap.date) == true }
                return closed.contains { $0.contains(gap.date) } && (isDelivered(then.head) || !isDelivered(head))
            }
        } else {
            (reported, isSameBasis, hasSameRules, hasSameSettings) = (nil, true, true, true)
            (settingsChanged, former, gapDecisions) = ([], [], [])
        }
    }
}

extension Basis {
    /// The same with the settings and the product list that a run had, as its record says.
    /// - Throws: `EngineError.damaged` if the record contains a product that this program never writes.
    fileprivate func asOf(_ run: RunRecord) throws(EngineError) -> Basis {
        var basis = self
        basis.policy.take(RunRecord.settings(run.policy))
        basis.policy.products = ProductList(try [Product](policyText: run.policy))
        return basis
    }
}

extension Policy {
    /// Takes the settings of a policy's text, by their names. What it does not name stays; the apps' ids stay in any case.
    mutating func take(_ settings: [String: String]) {
        let lengths: [(String, WritableKeyPath<Policy, Milliseconds>)] = [
            ("grace.credit", \.graceCredit), ("grace.refund", \.graceRefund), ("grace.receipt", \.graceReceipt),
            ("grace.apple", \.graceApple), ("orderTTL", \.orderTTL), ("receiptTTL", \.receiptTTL),
            ("suggestionWindow", \.suggestionWindow), ("lateAfter", \.lateAfter),
        ]
        for (name, length) in lengths {
            if let text = settings[name], let spelled = Milliseconds(spelled: text) { self[keyPath: length] = spelled }
        }
        zone = settings["timeZone"].flatMap { Zone($0) } ?? zone
        if let first = settings["historyFrom"] { historyFrom = BusinessDate(first) }
        tokenFanOut = settings["tokenFanOut"].flatMap { Int($0) } ?? tokenFanOut
        tokenUse = settings["app.appAccountToken"].flatMap(TokenUse.init) ?? tokenUse
        environment = AppEnvironment.allCases.first { $0.name == settings["app.environment"] } ?? environment
        if let fields = settings["compare"] {
            compare = Set(fields.split(separator: " ").compactMap { ComparedField(rawValue: String($0)) })
        }
        if let word = settings["retry.reverseRefunds"] { reverseRefunds = word == "true" }
    }
}

extension [GapDecision] {
    /// The last decision about each day since `earlier`, which these begin with, where it changes what counts.
    fileprivate func last(after earlier: [GapDecision]) -> [GapDecision] {
        let (accepted, new) = (earlier.acceptedDays, dropFirst(earlier.count))
        let last = Dictionary(new.map { (FeedDay(feed: $0.feed, date: $0.date), $0) }) { $1 }
        return last.filter { day, gap in gap.isAccepted != accepted.contains(day) }.values
            .ordered { ($0.date, $0.feed) < ($1.date, $1.feed) }
    }
}
