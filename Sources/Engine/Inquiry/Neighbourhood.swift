internal import Domain
internal import Matching
internal import ReportData

/// Evidence of other cases that may belong to some subjects although no identifier links it: open purchases for their
/// orders, unused orders for their purchases, and credits that may have been meant for them.
struct Neighbourhood {
    /// A subject, and the inquiry that contains its evidence.
    struct Member {
        let inquiry: CaseInquiry
        let finding: CaseInquiry.Finding

        func answer(in context: Neighbourhood) throws -> LookupSubject {
            try inquiry.answer(of: finding, in: context)
        }
    }
    private var purchases: [(purchase: UnlinkedPurchase, member: Member)] = []
    private var orders: [UnlinkedOrder] = []
    private var credits: [NearCredit] = []
    private let window: Milliseconds

    init(of findings: [CaseInquiry.Finding], _ inquiry: CaseInquiry) throws {
        let (source, history) = (inquiry.source, inquiry.source.history)
        window = source.policy.suggestionWindow
        var keys = Set<SuggestionKey>()
        for finding in findings { keys.formUnion(inquiry.keys(around: finding)) }
        let others = try history.cases(unlinkedUnder: keys).subtracting(inquiry.cases)
        add(inquiry)
        if !others.isEmpty { add(try CaseInquiry(source, cases: others)) }
    }

    private mutating func add(_ inquiry: CaseInquiry) {
        for number in 0..<inquiry.book.count {
            let file = inquiry.book.file(of: number)
            orders += file.unlinkedOrders(policy: inquiry.source.policy)
        }
        for finding in inquiry.subjects {
            let file = inquiry.book.file(of: finding.number)
            if let unlinked = finding.subject.unlinkedPurchase(in: file, policy: inquiry.source.policy) {
                purchases.append((unlinked, Member(inquiry: inquiry, finding: finding)))
            }
            credits += NearCredit.all(of: finding, file)
        }
        // Superseded versions name orders and purchases, too.
        for evidence in inquiry.evidence { credits += evidence.credits.map { NearCredit(id: $0.id, credit: $0) } }
    }

    /// The orders that may belong to a purchase, earliest first.
    func orders(for subject: CaseInquiry.Finding) -> [Identifier] {
        guard let unlinked = purchases.first(where: { $0.purchase.subject == subject.judgement.subject })?.purchase
        else {
            return []
        }
        return orders.filter { suggests($0, unlinked) }.sorted { $0.createdAt < $1.createdAt }.map(\.id)
    }

    /// The purchases without goods that one of the subject's orders may belong to.
    func openPurchases(for finding: CaseInquiry.Finding, in file: Case) -> [Member] {
        guard finding.subject.backing != .purchase else { return [] }
        let own = Set(finding.judgement.members.orders.map { file.orders[$0].id })
        let unused = orders.filter { own.contains($0.id) }
        if unused.isEmpty { return [] }
        return purchases.filter { unlinked in
            unlinked.member.finding.judgement.lacksGoods && unused.contains { suggests($0, unlinked.purchase) }
        }.map(\.member)
    }

    /// The same for all these subjects, without purchases of the inquiry's own cases.
    func purchases(suggesting findings: [CaseInquiry.Finding], outside inquiry: CaseInquiry) -> [Member] {
        var seen = Set<SubjectKey>()
        return findings.flatMap { openPurchases(for: $0, in: inquiry.book.file(of: $0.number)) }.filter {
            !inquiry.cases.contains($0.finding.caseID) && seen.insert($0.finding.judgement.subject).inserted
        }
    }

    private func suggests(_ order: UnlinkedOrder, _ purchase: UnlinkedPurchase) -> Bool {
        order.account == purchase.owner && order.product == purchase.product
            && order.createdAt <= purchase.purchasedAt && purchase.purchasedAt <= order.createdAt + window
    }
}

/// A credit, and what it may have been given for.
private struct NearCredit {
    var id: Identifier
    var credit: Credit
    /// Nil if a purchase has the credit. Otherwise its product, which is nil in turn if it is not known.
    var product: Identifier??

    init(id: Identifier, credit: Credit, product: Identifier?? = nil) {
        self.id = id
        self.credit = credit
        self.product = product
    }

    /// The remaining credits of a subject without a purchase.
    static func all(of finding: CaseInquiry.Finding, _ file: Case) -> [NearCredit] {
        guard finding.subject.backing != .purchase else { return [] }
        return finding.subject.creditsLeft.map { credit in
            let order = credit.order.flatMap { id in file.orders.first { $0.id == id } }
            return NearCredit(id: credit.id, credit: credit, product: .some(credit.product ?? order?.product))
        }
    }
}

extension Neighbourhood {
    /// Credits that name one of the subject's orders or transactions in any spelling.
    func creditsOnRecord(of finding: CaseInquiry.Finding, in file: Case) -> [String] {
        let (orders, transactions) = finding.plainIDs(in: file)
        let named = credits.filter { near in
            guard near.credit.kind == .credit else { return false }
            return near.credit.order.map { orders.contains($0.plainSpelling) } == true
                || near.credit.transaction.map { transactions.contains($0.plainSpelling) } == true
        }
        return Set(named.map(\.id.text)).sorted()
    }

    /// Credits of the same account and product since the purchase that belong to no payment. Clocks may differ by
    /// minutes.
    func unplacedCredits(for finding: CaseInquiry.Finding) -> [String] {
        let judgement = finding.judgement
        guard let owner = judgement.owner else { return [] }
        let unplaced = credits.filter { near in
            guard let product = near.product, near.credit.account == owner else { return false }
            return (product == nil || judgement.product == nil || product == judgement.product)
                && near.credit.creditedAt + .minutes(5) >= judgement.anchor
        }
        return Set(unplaced.map(\.id.text)).sorted()
    }
}

extension Judgement {
    /// The customer may have paid and received nothing.
    fileprivate var lacksGoods: Bool {
        switch verdict {
        case .paidNotCredited, .undetermined: true
        case .waiting: cause == .waitsPaidNotCredited
        default: false
        }
    }
}

extension CaseInquiry.Finding {
    /// The plain spellings of the ids of the subject's orders and of its transactions.
    func plainIDs(in file: Case) -> (orders: Set<String>, transactions: Set<String>) {
        let orders = Set(judgement.members.orders + subject.orders + subject.otherOrders)
        let transactions = Set(judgement.members.transactions + subject.transactions + subject.lineMates)
        return (
            Set(orders.map { file.orders[$0].id.plainSpelling }).subtracting([""]),
            Set(transactions.map { file.transactions[$0].id.plainSpelling }).subtracting([""])
        )
    }
}

extension CaseInquiry {
    /// The keys that find cases with evidence which may belong to the subject.
    fileprivate func keys(around finding: Finding) -> Set<SuggestionKey> {
        let file = book.file(of: finding.number)
        var keys = Set<SuggestionKey>()
        if let unlinked = finding.subject.unlinkedPurchase(in: file, policy: source.policy) {
            keys.insert(unlinked.key)
        }
        if finding.subject.backing != .purchase {
            for order in file.unlinkedOrders(policy: source.policy) {
                keys.insert(order.key)
            }
        }
        guard finding.judgement.verdict == .paidNotCredited else { return keys }
        if let owner = finding.judgement.owner {
            for product in [finding.judgement.product ?? .absent, .absent] {
                keys.insert(.goods(account: owner, product: product))
            }
        }
        let (orders, transactions) = finding.plainIDs(in: file)
        for id in orders { keys.insert(.order(spelling: id)) }
        for id in transactions { keys.insert(.transaction(spelling: id)) }
        return keys
    }
}
