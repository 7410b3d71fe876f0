internal import Domain
internal import Matching

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

    private func isNamed(_ id: Identifier?) -> Bool { id.map(ids.contains) ?? false }

    private func isNamed(_ token: Token?) -> Bool { token.map(tokens.contains) ?? false }

    /// What the identifier names in this evidence.
    func kinds(in evidence: Evidence) -> Set<LookupKind> {
        var kinds = Set<LookupKind>()
        func note(_ kind: LookupKind, if isNamed: Bool) { if isNamed { kinds.insert(kind) } }
        func note(order: Identifier?, transaction: Identifier?, account: Identifier?) {
            note(.order, if: isNamed(order))
            note(.transaction, if: isNamed(transaction))
            note(.emailedOrder, if: transaction.map(emailed.contains) ?? false)
            note(.account, if: isNamed(account))
        }
        for order in evidence.orders {
            note(order: order.id, transaction: order.transaction, account: order.account)
            note(.token, if: isNamed(order.token))
        }
        for credit in evidence.credits {
            note(order: credit.order, transaction: credit.transaction, account: credit.account)
            note(.credit, if: isNamed(credit.id))
        }
        for transaction in evidence.transactions {
            note(order: nil, transaction: transaction.id, account: nil)
            note(.transaction, if: isNamed(transaction.original))
            note(.line, if: isNamed(transaction.line))
            note(.token, if: isNamed(transaction.token))
        }
        for receipt in evidence.receipts {
            note(order: receipt.order, transaction: receipt.transaction, account: receipt.account)
            note(.receipt, if: receipt.givenID.map(ids.contains) ?? digests.contains(receipt.content))
            note(.device, if: isNamed(receipt.device))
        }
        return kinds
    }

    /// Whether evidence of the subject contains the identifier, or it is the account that the goods belong to.
    func isHeld(by finding: CaseInquiry.Finding) -> Bool {
        isNamed(finding.judgement.owner) || !kinds(in: finding.evidence).isEmpty
    }

    /// The same without receipts, because a client decides what its receipts name.
    func isRecorded(of finding: CaseInquiry.Finding) -> Bool {
        var recorded = finding.evidence
        recorded.receipts = []
        return isNamed(finding.judgement.owner) || !kinds(in: recorded).isEmpty
    }
}
