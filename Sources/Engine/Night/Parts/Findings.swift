public import Matching

/// What judging a set of whole cases finds. A night's report and register are made from findings alone, so the cases may
/// be judged together or in parts.
///
/// Findings of sets that share no case add up: `append` is associative, and empty findings change nothing. Only the
/// order of lists depends on the order of the parts. What is made from the lists does not depend on it, apart from the
/// rules of `ExceptionRegister.apply` for subjects with the same alias; such subjects are in one part.
///
/// As JSON, they are without lists: what lists hold travels line by line between the stages of a night.
public struct Findings: Sendable, Codable {
    private enum CodingKeys: CodingKey {
        case cases, subjects, judged, flags, tally, purchases, contradictions, clockShifts, dates, rows, awaitingCredits
        case takenOrders, crowdedTokens, periods, statusOnly, statusOnlyAwaited, renewals, oldestGoods
    }

    /// How many cases were judged. Each had a verdict.
    public var cases = 0
    public var subjects = 0
    /// How many of them belong to cases that contain tonight's evidence, or that the next night judges again. This does
    /// not depend on which other cases were judged with them.
    public var judged = 0
    /// How many of these have each set of flags, without those of suggestions. Subjects without flags are left out.
    public var flags: [Flags: Int] = [:]
    /// How many subjects count as credited by their order's status alone.
    public var statusOnly = 0
    /// How many of them may have a row in a credits file that is not due yet.
    public var statusOnlyAwaited = 0
    /// What became of the subjects, and what they are worth.
    public var tally = SubjectTally()
    /// How the purchases reached the customers.
    public var purchases = PurchaseTally()
    /// The same purchases, and orphan receipts, by what they may have in common.
    public var tables = TablePieces()
    /// What the exception register must see: exceptions, and every subject of a case with a known exception. Without
    /// suggestions.
    public var observations: [Observation] = []
    /// Refunds that tonight's evidence reported.
    public var refunds: [RefundLine] = []
    /// Purchases that nothing links to an order.
    public var unlinkedPurchases: [UnlinkedPurchase] = []
    /// Orders that are linked to no purchase.
    public var unlinkedOrders: [UnlinkedOrder] = []
    /// Unlinked orders of cases that were not matched with tonight's evidence. Those of neighbours that were judged apart are also in
    /// `unlinkedOrders`; `openOrders` takes each once.
    var ordersElsewhere: [UnlinkedOrder] = []
    /// Credits that may have been meant for purchases of other cases.
    public var strayCredits: [StrayCredit] = []
    /// Of subscriptions that a machine would credit: the periods, by id.
    var periods: [Identifier: ChainPeriod] = [:]
    /// The first row that tells of the oldest goods on record, where they have a break and the row is at hand.
    var oldestGoods: Provenance?
    /// For the guard: how many of tonight's rows another row under the same id contradicts, by feed and file date.
    public var contradictions: [FeedDate: Int] = [:]
    /// For the guard: how many of tonight's purchases have an order or a credit with a time that cannot be right.
    public var clockShifts: [ShiftedDate: Int] = [:]
    /// What the guard compares, by date of purchase.
    public var dates: [BusinessDate: DateCounts] = [:]
    /// What became of the rows of tonight's files.
    public var rows = RowOutcomes()
    /// Tonight's credits of the desk that name no transaction.
    public var unnamedDeskCredits: [UnnamedDeskCredit] = []
    /// How many cases rely on an implicit credit of a day whose credits file is missing or not yet due.
    public var awaitingCredits = 0
    /// Orders that receipts name for a proven purchase of one case, and that belong to a proven purchase of another.
    public var takenOrders: Set<Identifier> = []
    /// Tokens per order that too many orders carry.
    public var crowdedTokens: Set<Token> = []
    /// See `LedgerFacts`.
    public var renewals: [Identifier: Renewal] = [:]
    /// For a part judged in memory: the keys of all evidence of each observed subject's case, by the subject's key. A
    /// later night finds the case of an exception by them.
    public var caseKeys: [SubjectKey: [SubjectKey]] = [:]

    public init() {}

    /// What these verdicts say.
    ///
    /// - Parameters:
    ///   - cases: the cases judged. There may be further verdicts, of cases judged apart.
    ///   - basis: what they were judged by.
    /// - Throws: `EngineError.unproven` where a case has no verdict.
    init(_ verdicts: Verdicts, of caseSet: CaseSet, by basis: Basis) throws(EngineError) {
        self = verdicts.findings
        cases = caseSet.count
        subjects = verdicts.all.count
        try verdicts.prove(count: cases)
        dates = DateCounts.byDate(of: caseSet, verdicts: verdicts, by: basis)
        oldestGoods = caseSet.oldestGoods(by: basis)
        awaitingCredits = verdicts.awaitingCredits.count
        periods = caseSet.transactions.periods(of: originals, basis.policy)
        takenOrders = caseSet.takenOrders
        crowdedTokens = Set(caseSet.crowdedTokens)
    }

    /// Appends what judging other cases found.
    public mutating func append(_ other: Findings) {
        cases += other.cases
        subjects += other.subjects
        judged += other.judged
        flags.merge(other.flags, uniquingKeysWith: +)
        statusOnly += other.statusOnly
        statusOnlyAwaited += other.statusOnlyAwaited
        tally.add(other.tally)
        purchases.add(other.purchases)
        tables.append(other.tables)
        observations += other.observations
        refunds += other.refunds
        unlinkedPurchases += other.unlinkedPurchases
        unlinkedOrders += other.unlinkedOrders
        ordersElsewhere += other.ordersElsewhere
        strayCredits += other.strayCredits
        periods.merge(other.periods) { first, _ in first }
        contradictions.merge(other.contradictions, uniquingKeysWith: +)
        clockShifts.merge(other.clockShifts, uniquingKeysWith: +)
        dates.merge(other.dates, uniquingKeysWith: +)
        rows.append(other.rows)
        unnamedDeskCredits += other.unnamedDeskCredits
        awaitingCredits += other.awaitingCredits
        takenOrders.formUnion(other.takenOrders)
        crowdedTokens.formUnion(other.crowdedTokens)
        renewals.add(other.renewals)
        oldestGoods = [oldestGoods, other.oldestGoods].compactMap(\.self).min {
            ($0.delivery, $0.line) < ($1.delivery, $1.line)
        }
        caseKeys.merge(other.caseKeys) { first, _ in first }
    }
}

/// What the guard compares for one date of purchase. Only Apple's records of the configured environment count.
public struct DateCounts: Hashable, Codable, Sendable {
    /// Purchases without any credit: a part of `proven`.
    public var uncredited = 0
    /// The same, made in a break of the goods on record: a part of `proven`, and not of `uncredited`. See `Policy.breaks`.
    public var inBreak = 0
    /// Subjects whose purchase is of another app: a part of `foreign`.
    public var invalid = 0
    /// Purchases credited twice, to another account, with another value, without an order, and refunded with their goods left:
    /// parts of `proven`.
    public var creditedTwice = 0, creditedToWrongAccount = 0, valueMismatch = 0, orderMissing = 0
    public var refundedNotReversed = 0
    /// Goods given for a purchase of another environment, for none at all, and for one that may still arrive. None is in
    /// `proven`.
    public var creditedInTest = 0, creditedNotPaid = 0, awaitingPayment = 0
    /// Current transactions of our apps, proven or vouched for.
    public var proven = 0
    /// Current transactions of other apps.
    public var foreign = 0

    static func += (left: inout DateCounts, right: DateCounts) { left = left + right }

    public static func + (left: DateCounts, right: DateCounts) -> DateCounts {
        DateCounts(
            uncredited: left.uncredited + right.uncredited, inBreak: left.inBreak + right.inBreak,
            invalid: left.invalid + right.invalid,
            creditedTwice: left.creditedTwice + right.creditedTwice,
            creditedToWrongAccount: left.creditedToWrongAccount + right.creditedToWrongAccount,
            valueMismatch: left.valueMismatch + right.valueMismatch,
            orderMissing: left.orderMissing + right.orderMissing,
            refundedNotReversed: left.refundedNotReversed + right.refundedNotReversed,
            creditedInTest: left.creditedInTest + right.creditedInTest,
            creditedNotPaid: left.creditedNotPaid + right.creditedNotPaid,
            awaitingPayment: left.awaitingPayment + right.awaitingPayment,
            proven: left.proven + right.proven, foreign: left.foreign + right.foreign)
    }
}

extension DateCounts {
    enum Column { case proven, foreign }

    /// Where the guard counts a current transaction. Nil if it does not.
    static func column(of transaction: Transaction, by policy: Policy) -> Column? {
        if transaction.environment != policy.environment || transaction.isFromReceipt { return nil }
        if transaction.failure == .wrongBundle { return .foreign }
        return transaction.proof >= .vouched ? .proven : nil
    }

    /// The counts of these cases.
    fileprivate static func byDate(
        of cases: CaseSet, verdicts: Verdicts, by basis: Basis
    ) -> [BusinessDate: DateCounts] {
        let policy = basis.policy
        let breaks = policy.breaks(basis.horizon.coverage.firstDate)
        var counts: [BusinessDate: DateCounts] = [:]
        // Neighbouring transactions are mostly of one date.
        var (date, span, sum) = (BusinessDate(day: 0), Instant.absent..<Instant.absent, DateCounts())
        func add(_ instant: Instant, _ column: Column) {
            if !span.contains(instant) {
                if sum != DateCounts() { counts[date, default: DateCounts()] += sum }
                (date, sum) = (policy.zone.date(of: instant), DateCounts())
                span = policy.zone.start(of: date)..<policy.zone.end(of: date)
            }
            if column == .proven { sum.proven += 1 } else { sum.foreign += 1 }
        }
        for (position, transaction) in cases.transactions.enumerated()
        where cases.groups.transactions.outcomes[position] == .current {
            if let column = column(of: transaction, by: policy) { add(transaction.purchasedAt, column) }
        }
        if sum != DateCounts() { counts[date, default: DateCounts()] += sum }
        for suspect in verdicts.suspects {
            let isInBreak = suspect.part.uncredited > 0 && breaks.contains { $0.contains(suspect.purchasedAt) }
            let part = isInBreak ? DateCounts(inBreak: 1) : suspect.part
            counts[policy.zone.date(of: suspect.purchasedAt), default: DateCounts()] += part
        }
        return counts
    }
}

extension CaseSet {
    /// The first row that tells of the oldest goods on record. Nil where they have no break.
    fileprivate func oldestGoods(by basis: Basis) -> Provenance? {
        guard let oldest = basis.policy.facts.goods.spans.first?.lowerBound,
            !basis.policy.breaks(basis.horizon.coverage.firstDate).isEmpty
        else { return nil }
        let given = credits.lazy.filter { $0.kind == .credit && $0.creditedAt == oldest }.map(\.source)
        let said = orders.lazy.filter { $0.status == .credited && ($0.updatedAt ?? $0.createdAt) == oldest }.map(
            \.source)
        return [
            given.min { ($0.delivery, $0.line) < ($1.delivery, $1.line) },
            said.min { ($0.delivery, $0.line) < ($1.delivery, $1.line) },
        ].compactMap(\.self).min { ($0.delivery, $0.line) < ($1.delivery, $1.line) }
    }
}

extension Findings {
    /// Notes a renewal that lacks its goods, and one whose goods the backend recorded by itself, and in time. An order that says
    /// `credited` must name it: with tokens per order, that of the first period stands with each one. Where Apple's record does
    /// not call it a renewal, an order of its time may mean that the customer bought it in the app.
    mutating func noteRenewal(
        _ subject: Subject, _ judgement: Judgement, isFollowed: Bool, in file: Case, by policy: Policy
    ) {
        guard judgement.verdict == .matched || judgement.verdict == .paidNotCredited, subject.backing == .purchase,
            let record = subject.leading.map({ file.transactions[$0] }), record.isRenewal(in: policy)
        else { return }
        let since = policy.startOfDayBefore(record.purchasedAt)
        var isRecorded = judgement.verdict == .matched
        if isRecorded {
            // If a night reported that goods are missing, a person or a repair may have given them.
            if isFollowed { return }
            let hasOrder = (subject.orders + subject.otherOrders).contains { file.orders[$0].createdAt >= since }
            isRecorded = subject.creditsLeft.allSatisfy { credit in
                credit.origin == .auto && (since...record.purchasedAt + .days(1)).contains(credit.creditedAt)
                    && (!credit.isImplicit || credit.transaction == record.id)
            }
            if !isRecorded || hasOrder && record.reason != .renewal { return }
        }
        renewals.add(
            Renewal(product: record.product, purchasedAt: record.purchasedAt, isRecorded: isRecorded), of: record.id)
    }

    /// The orders by whose number the desk gave the goods of a purchase, with the purchase's transaction id. Nothing else
    /// links the two, so their cases must become one: where there are any, everything is judged once more, with these
    /// in the policy's facts.
    public func deskOrders(window: Milliseconds) -> [Identifier: Identifier] {
        guard unlinkedOrders.contains(where: \.isGivenByDesk) else { return [:] }
        return suggestions(window: window).reduce(into: [:]) { orders, entry in
            if case .givenByDesk(let order) = entry.value { orders[order] = entry.key.id }
        }
    }

    /// The original ids of what a machine would credit.
    var originals: Set<Identifier> {
        Set(
            observations.lazy.compactMap(\.retry).filter { $0.action == .credit }.compactMap(\.original).map {
                Identifier($0)
            })
    }

    var strays: StrayCreditIndex { StrayCreditIndex(strayCredits.recognizing(periods.mapValues(\.original))) }

    /// The orders that nothing links to a payment and for which nothing was given.
    var openOrders: OpenOrders { OpenOrders(unlinkedOrders + ordersElsewhere) }

    /// The orders that the unlinked purchases most likely belong to.
    func suggestions(window: Milliseconds) -> [SubjectKey: Suggestion] {
        Matching.suggestions(for: unlinkedPurchases, among: unlinkedOrders, window: window)
    }

    /// Marks each exception with the order that it most likely belongs to.
    ///
    /// - Returns: the flags of the suggestions, by index of the observation.
    mutating func drainSuggestions(window: Milliseconds) -> [(index: Int, flags: Flags)] {
        let suggestions = suggestions(window: window)
        if suggestions.isEmpty { return [] }
        var marked: [(index: Int, flags: Flags)] = []
        for index in observations.indices {
            guard let suggestion = suggestions[observations[index].subject] else { continue }
            let known = Flags(named: observations[index].facts?.flags ?? [])
            var flags = known
            switch suggestion {
            case .order(let order): observations[index].suggest(order, isCertain: true, flags: &flags)
            case .given(let order), .givenByDesk(let order):
                observations[index].suggest(order, isCertain: false, flags: &flags)
            case .ambiguous: observations[index].suggest(nil, isCertain: false, flags: &flags)
            }
            flags.subtract(known)
            if flags.isEmpty { continue }
            self.flags[flags, default: 0] += 1
            marked.append((index, flags))
        }
        return marked
    }

    /// How many subjects have each flag, by the flag's name. Flags that none has are left out.
    var flagCounts: [String: Int] {
        flags.reduce(into: [:]) { sums, entry in
            for name in entry.key.names { sums[name, default: 0] += entry.value }
        }
    }
}

/// A credit that the desk gave without naming a transaction.
public struct UnnamedDeskCredit: Codable, Hashable, Sendable {
    public var id: Identifier
    public var account: Identifier
    public var source: Provenance
}
