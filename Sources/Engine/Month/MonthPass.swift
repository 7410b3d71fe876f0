internal import Matching

/// One pass through the history: every case is matched and judged as of a run, and added to the month's figures.
struct MonthPass: Sendable {
    let stream: CaseStream
    let scope: MonthScope
    let basis: Basis
    /// The closed months. Their windows are the first ones of `scope`.
    let closed: ClosedMonths
    /// Receives the purchases and refunds of the month; nil if they are not listed.
    let sink: (any PurchaseSink)?

    /// - Parameter isLatest: whether the run is the history's last one.
    func run(_ history: some MonthHistory, isLatest: Bool) throws -> MonthSum {
        let start = MonthSum(self, owner: try tokenOwners(history, isLatest: isLatest).owner)
        let parts = try stream.parts(start) { number, stored, sum in
            sum.add(stored)
            guard let sink else { return }
            try sink.add(sum.purchases, piece: number)
            sum.purchases.removeAll(keepingCapacity: true)
        }
        return parts.dropFirst().reduce(into: parts[0]) { $0.merge($1) }
    }

    /// The owners of tokens as of the run. A history keeps only the present ones; earlier ones are counted from the
    /// orders known then.
    private func tokenOwners(_ history: some MonthHistory, isLatest: Bool) throws -> TokenOwnerList {
        let isUsed = basis.policy.tokenUse == .account
        guard isUsed || closed.reported?.basis.policy.tokenUse == .account else { return TokenOwnerList([]) }
        if isLatest && isUsed { return try TokenOwnerList(history) }
        let policy = basis.policy
        let parts = try stream.parts([(token: Token, account: Identifier)]()) { _, stored, orders in
            Versions(stored.evidence, policy: policy).forEachTokenClaim { orders.append(($0, $1)) }
        }
        return TokenOwnerList(parts.flatMap { $0 })
    }
}

struct MonthSum: Sendable {
    private let pass: MonthPass
    private let owner: @Sendable (Token) -> TokenOwner
    private(set) var tally: MonthTally
    private(set) var changes = ClosedChanges()
    /// The part of them that changed settings, or a changed product list, account for.
    private(set) var bySettings = ClosedChanges()
    /// The part of each of them alone, in the order of `ClosedMonths.former`. Empty where one changed, or too many.
    private(set) var bySetting: [ClosedChanges] = []
    private(set) var entryRows = EntryRows()
    private(set) var completeness = Completeness()
    /// How the goods of the purchases of the month, and of the dates before it that its limits look at, reached the customers.
    private(set) var outcomes = PurchaseTally()
    /// The same purchases, and orphan receipts, by what they may have in common.
    private(set) var tables = TablePieces()
    private var counter: PurchaseCounter
    /// The purchases and refunds of the piece that is being added, if they are listed.
    fileprivate var purchases: [PurchaseRow] = []
    /// The dates whose purchases are counted.
    private let dates: ClosedRange<BusinessDate>
    private var isListing: Bool { pass.sink != nil }

    fileprivate init(_ pass: MonthPass, owner: @escaping @Sendable (Token) -> TokenOwner) {
        self.pass = pass
        self.owner = owner
        tally = MonthTally(pass.scope)
        dates = pass.scope.month.first.advanced(by: -RateLimits.span)...pass.scope.month.last
        counter = PurchaseCounter(pass.basis, dates: dates)
        // Each is one more judgement of every case.
        let former = pass.closed.former.count
        if (2...3).contains(former) { bySetting = Array(repeating: ClosedChanges(), count: former) }
    }

    fileprivate mutating func merge(_ other: MonthSum) {
        tally.merge(other.tally)
        changes.merge(other.changes)
        bySettings.merge(other.bySettings)
        for index in bySetting.indices { bySetting[index].merge(other.bySetting[index]) }
        entryRows.merge(other.entryRows)
        completeness.merge(other.completeness)
        outcomes.add(other.outcomes)
        tables.append(other.tables)
    }

    fileprivate mutating func add(_ stored: StoredEvidence) {
        let judged = judged(stored, pass.basis)
        completeness.addStored(stored.evidence)
        var doubtful = Set<CaseID>()
        var evidence = Case()
        for number in 0..<judged.cases.count where !addClean(number, of: judged) {
            if !pass.closed.months.isEmpty { doubtful.formUnion(stored.caseIDs(of: number, in: judged.cases.groups)) }
            addCase(number, of: judged, &evidence)
        }
        tables.append(counter.take())
        guard let reported = pass.closed.reported else { return }
        // What closed months change by: these cases as they are now, less the same cases as they were when the months
        // were last reported. A case without new evidence that matches cleanly is the same, unless the basis changed or it lost a row.
        var former = stored
        doubtful.formUnion(former.moveBack(since: reported.delivery))
        if !pass.closed.isSameBasis {
            restate(stored, former, reported)
        } else {
            doubtful.formUnion(stored.caseIDs(since: reported.delivery))
            if doubtful.isEmpty { return }
            let isDoubtful = { (id: CaseID, _: Provenance) in doubtful.contains(id) }
            restate(stored.filtered(isDoubtful), former.filtered(isDoubtful), reported)
        }
    }

    private func judged(_ stored: StoredEvidence, _ basis: Basis) -> JudgedCases {
        JudgedCases(Versions(stored.evidence, policy: basis.policy), basis, stored: stored.cases, owner: owner)
    }

    /// Adds the case to the tally at once if it matches cleanly, as nearly all do. False if it does not.
    private mutating func addClean(_ number: Int, of judged: JudgedCases) -> Bool {
        let cases = judged.cases
        guard cases.groups.transactions.superseded(in: number).isEmpty,
            cases.groups.orders.superseded(in: number).isEmpty, let clean = judged.cleanMatch(number)
        else { return false }
        let (purchase, order) = (cases.transactions[clean.transaction], cases.orders[clean.order])
        let credit = cases.credits[clean.credit]
        guard tally.addCleanMatch(purchase, order, creditedAt: credit.creditedAt, amount: clean.amount) else {
            return false
        }
        let isWithin = pass.scope.span.contains(purchase.purchasedAt)
        let outcome = PurchaseOutcome(
            purchase.purchasedAt, creditedAt: credit.creditedAt, by: credit.origin, in: pass.scope.policy.zone)
        if let date = outcome?.date, dates.contains(date) {
            outcomes.add(outcome, clean.amount)
            counter.add(
                purchase, order, credit, outcome: outcome, amount: clean.amount, labels: clean.labels,
                of: 0)
        }
        completeness.addCleanMatch(purchase, order, isWithin: isWithin)
        if isListing, isWithin {
            let row = PurchaseRow(purchase, of: order, amount: clean.amount, labels: clean.labels, in: pass.scope)
            purchases.append(row)
            purchases.append(row.given(by: credit))
        }
        return true
    }

    private mutating func addCase(_ number: Int, of judged: JudgedCases, _ evidence: inout Case) {
        let cases = judged.cases
        let superseded = cases.superseded(in: number)
        let olderOrders = cases.groups.orders.superseded(in: number).map { cases.orders[Int($0)] }
        var entries: [Completeness.Entry] = []
        judged.forEachSubject(of: number, in: &evidence) { subject, judgement, file in
            entries.append(Completeness.Entry(subject: subject, judgement: judgement))
            let outcome = PurchaseOutcome(subject, judgement, in: file, policy: pass.scope.policy)
            if let date = outcome?.date, dates.contains(date) { outcomes.add(outcome, judgement.amount) }
            counter.add(subject, judgement, outcome: outcome, in: file, of: 0)
        }
        addBookedOrders(to: &entries)
        for entry in entries {
            let legs = tally.add(
                entry.subject, entry.judgement, in: evidence, orders: entry.orders, superseded: superseded)
            if pass.closed.reported == nil {
                entryRows.add(
                    legs, of: entry.subject, entry.judgement, before: pass.scope.bookSpan.upperBound, times: 1,
                    number: pass.scope.number)
            }
            if isListing {
                for rows in [PurchaseRow.rows, PurchaseRow.goods, PurchaseRow.balances] {
                    purchases += rows(entry.subject, entry.judgement, legs, evidence, pass.scope)
                }
            }
        }
        completeness.add(entries, in: evidence, superseded: superseded, olderOrders: olderOrders, pass.scope)
    }

    /// Adds what the subjects of these cases move in closed months now, and subtracts what they moved as last reported.
    ///
    /// - Parameter former: the same evidence in the cases of then.
    private mutating func restate(
        _ stored: StoredEvidence, _ former: StoredEvidence, _ reported: (basis: Basis, delivery: DeliveryID)
    ) {
        var origins: [Provenance: NewRows] = [:]
        let isSame = pass.closed.hasSameSettings
        let alone = bySetting.indices.map { index -> WritableKeyPath<Self, ClosedChanges> in \.bySetting[index] }
        addChanges(
            judged(stored, pass.basis), within: pass.closed.months.map(\.window),
            before: pass.scope.bookSpan.upperBound, times: 1, since: reported.delivery, &origins,
            to: isSame ? [\.changes] : [\.changes, \.bySettings] + alone)
        let known = former.filtered { _, source in source.delivery <= reported.delivery }
        let windows = pass.closed.months.map(\.reported)
        let end = windows.map(\.upperBound).max()!
        addChanges(
            judged(known, reported.basis), within: windows, before: end, times: -1, since: nil, &origins,
            to: [\.changes])
        if isSame { return }
        // What today's evidence comes to by the former settings: the rest, the changed ones account for.
        var basis = pass.basis
        basis.policy = reported.basis.policy
        origins = [:]
        addChanges(
            judged(stored, basis), within: windows, before: end, times: -1, since: nil, &origins, to: [\.bySettings])
        for (index, former) in zip(bySetting.indices, pass.closed.former) {
            basis.policy = former.policy
            let isSameZone = former.policy.zone.name == pass.basis.policy.zone.name
            addChanges(
                judged(stored, basis), within: isSameZone ? pass.closed.months.map(\.window) : windows, before: end,
                times: -1, since: nil, &origins, to: [alone[index]])
            bySetting[index].dropUnchanged()
        }
    }

    /// - Parameters:
    ///   - end: the end of the sub-ledger.
    ///   - since: evidence of later deliveries is new; nil without one.
    ///   - origins: for each row, the new rows about its subject. The rows of an order that became a purchase now belong
    ///     to the purchase. For an older version, the new one, which may belong to another subject.
    ///   - sums: what they are added to.
    private mutating func addChanges(
        _ judged: JudgedCases, within windows: [Range<Instant>], before end: Instant, times: Int64,
        since: DeliveryID?, _ origins: inout [Provenance: NewRows], to sums: [WritableKeyPath<Self, ClosedChanges>]
    ) {
        let (month, policy) = (pass.scope.month, judged.basis.policy)
        let number = { (instant: Instant) in month.number(of: policy.zone.date(of: instant)) }
        var file = Case()
        if let since { origins = judged.cases.newVersions(since: since) }
        for index in 0..<judged.cases.count {
            let superseded = judged.cases.superseded(in: index)
            var entries: [Completeness.Entry] = []
            judged.forEachSubject(of: index, in: &file) { subject, judgement, _ in
                entries.append(Completeness.Entry(subject: subject, judgement: judgement))
            }
            addBookedOrders(to: &entries)
            for entry in entries {
                let (subject, judgement, orders) = (
                    entry.subject, entry.judgement, entry.orders.map { file.orders[$0] }
                )
                let legs = Legs(subject, judgement, in: file, superseded: superseded, policy: policy)
                if sums.contains(\.changes) {
                    entryRows.add(legs, of: subject, judgement, before: end, times: times, number: number)
                }
                var former = NewRows()
                if let since {
                    let news = subject.news(since: since, in: file)
                    if news != NewRows() { for row in subject.rows(in: file) { origins[row] = news } }
                } else if !origins.isEmpty {
                    former = subject.rows(in: file).compactMap { origins[$0] }.first ?? former
                }
                for (index, window) in windows.enumerated() {
                    guard
                        legs.withPartialRefunds.contains(where: { window.contains($0.at) })
                            || orders.contains(where: { window.contains($0.createdAt) })
                    else { continue }
                    let figures = legs.figures(
                        of: subject, judgement, orders: orders, in: file, by: policy, within: window, number: number)
                    let news = since.map { subject.news(since: $0, within: window, in: file) } ?? former
                    let place = SalesPlace(of: subject, judgement, in: file)
                    let given = subject.position.credits.compactMap(\.product).first { $0 != judgement.product }
                    for sum in sums {
                        self[keyPath: sum].add(
                            legs, of: subject, judgement, at: place, given: given, within: window, number: index,
                            figures: figures,
                            times: times, news: news)
                    }
                }
            }
        }
    }
}

extension Legs {
    /// What the subject adds to the figures of a month beside the movements, by currency and by the figure's word.
    fileprivate func figures(
        of subject: Subject, _ judgement: Judgement, orders: [Order], in file: Case, by policy: Policy,
        within window: Range<Instant>, number: (Instant) -> Int
    ) -> [Currency: [String: Int64]] {
        let month = number(window.lowerBound)
        var figures = strayed(within: window).mapValues { [RegisterReason.wrongAccount.rawValue: $0] }
        for (reason, value) in parts(ofMonth: month, verdict: judgement.verdict, number: number) {
            figures[value.currency, default: [:]][reason.code, default: 0] &+= value.minor
        }
        if judgement.verdict == .outOfScope { return figures }
        let type = subject.leading.flatMap { policy.products.type(of: file.transactions[$0]) }
        let bookings = SubjectBookings(
            orders, of: subject, legs: self, isRenewable: type == .autoRenewable, inMonth: month, number: number)
        for (currency, minor) in bookings.booked { figures[currency, default: [:]]["booked", default: 0] &+= minor }
        for (reason, value) in bookings.parts {
            figures[value.currency, default: [:]][reason.rawValue, default: 0] &+= value.minor
        }
        return figures
    }
}

extension Subject {
    /// The latest rows of deliveries after `since`; of goods, first those that moved in `window`.
    fileprivate func news(since: DeliveryID, within window: Range<Instant>? = nil, in file: Case) -> NewRows {
        func new(_ rows: [Provenance]) -> Provenance? { latest(rows.filter { $0.delivery > since }) }
        let goods = position.credits + position.reversals
        return NewRows(
            money: new((transactions + lineMates).map { file.transactions[$0].source }),
            goods: new(goods.filter { window?.contains($0.creditedAt) == true }.map(\.source))
                ?? new(goods.map(\.source)),
            orders: new(orders.map { file.orders[$0].source }))
    }

    /// The rows of records, orders and goods that it consists of.
    fileprivate func rows(in file: Case) -> [Provenance] {
        (transactions + lineMates).map { file.transactions[$0].source }
            + (orders + otherOrders).map { file.orders[$0].source }
            + (position.credits + position.reversals).map(\.source)
    }
}

/// The orders whose bookings count for each of a case's subjects: those that decide about it, then those that are only
/// shown with it. Each order counts once.
private func addBookedOrders(to entries: inout [Completeness.Entry]) {
    var taken = Set<Int>()
    for orders in [\Subject.orders, \.otherOrders] {
        for index in entries.indices {
            entries[index].orders += entries[index].subject[keyPath: orders].filter { taken.insert($0).inserted }
        }
    }
}

extension CaseSet {
    /// The new version of each order and credit that is on record in another one.
    fileprivate func newVersions(since: DeliveryID) -> [Provenance: NewRows] {
        var versions: [Provenance: NewRows] = [:]
        for number in 0..<count {
            for older in groups.orders.superseded(in: number).map({ orders[Int($0)] }) {
                let own = groups.orders[number].lazy.map { orders[Int($0)] }.first { $0.id == older.id }?.source
                if let own, own.delivery > since { versions[older.source] = NewRows(orders: own) }
            }
            for older in groups.credits.superseded(in: number).map({ credits[Int($0)] }) {
                let own = groups.credits[number].lazy.map { credits[Int($0)] }.first { $0.id == older.id }?.source
                if let own, own.delivery > since { versions[older.source] = NewRows(goods: own) }
            }
        }
        return versions
    }

    /// The older versions of a case's transactions.
    fileprivate func superseded(in number: Int) -> [Transaction] {
        groups.transactions.superseded(in: number).map { transactions[Int($0)] }
    }
}

extension StoredEvidence {
    /// The cases that contain evidence of a later delivery than `delivery`.
    fileprivate func caseIDs(since delivery: DeliveryID) -> Set<CaseID> {
        filtered { _, source in source.delivery > delivery }.caseIDs
    }

    /// The stored cases of a matched case's current evidence.
    fileprivate func caseIDs(of number: Int, in groups: ByKind<CaseGroups>) -> Set<CaseID> {
        Set(zip(groups.all, self.cases.all).flatMap { groups, cases in groups[number].map { cases[Int($0)] } })
    }
}
