internal import Matching

/// Evidence of other cases that may belong to some subjects although no identifier links it: open purchases for their
/// orders, unused orders for their purchases, and credits that may have been meant for them.
struct Neighbourhood {
    /// A subject, and the inquiry that contains its evidence.
    struct Member {
        let inquiry: CaseInquiry
        let finding: CaseInquiry.JudgedSubject

        func answer(in context: Neighbourhood) throws -> LookupSubject {
            try inquiry.answer(of: finding, in: context)
        }
    }
    private var purchases: [(purchase: UnlinkedPurchase, member: Member)] = []
    private var orders: [UnlinkedOrder] = []
    private var credits: [StrayCredit] = []
    /// Credits that are not stray, superseded versions included, with the ids that they name: spelling is what takes time.
    private var otherCredits: [(credit: StrayCredit, names: Set<String>)] = []
    private var owned: [StrayCredit] = []
    /// What became of the payments for Non-Consumables that lack their goods.
    private var lost = LostPayments()
    /// Credits that a payment of their case accounts for, each with that payment.
    private var placed: [(credit: StrayCredit, payment: Transaction)] = []
    private var claims: [StrayCredit] = []
    /// Of all claims. Building it takes longer than any search in it.
    private var claimIndex = StrayCreditIndex([])
    private let periods: [Identifier: ChainPeriod]
    private let claimants: Set<String>
    private let handOuts: [Identifier: HandOut]
    /// The accounts whose orders carry the tokens of payments that lack their goods.
    private let tokenAccounts: [Token: TokenAccounts]
    private let policy: Policy

    /// - Parameter claimants: words of rejected receipts that claim the subjects' purchases, in plain spelling.
    init(of findings: [CaseInquiry.JudgedSubject], _ inquiry: CaseInquiry, claimants: Set<String> = []) throws {
        let (source, history) = (inquiry.source, inquiry.source.history)
        policy = source.policy
        (self.claimants, handOuts) = (claimants, source.handOuts)
        let originals = findings.filter { $0.judgement.verdict == .paidNotCredited }.compactMap(\.original)
        periods = try history.periods(of: Set(originals), policy)
        let tokens = findings.filter { $0.judgement.verdict == .paidNotCredited }
            .flatMap { $0.subject.tokens(in: $0.file).compactMap { Token($0) } }
        tokenAccounts = policy.tokenUse == .account ? try history.owners(of: Set(tokens), atMost: 20) : [:]
        var loaded = inquiry.cases
        for handOut in source.handOuts.values { lost.add(given: handOut.transaction.text) }
        try add(inquiry)
        // What is found first may name accounts that claim the purchase; their goods come second.
        for _ in 0..<2 {
            let known = Set(periods.keys.map(SuggestionKey.transaction))
            let keys = findings.reduce(into: known) { $0.formUnion(inquiry.keys(around: $1, target($1))) }
            let others = try history.cases(unlinkedUnder: keys).subtracting(loaded)
            if others.isEmpty { continue }
            try add(CaseInquiry(source, cases: others))
            loaded.formUnion(others)
        }
        let known = try history.accountsOnRecord(
            among: Set(credits.lazy.filter(\.hasWrappedAccount).map(\.account)), policy.environment)
        credits = credits.noting(known)
    }

    /// What a stray credit may have been meant for.
    func target(_ finding: CaseInquiry.JudgedSubject) -> CreditTarget {
        let (orders, transactions) = (Array(finding.plainIDs.orders), Array(finding.plainIDs.transactions))
        let own = finding.evidence
        let tokens = finding.subject.tokens(in: finding.file)
        let accounts =
            own.orders.map(\.account) + own.credits.map(\.account) + own.receipts.map(\.account)
            + tokens.flatMap { Token($0).flatMap { tokenAccounts[$0] }?.keys.map(\.self) ?? [] }
        var target = CreditTarget(
            owner: finding.judgement.owner, product: finding.judgement.product,
            orders: orders + unserved(for: finding).map(\.id.text),
            transactions: transactions,
            original: finding.original?.text, accounts: accounts.map(\.text),
            since: policy.startOfDayBefore(finding.judgement.anchor),
            isLifetime: finding.subject.leading.map { finding.file.transactions[$0].isLifetime(policy) } ?? false
        ) { _, _ in claimants }
        target.paidAt = finding.judgement.anchor
        target.tokens = Set(tokens)
        return claimIndex.claimed(target)
    }

    private mutating func add(_ inquiry: CaseInquiry) throws {
        for number in 0..<inquiry.book.count {
            orders += inquiry.book.file(of: number).unlinkedOrders(policy: policy)
            let found = inquiry.book.contradictions(in: number, since: .max, zone: policy.zone) { _, _ in }
            credits += found.filter { $0.kind == .credit }
            claims += found.filter { $0.kind == .notAccepted } + inquiry.book.strayClaims(in: number, by: policy)
        }
        for finding in inquiry.subjects {
            let file = finding.file
            if let unlinked = finding.unlinkedPurchase(policy) {
                purchases.append((unlinked, Member(inquiry: inquiry, finding: finding)))
            }
            let found = file.strayCredits(
                of: finding.subject, finding.judgement, former: inquiry.book.formerOrders(in: finding.number),
                arrived: inquiry.book.creditsArrived(in: finding.number),
                horizon: inquiry.source.horizon, by: policy)
            if let leading = finding.subject.leading,
                let credit = file.placedCredit(
                    of: finding.subject, finding.judgement, arrived: inquiry.book.creditsArrived(in: finding.number),
                    horizon: inquiry.source.horizon, zone: policy.zone)
            {
                placed.append((credit, file.transactions[leading]))
            }
            credits += found.filter { $0.kind == .credit }
            owned += found.filter(\.isSingle)
            if found.contains(where: { $0.kind == .lacked }) { try inquiry.note(finding, in: &lost) }
        }
        for credit in inquiry.evidence.lazy.flatMap(\.credits) where credit.kind == .credit {
            let names = [credit.order?.plainSpelling, credit.transaction.map { looseSpelling(of: $0.text) }]
            otherCredits.append((StrayCredit(credit, isUnplaced: false), Set(names.compactMap(\.self))))
        }
        let originals = periods.mapValues(\.original)
        (credits, claims) = (credits.recognizing(originals), claims.recognizing(originals))
        claimIndex = StrayCreditIndex(claims)
    }

    /// The period of another plan to which the customer changed while the purchase's period ran.
    func replacement(of finding: CaseInquiry.JudgedSubject) -> ChainPeriod? {
        finding.subject.leading.flatMap { periods.replacement(of: finding.file.transactions[$0].id) }
    }

    /// The orders that may belong to the purchase and say that its payment was refunded.
    func refundedOrders(for finding: CaseInquiry.JudgedSubject) -> [Identifier] {
        let own = purchases.first { $0.purchase.subject == finding.judgement.subject }?.purchase
        return unserved(for: finding).filter { $0.isRefunded && own.map($0.isOverruled) != true }.map(\.id).ordered()
    }

    /// The orders that may belong to a purchase, without those whose goods were given before it.
    private func unserved(for finding: CaseInquiry.JudgedSubject) -> [UnlinkedOrder] {
        let candidates = Set(orders(for: finding))
        return orders.filter { order in
            candidates.contains(order.id) && order.givenAt.map { $0 >= finding.judgement.anchor } != false
        }
    }

    /// The orders that may belong to a purchase, earliest first.
    func orders(for subject: CaseInquiry.JudgedSubject) -> [Identifier] {
        guard let unlinked = purchases.first(where: { $0.purchase.subject == subject.judgement.subject })?.purchase
        else {
            return []
        }
        return orders.filter { suggests($0, unlinked, within: policy.suggestionWindow) }.ordered {
            $0.createdAt < $1.createdAt
        }.map(\.id)
    }

    /// The purchases without goods that one of the subject's orders may belong to. An open order may be paid later than
    /// a suggestion looks: when a parent allows the purchase.
    func openPurchases(for finding: CaseInquiry.JudgedSubject) -> [Member] {
        purchases(for: finding, within: max(policy.suggestionWindow, policy.orderTTL), where: \.lacksGoods)
    }

    /// The delivered purchases without an order that one of the subject's orders may belong to.
    func orderlessPurchases(for finding: CaseInquiry.JudgedSubject) -> [Member] {
        purchases(for: finding, within: policy.suggestionWindow) { $0.judgement.verdict == .orderMissing }
    }

    private func purchases(
        for finding: CaseInquiry.JudgedSubject, within window: Milliseconds,
        where isWanted: (CaseInquiry.JudgedSubject) -> Bool
    ) -> [Member] {
        guard finding.subject.backing != .purchase else { return [] }
        let own = Set(finding.evidence.orders.map(\.id))
        let unused = orders.filter { own.contains($0.id) }
        return purchases.filter { unlinked in
            isWanted(unlinked.member.finding)
                && unused.contains { suggests($0, unlinked.purchase, within: window) }
        }.map(\.member)
    }

    /// The open purchases of all these subjects, without those of the inquiry's own cases.
    func purchases(suggesting findings: [CaseInquiry.JudgedSubject], outside inquiry: CaseInquiry) -> [Member] {
        var seen = Set<SubjectKey>()
        return findings.flatMap(openPurchases).filter {
            !inquiry.cases.contains($0.finding.caseID) && seen.insert($0.finding.judgement.subject).inserted
        }
    }

    private func suggests(_ order: UnlinkedOrder, _ purchase: UnlinkedPurchase, within window: Milliseconds) -> Bool {
        order.account == purchase.owner && order.product == purchase.product
            && order.createdAt <= purchase.purchasedAt
            && purchase.purchasedAt <= order.createdAt + window
    }
}

extension Neighbourhood {
    /// Credits that name one of the subject's orders or transactions in any spelling.
    func creditsOnRecord(of finding: CaseInquiry.JudgedSubject) -> [String] {
        let target = target(finding)
        let names = target.orders.union(target.transactions).union(target.claimedOrders)
        let named = otherCredits.filter {
            !$0.names.isDisjoint(with: names) && target.namesItself($0.credit) && !isOfAnotherPeriod($0.credit, finding)
        }
        return Set((credits.filter(target.isNamed) + named.map(\.credit)).map(\.id.text)).ordered()
    }

    /// The credit names the order of a renewal's first period and was given for another payment: before this one, or for one
    /// that it names, within a day.
    private func isOfAnotherPeriod(_ credit: StrayCredit, _ finding: CaseInquiry.JudgedSubject) -> Bool {
        guard finding.isLaterPeriod(in: policy), credit.account == finding.judgement.owner else { return false }
        let since = policy.startOfDayBefore(finding.judgement.anchor)
        let own = Set(finding.subject.transactions.map { finding.file.transactions[$0].id })
        return placed.contains { other, payment in
            other.id == credit.id && other.account == credit.account && other.order == credit.order
                && other.transaction == credit.transaction && !own.contains(payment.id)
                && (other.givenAt < since
                    || other.transaction == payment.id && other.givenAt <= payment.purchasedAt + .days(1))
        }
    }

    /// The payments by which the owner has the goods already, or is to have them, and cannot have them twice; or credits
    /// without a payment.
    func earlierPayments(for finding: CaseInquiry.JudgedSubject) -> [String] {
        Set(ownedGoods(of: finding).map { ($0.transaction ?? $0.id).text }).ordered()
    }

    /// Whether the owner has these goods already.
    func hasOwned(_ finding: CaseInquiry.JudgedSubject) -> Bool {
        ownedGoods(of: finding).contains { $0.kind == .owned || $0.transaction.map { handOuts[$0] != nil } == true }
    }

    private func ownedGoods(of finding: CaseInquiry.JudgedSubject) -> [StrayCredit] {
        let target = target(finding)
        return owned.filter { target.isOwned(by: $0, lost) }
    }

    /// Goods of the owner that no payment accounts for.
    func unplacedCredits(for finding: CaseInquiry.JudgedSubject) -> [String] {
        let target = target(finding)
        return Set(credits.filter(target.mayBeMeant).map(\.id.text)).ordered()
    }

    /// Whether a receipt of another account was once accepted for the purchase, or for it in another spelling.
    func isDisputed(_ finding: CaseInquiry.JudgedSubject) -> Bool {
        claimIndex.isDisputed(target(finding))
    }
}

extension CaseInquiry.JudgedSubject {
    /// The customer may have paid and received nothing.
    var lacksGoods: Bool {
        switch judgement.verdict {
        case .paidNotCredited, .undetermined: true
        case .waiting: judgement.cause == .waitsPaidNotCredited
        default: false
        }
    }

    /// The purchase that it is about. Nil if it is about none.
    private var purchase: Transaction? {
        subject.backing == .purchase ? subject.leading.map { file.transactions[$0] } : nil
    }

    func isRenewal(in policy: Policy) -> Bool { purchase?.isRenewal(in: policy) == true }

    func isLaterPeriod(in policy: Policy) -> Bool { purchase?.isLaterPeriod(in: policy) == true }

    /// See `Withholding`.
    func isUnrecordedRenewal(by policy: Policy, in context: Neighbourhood) -> Bool {
        guard judgement.cause == .noOrder, let purchase, purchase.isLaterPeriod(in: policy),
            purchase.isRenewal(in: policy) || context.orders(for: self).isEmpty
        else { return false }
        return !policy.facts.renewals.recordedSince.covers(purchase.product, at: purchase.purchasedAt)
    }

    /// The plain spellings of the ids of the subject's orders and of its transactions.
    var plainIDs: (orders: Set<String>, transactions: Set<String>) {
        let orders = Set(judgement.members.orders + subject.orders + subject.otherOrders)
        let transactions = Set(judgement.members.transactions + subject.transactions + subject.lineMates)
        return (
            Set(orders.map { file.orders[$0].id.plainSpelling }).subtracting([""]),
            Set(transactions.map { file.transactions[$0].id.plainSpelling }).subtracting([""])
        )
    }

    /// The subject as an unlinked purchase. What lacks goods was of the environment of its night, whatever is configured since.
    fileprivate func unlinkedPurchase(_ policy: Policy) -> UnlinkedPurchase? {
        var policy = policy
        if lacksGoods, let leading = subject.leading { policy.environment = file.transactions[leading].environment }
        return subject.unlinkedPurchase(in: file, policy: policy)
    }

    fileprivate var original: Identifier? { subject.leading.flatMap { file.transactions[$0].original } }
}

extension Case {
    /// The only credit of a payment that it agrees with, with the time at which it counts as given.
    fileprivate func placedCredit(
        of subject: Subject, _ judgement: Judgement, arrived: [Identifier: BusinessDate], horizon: Horizon, zone: Zone
    ) -> StrayCredit? {
        guard subject.backing == .purchase, judgement.verdict == .matched, subject.position.reversals.isEmpty,
            subject.creditsLeft.count == 1, let credit = subject.creditsLeft.first, !credit.isImplicit,
            credit.account == judgement.owner
        else { return nil }
        var placed = StrayCredit(credit, isUnplaced: false)
        let fileDate = arrived[credit.id] ?? credit.source.fileDate
        if credit.isLate(in: fileDate, horizon, zone) { placed.givenAt = zone.end(of: fileDate) }
        return placed
    }
}

extension CaseInquiry {
    /// The keys that find cases with evidence which may belong to the subject.
    fileprivate func keys(around finding: JudgedSubject, _ target: CreditTarget) -> Set<SuggestionKey> {
        var keys = Set<SuggestionKey>()
        if let unlinked = finding.unlinkedPurchase(source.policy) {
            keys.insert(unlinked.key)
        }
        if finding.subject.backing != .purchase {
            keys.formUnion(finding.file.unlinkedOrders(policy: source.policy).map(\.key))
        }
        guard finding.judgement.verdict == .paidNotCredited else { return keys }
        return keys.union(target.keys)
    }
}
