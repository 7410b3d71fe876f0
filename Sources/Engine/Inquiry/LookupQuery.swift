internal import Domain
internal import Matching
internal import ReportData

/// An identifier as the user typed it, and what it may name.
struct LookupQuery {
    let text: String
    private let id: Identifier
    private let token: Token?
    private let digest: Digest256?
    /// The transactions that Apple names for it, if it is the order id of an e-mail.
    private let emailed: Set<Identifier>

    init(_ text: String, emailed: [Identifier] = []) {
        self.text = text
        id = Identifier(text)
        token = Token(text)
        digest = Digest256(hex: text)
        self.emailed = Set(emailed)
    }

    /// Whether the identifier is this account.
    func isAccount(_ account: Identifier?) -> Bool { account == id }

    /// What the identifier names in an order.
    func kinds(in order: Order) -> Set<LookupKind> {
        var kinds = kinds(order: order.id, transaction: order.transaction, account: order.account)
        if token != nil, order.token == token { kinds.insert(.token) }
        return kinds
    }

    /// What the identifier names in a credit.
    func kinds(in credit: Credit) -> Set<LookupKind> {
        let kinds = kinds(order: credit.order, transaction: credit.transaction, account: credit.account)
        return credit.id == id ? kinds.union([.credit]) : kinds
    }

    /// What the identifier names in a transaction.
    func kinds(in transaction: Transaction) -> Set<LookupKind> {
        var kinds = kinds(order: nil, transaction: transaction.id, account: nil)
        if transaction.original == id { kinds.insert(.transaction) }
        if transaction.line == id { kinds.insert(.line) }
        if token != nil, transaction.token == token { kinds.insert(.token) }
        return kinds
    }

    /// What the identifier names in a receipt.
    func kinds(in receipt: Receipt) -> Set<LookupKind> {
        let kinds = kinds(order: receipt.order, transaction: receipt.transaction, account: receipt.account)
        let isReceipt = receipt.givenID.map { $0 == id } ?? (receipt.content == digest)
        return isReceipt ? kinds.union([.receipt]) : kinds
    }

    private func kinds(order: Identifier?, transaction: Identifier?, account: Identifier?) -> Set<LookupKind> {
        var kinds = Set<LookupKind>()
        if order == id { kinds.insert(.order) }
        if transaction == id { kinds.insert(.transaction) }
        if let transaction, emailed.contains(transaction) { kinds.insert(.emailedOrder) }
        if account == id { kinds.insert(.account) }
        return kinds
    }
}

extension LookupQuery {
    /// What the identifier names in this evidence, superseded versions included.
    func kinds(in evidence: Evidence) -> Set<LookupKind> {
        var kinds = Set<LookupKind>()
        for order in evidence.orders { kinds.formUnion(self.kinds(in: order)) }
        for credit in evidence.credits { kinds.formUnion(self.kinds(in: credit)) }
        for transaction in evidence.transactions { kinds.formUnion(self.kinds(in: transaction)) }
        for receipt in evidence.receipts { kinds.formUnion(self.kinds(in: receipt)) }
        return kinds
    }

    /// Whether evidence of the subject contains the identifier, or it is the account that the goods belong to.
    func isHeld(by judgement: Judgement, in file: Case) -> Bool {
        isRecorded(of: judgement, in: file)
            || judgement.members.receipts.contains { !kinds(in: file.receipts[$0]).isEmpty }
    }

    /// The same without receipts, because a client decides what its receipts name.
    func isRecorded(of judgement: Judgement, in file: Case) -> Bool {
        let members = judgement.members
        return isAccount(judgement.owner) || members.orders.contains { !kinds(in: file.orders[$0]).isEmpty }
            || members.credits.contains { !kinds(in: file.credits[$0]).isEmpty }
            || members.transactions.contains { !kinds(in: file.transactions[$0]).isEmpty }
    }
}
