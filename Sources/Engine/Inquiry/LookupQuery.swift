internal import Domain
internal import Matching

/// An identifier as somebody typed it, and what it may name.
struct LookupQuery {
    let text: String
    private let id: Identifier
    private let token: Token?
    private let digest: Digest256?
    /// Transactions that Apple names for it, where it is the order id of an e-mail.
    private let emailed: Set<Identifier>

    init(_ text: String, emailed: [Identifier] = []) {
        self.text = text
        id = Identifier(text)
        token = Token(text)
        digest = Digest256(hex: text)
        self.emailed = Set(emailed)
    }

    /// Whether it is the account.
    func isAccount(_ account: Identifier?) -> Bool { account == id }

    func kinds(in order: Order) -> Set<LookupKind> {
        var kinds = kinds(order: order.id, transaction: order.transaction, account: order.account)
        if token != nil, order.token == token { kinds.insert(.token) }
        return kinds
    }

    func kinds(in credit: Credit) -> Set<LookupKind> {
        let kinds = kinds(order: credit.order, transaction: credit.transaction, account: credit.account)
        return credit.id == id ? kinds.union([.credit]) : kinds
    }

    func kinds(in transaction: Transaction) -> Set<LookupKind> {
        var kinds = kinds(order: nil, transaction: transaction.id, account: nil)
        if transaction.original == id { kinds.insert(.transaction) }
        if transaction.line == id { kinds.insert(.line) }
        if token != nil, transaction.token == token { kinds.insert(.token) }
        return kinds
    }

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
    /// What it names in this evidence, copies that no longer count among it.
    func kinds(in evidence: Evidence) -> Set<LookupKind> {
        var kinds = Set<LookupKind>()
        for order in evidence.orders { kinds.formUnion(self.kinds(in: order)) }
        for credit in evidence.credits { kinds.formUnion(self.kinds(in: credit)) }
        for transaction in evidence.transactions { kinds.formUnion(self.kinds(in: transaction)) }
        for receipt in evidence.receipts { kinds.formUnion(self.kinds(in: receipt)) }
        return kinds
    }

    /// Whether some evidence of the subject holds it, or it is the account that the goods belong to.
    func isHeld(by judgement: Judgement, in file: Case) -> Bool {
        isRecorded(of: judgement, in: file)
            || judgement.members.receipts.contains { !kinds(in: file.receipts[$0]).isEmpty }
    }

    /// The same without what clients sent: whoever sends receipts chooses what they name.
    func isRecorded(of judgement: Judgement, in file: Case) -> Bool {
        let members = judgement.members
        return isAccount(judgement.owner) || members.orders.contains { !kinds(in: file.orders[$0]).isEmpty }
            || members.credits.contains { !kinds(in: file.credits[$0]).isEmpty }
            || members.transactions.contains { !kinds(in: file.transactions[$0]).isEmpty }
    }
}
