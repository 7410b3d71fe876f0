internal import Domain
internal import Matching
internal import ReportData

/// Identifiers that were looked up together, and what they may name.
struct LookupQuery {
    let texts: [String]
    private let ids: Set<Identifier>
    private let tokens: Set<Token>
    private let digests: Set<Digest256>
    /// The transactions that Apple names for them, if they are order ids of e-mails.
    private let emailed: Set<Identifier>

    init(_ texts: [String], emailed: [Identifier] = []) {
        self.texts = texts
        ids = Set(texts.map { Identifier($0) })
        tokens = Set(texts.compactMap { Token($0) })
        digests = Set(texts.compactMap { Digest256(hex: $0) })
        self.emailed = Set(emailed)
    }

    /// Whether one of the identifiers is this account.
    func isAccount(_ account: Identifier?) -> Bool { isNamed(account) }

    private func isNamed(_ id: Identifier?) -> Bool { id.map(ids.contains) ?? false }

    private func isNamed(_ token: Token?) -> Bool { token.map(tokens.contains) ?? false }

    /// What the identifier names in an order.
    func kinds(in order: Order) -> Set<LookupKind> {
        var kinds = kinds(order: order.id, transaction: order.transaction, account: order.account)
        if isNamed(order.token) { kinds.insert(.token) }
        return kinds
    }

    /// What the identifier names in a credit.
    func kinds(in credit: Credit) -> Set<LookupKind> {
        let kinds = kinds(order: credit.order, transaction: credit.transaction, account: credit.account)
        return isNamed(credit.id) ? kinds.union([.credit]) : kinds
    }

    /// What the identifier names in a transaction.
    func kinds(in transaction: Transaction) -> Set<LookupKind> {
        var kinds = kinds(order: nil, transaction: transaction.id, account: nil)
        if isNamed(transaction.original) { kinds.insert(.transaction) }
        if isNamed(transaction.line) { kinds.insert(.line) }
        if isNamed(transaction.token) { kinds.insert(.token) }
        return kinds
    }

    /// What the identifier names in a receipt.
    func kinds(in receipt: Receipt) -> Set<LookupKind> {
        var kinds = kinds(order: receipt.order, transaction: receipt.transaction, account: receipt.account)
        let isReceipt = receipt.givenID.map(ids.contains) ?? digests.contains(receipt.content)
        if isReceipt { kinds.insert(.receipt) }
        if isNamed(receipt.device) { kinds.insert(.device) }
        return kinds
    }

    private func kinds(order: Identifier?, transaction: Identifier?, account: Identifier?) -> Set<LookupKind> {
        var kinds = Set<LookupKind>()
        if isNamed(order) { kinds.insert(.order) }
        if isNamed(transaction) { kinds.insert(.transaction) }
        if let transaction, emailed.contains(transaction) { kinds.insert(.emailedOrder) }
        if isNamed(account) { kinds.insert(.account) }
        return kinds
    }
}

extension LookupQuery {
    /// What the identifier names in this evidence.
    func kinds(in evidence: Evidence) -> Set<LookupKind> {
        var kinds = Set<LookupKind>()
        for order in evidence.orders { kinds.formUnion(self.kinds(in: order)) }
        for credit in evidence.credits { kinds.formUnion(self.kinds(in: credit)) }
        for transaction in evidence.transactions { kinds.formUnion(self.kinds(in: transaction)) }
        for receipt in evidence.receipts { kinds.formUnion(self.kinds(in: receipt)) }
        return kinds
    }

    /// Whether evidence of the subject contains the identifier, or it is the account that the goods belong to.
    func isHeld(by finding: CaseInquiry.Finding) -> Bool {
        isAccount(finding.judgement.owner) || !kinds(in: finding.evidence).isEmpty
    }

    /// The same without receipts, because a client decides what its receipts name.
    func isRecorded(of finding: CaseInquiry.Finding) -> Bool {
        var recorded = finding.evidence
        recorded.receipts = []
        return isAccount(finding.judgement.owner) || !kinds(in: recorded).isEmpty
    }
}
