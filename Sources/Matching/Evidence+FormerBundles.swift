/// How evidence was read where that differs from how it counts now, by position.
struct EvidenceAsRead: Sendable {
    var transactions: [Int: (proof: Proof, failure: ProofFailure)] = [:]
    var receipts: [Int: ReceiptProof] = [:]
    /// Transactions before they took anything from other copies.
    var filled: [Int: Transaction] = [:]
    /// Orders that took their token from another version.
    var withoutToken: Set<Int> = []
}

extension Evidence {
    /// Judges rows that were read while other bundle ids were configured by those of today.
    ///
    /// A receipt of another app does not say of which. If it claims a purchase of an app that is configured only now,
    /// the program cannot tell whether the receipt is from that app, so it counts as unverifiable.
    ///
    /// - Returns: what was read otherwise.
    mutating func judgeFormerBundles(by policy: Policy) -> EvidenceAsRead {
        var asRead = EvidenceAsRead()
        if policy.formerBundles.isEmpty { return asRead }
        for (position, row) in transactions.enumerated() {
            let now = policy.proof(row.proof, row.failure, of: row.bundle, in: row.source.delivery)
            if now == (row.proof, row.failure) { continue }
            asRead.transactions[position] = (row.proof, row.failure)
            (transactions[position].proof, transactions[position].failure) = now
        }
        let denied = receipts.indices.filter { receipts[$0].proof == .wrongBundle && receipts[$0].transaction != nil }
        if denied.isEmpty { return asRead }
        let apps = Dictionary(transactions.map { ($0.id, $0.bundle) }) { $1 }
        for position in denied {
            guard let former = policy.formerBundles[receipts[position].source.delivery],
                let app = apps[receipts[position].transaction!] ?? nil, policy.bundles.contains(app),
                !former.contains(app)
            else { continue }
            asRead.receipts[position] = receipts[position].proof
            receipts[position].proof = .unverifiable
        }
        return asRead
    }
}

/// What the ledger keeps: evidence with the proof that it had when it was read.
extension CaseSet {
    public func transactionAsRead(_ position: Int) -> Transaction {
        var transaction = asRead.filled[position] ?? transactions[position]
        if let read = asRead.transactions[position] { (transaction.proof, transaction.failure) = read }
        return transaction
    }

    public func orderAsRead(_ position: Int) -> Order {
        var order = orders[position]
        if asRead.withoutToken.contains(position) { order.token = nil }
        return order
    }

    public func receiptAsRead(_ position: Int) -> Receipt {
        var receipt = receipts[position]
        if let read = asRead.receipts[position] { receipt.proof = read }
        return receipt
    }
}
