internal import Matching

/// What keeps a machine from giving goods that may have been given already. The look-up answers NO for the same reasons.
/// See docs/spec/rules.md#withheld-entries.
struct Withholding {
    private let rejected: RejectedRows
    private let strays: StrayCreditIndex
    private let openOrders: OpenOrders
    private let periods: [Identifier: ChainPeriod]
    private let renewed: [Identifier: Instant]
    private let given: [String: HandOut]
    private let lost: LostPayments
    private let policy: Policy

    /// - Parameters:
    ///   - rejected: rows that may concern purchases which a machine would credit.
    ///   - strays: credits that may have been meant for them.
    ///   - openOrders: orders for which such goods may be given before a machine acts.
    ///   - periods: of their subscriptions.
    ///   - renewed: the subscriptions of whose renewals the backend records the goods, and since when.
    ///   - handOuts: goods that the desk recorded as given by hand.
    ///   - lost: what else became of payments for Non-Consumables.
    init(
        rejected: RejectedRows, strays: StrayCreditIndex, openOrders: OpenOrders,
        periods: [Identifier: ChainPeriod] = [:], renewed: [Identifier: Instant] = [:], handOuts: [HandOut],
        lost: LostPayments = LostPayments(), policy: Policy
    ) {
        (self.periods, self.renewed) = (periods, renewed)
        self.rejected = rejected
        self.openOrders = openOrders
        self.strays = strays
        self.policy = policy
        given = Dictionary(handOuts.map { ($0.transaction.text, $0) }) { first, _ in first }
        self.lost = handOuts.reduce(into: lost) { $0.add(given: $1.transaction.text) }
    }

    /// Withdraws the demands for goods that may have been given, and sets the action to what a person must do instead.
    ///
    /// - Returns: for each reason: how many demands are withdrawn, their sum, and an example.
    func apply(to observations: inout [Observation], on date: BusinessDate) -> [NightWarning] {
        var withheld: [WithheldCredits.Reason: Withheld] = [:]
        var owners: [String: Set<Identifier?>] = [:]
        var late: [HandOut] = []
        for index in observations.indices where observations[index].retry?.action == .reverseCredit {
            withholdReversal(&observations[index])
        }
        for index in observations.indices where observations[index].verdict == .paidNotCredited {
            if let handOut = deferToHandOut(&observations[index]), policy.zone.date(of: handOut.at) <= date {
                late.append(handOut)
            }
            guard let target = CreditTarget(observations[index], by: policy, rejected),
                let facts = observations[index].facts
            else { continue }
            func withhold(_ action: Action, _ reason: WithheldCredits.Reason, name: String) {
                observations[index].withhold(action)
                withheld[reason, default: Withheld()].add(facts.amount, name: name)
            }
            if let place = rejected.place(speakingAgainst: strays.claimed(target)) {
                withhold(.fixInput, .rejectedRow, name: place)
                owners[place, default: []].insert(target.owner)
            } else if observations[index].isTokenShared && observations[index].tokenAccounts == nil
                || strays.isDisputed(target) || strays.isOwned(target, lost)
                || facts.transactions.contains(where: { periods.isReplaced(Identifier($0)) })
            {
                observations[index].withhold(.investigate)
            } else if let credit = strays.first(for: target) {
                withhold(.investigate, .credit, name: credit.id.text)
            } else if let product = unrecordedProduct(of: observations[index]) {
                withhold(.investigate, .renewals, name: product)
            } else {
                nameOpenOrders(of: strays.claimed(target), in: &observations[index])
            }
        }
        func told(_ reason: WithheldCredits.Reason) -> NightWarning? {
            withheld[reason].map { .withheld($0.credits(for: reason)) }
        }
        let place = owners.filter { $0.value.count > 1 }.keys.min()
        let first = late.min { ($0.at, $0.transaction) < ($1.at, $1.transaction) }
        return [
            told(.rejectedRow), place.map { .customersWithheld(count: owners[$0]!.count, place: $0) }, told(.credit),
            told(.renewals), first.map { .handOutsWithoutCredit(count: late.count, $0) },
        ].compactMap(\.self)
    }

    /// The product of a later period of a subscription without an order of its own, where the backend does not record the goods
    /// of renewals, or did not yet. Nil if the customer bought the period, and an order shows that the app was asked for it.
    private func unrecordedProduct(of observation: Observation) -> String? {
        guard observation.cause == .noOrder, observation.isLaterPeriod, let retry = observation.retry,
            observation.isRenewal || observation.facts?.suggestedOrder == nil
        else { return nil }
        let product = retry.product ?? ""
        return renewed.covers(Identifier(product), at: observation.purchasedAt) ? nil : product
    }

    /// Withdraws the demand to take back goods that may have been taken back: a reversal that does not count names them, one
    /// that no refund accounts for is of the account, or a rejected row mentions them.
    private func withholdReversal(_ observation: inout Observation) {
        guard let facts = observation.facts else { return }
        let since = policy.startOfDayBefore(facts.eventAt)
        if strays.isTakenBack(observation.reversalKeys, since: since) {
            observation.withhold(.investigate)
            return
        }
        let ids = facts.orders + facts.transactions + [facts.suggestedOrder].compactMap(\.self)
        if rejected.place(mentioning: ids, owner: [], since: since) != nil { observation.withhold(.fixInput) }
    }

    /// Names open orders in the demand: those of the owner, those of the accounts that claim the purchase, and those by which
    /// they claim it. Age and product do not matter: the goods may be given for one of them before a machine acts. If there are
    /// more than a demand can name, it is withdrawn.
    private func nameOpenOrders(of target: CreditTarget, in observation: inout Observation) {
        let named = openOrders.orders(of: target).filter { $0.text != observation.retry?.order }
        if named.count > OpenOrders.ordersMax {
            observation.withhold(.investigate)
        } else if !named.isEmpty {
            observation.retry?.name(named.map(\.text))
        }
    }

    /// Withdraws the demand where the desk recorded that it gave the goods: the action is to wait for that credit.
    ///
    /// - Returns: the record. Nil if there is none.
    private func deferToHandOut(_ observation: inout Observation) -> HandOut? {
        if given.isEmpty { return nil }
        guard let handOut = observation.facts?.transactions.compactMap({ given[$0] }).first else { return nil }
        if observation.retry?.movesGoods == true { observation.retry = nil }
        if observation.facts?.action == .credit { observation.facts?.action = .wait }
        return handOut
    }
}

/// Orders that nothing links to a payment and for which nothing was given, searchable by account and id.
struct OpenOrders {
    /// The number of orders that a demand names.
    static let ordersMax = 20
    /// The newest orders, by account in plain spelling: one more than a demand names, apart from its own order, because an
    /// account can have any number of them.
    private var byAccount: [String: [Identifier]] = [:]
    private var byID: [String: [Identifier]] = [:]

    init(_ orders: [UnlinkedOrder]) {
        let open = Set(orders.lazy.filter { $0.givenAt == nil }).ordered {
            ($0.createdAt, $0.id) > ($1.createdAt, $1.id)
        }
        byAccount = Dictionary(grouping: open) { $0.account.plainSpelling }
            .mapValues { $0.prefix(Self.ordersMax + 2).map(\.id) }
        byID = Dictionary(grouping: open.map(\.id), by: \.plainSpelling)
    }

    /// The orders, each once. There may be more than a demand can name.
    func orders(of target: CreditTarget) -> [Identifier] {
        if byID.isEmpty { return [] }
        var seen = Set<Identifier>()
        return
            (target.accounts.ordered().flatMap { byAccount[$0] ?? [] }
            + target.claimedOrders.ordered().flatMap { byID[$0] ?? [] })
            .filter { seen.insert($0).inserted }
    }
}

/// The demands that are withdrawn for one reason.
private struct Withheld {
    private var count = 0
    private var worth = MoneySum()
    private var names: Set<String> = []

    mutating func add(_ amount: Money?, name: String) {
        count += 1
        if let amount { worth.add(amount) }
        names.insert(name)
    }

    /// Of rows and credits, one name is enough: the least, whatever the order of the cases.
    func credits(for reason: WithheldCredits.Reason) -> WithheldCredits {
        let names = names.sorted()
        return WithheldCredits(
            reason: reason, count: count, worth: worth.amounts,
            names: reason == .renewals ? names : Array(names.prefix(1)))
    }
}

extension Observation {
    /// Withdraws the demand. `action` is what a person must do.
    mutating func withhold(_ action: Action) {
        retry = nil
        facts?.action = action
    }
}

extension CreditTarget {
    /// The purchase that a machine would credit. Nil if the observation demands no credit.
    init?(_ observation: Observation, by policy: Policy, _ rejected: RejectedRows) {
        guard let retry = observation.retry, retry.action == .credit, let facts = observation.facts else { return nil }
        self.init(
            owner: retry.account.map { Identifier($0) }, product: retry.product.map { Identifier($0) },
            orders: facts.orders + [retry.order, facts.suggestedOrder].compactMap { $0 },
            transactions: facts.transactions + [retry.transaction].compactMap { $0 }, original: retry.original,
            accounts: facts.accounts + (observation.tokenAccounts ?? []).map(\.text),
            since: policy.startOfDayBefore(facts.eventAt), isLifetime: observation.isLifetime
        ) { rejected.claimants(of: $0, since: $1).subtracting([""]) }
        (paidAt, tokens) = (facts.eventAt, Set(observation.tokens))
    }
}

extension Observation {
    /// The keys that find reversals of the goods that a machine would take back. Empty without such a demand.
    var reversalKeys: [SuggestionKey] {
        guard let retry, retry.action == .reverseCredit, let facts else { return [] }
        let goods = retry.account.map { [SuggestionKey.goods(of: Identifier($0))] } ?? []
        return goods + facts.orders.map { .order(spelling: plainSpelling(of: $0)) }
            + facts.transactions.map { .transaction(spelling: looseSpelling(of: $0)) }
    }
}

extension RejectedRows {
    /// `file:line` of a row that may be about the purchase, or about goods of the owner, of another account on its records,
    /// or of one that claims it. Nil if there is none.
    func place(speakingAgainst target: CreditTarget) -> String? {
        if isEmpty { return nil }
        let others = target.claimants.union(target.claimedOrders).union(target.spellings)
        return place(
            mentioning: target.orders.union(target.compactOrders).ordered() + target.transactions.ordered(),
            owner: [target.owner?.text].compactMap(\.self) + others.ordered(), since: target.since)
    }

    /// Collects tonight's rejected rows, and those of earlier nights that may concern what a machine would credit: rows
    /// of files dated from the day before the earliest of these purchases on.
    init(
        of delivered: Delivered, after history: some History, for observations: [Observation],
        by settings: NightSettings
    ) throws {
        let zone = settings.policy.zone
        self.init(zone: zone, prefixes: settings.prefixes)
        let anchors = observations.compactMap { $0.retry?.movesGoods == true ? $0.facts?.eventAt : nil }
        guard let earliest = anchors.min() else { return }
        let files = Dictionary(delivered.deliveries.map { ($0.name, $0) }) { first, _ in first }
        let earlier = try history.rejectedRows(since: zone.date(of: earliest).advanced(by: -1))
        // Where the same file came again, its newest rows are the ones to name.
        func isReplaced(_ row: RejectedRow) -> Bool { files[row.source]?.fileDate == row.date }
        for row in earlier where !isReplaced(row) { add(row) }
        let settled = try history.settledRows()
        var unlisted = files.mapValues(\.totals.rejected)
        for line in delivered.rejects {
            guard let file = files[line.source], FeedKind.evidence.contains(file.kind) else { continue }
            unlisted[file.name]? -= 1
            if settled.contains(line.reject.row) { continue }
            let (source, reject) = (line.source, line.reject)
            add(RejectedRow(kind: file.kind, date: file.fileDate, source: source, line: reject.line, row: reject.row))
        }
        for (name, count) in unlisted.ordered() where count > 0 && FeedKind.evidence.contains(files[name]!.kind) {
            add(RejectedRow(kind: files[name]!.kind, date: files[name]!.fileDate, source: name, line: 0, row: []))
        }
        for row in earlier where isReplaced(row) { add(row) }
    }
}
