internal import Domain

/// The evidence with one current version of each key, and how many rows only repeated what was known.
struct Standing {
    var file = Case()
    /// The proven versions of each transaction about which they disagree.
    var disputed: [Identifier: [Transaction]] = [:]
    var duplicates: [FeedKind: Int] = [:]

    init(_ evidence: Evidence, policy: Policy) {
        let orders = collapse(evidence.orders.map { copy(of: $0.named) }) {
            // "An order that is written again without its token keeps it."
            if policy.tokenUse == .order { $0.token = $0.token ?? $1.token }
        } disagree: {
            policy.tokenUse == .order && contradict($0.token, $1.token)
        } differ: {
            $0.account != $1.account || $0.product != $1.product || contradict($0.amount, $1.amount)
                || contradict($0.transaction, $1.transaction)
        }
        let credits = collapse(evidence.credits.map { copy(of: $0.named) }) {
            $0.kind != $1.kind || $0.account != $1.account || contradict($0.product, $1.product)
                || contradict($0.order, $1.order) || contradict($0.transaction, $1.transaction)
        }
        let transactions = collapse(evidence.transactions.map { copy(of: $0.named, policy: policy) }) {
            // "Of the same environment, and to a record that Apple signed only from another such record."
            let isSigned = { (copy: Transaction) in copy.proof == .verified && !copy.isFromReceipt }
            if $0.environment != $1.environment || isSigned($0) && !isSigned($1) { return }
            // "It counts with its refund alone; the rest is as Apple signed it."
            if isSigned($1), !isSigned($0) {
                var record = $1
                (record.revocation, record.signedAt) = ($0.revocation, $0.signedAt)
                $0 = record
                return
            }
            ($0.original, $0.token) = ($0.original ?? $1.original, $0.token ?? $1.token)
            // "Type and expiry date only of a copy that names the same product."
            if $0.product == $1.product {
                ($0.type, $0.expiresAt) = ($0.type ?? $1.type, $0.expiresAt ?? $1.expiresAt)
            }
            // "A line item only where the purchase is of an auto-renewable subscription."
            if $0.type(policy) == .autoRenewable { $0.line = $0.line ?? $1.line }
        } disagree: {
            saysOtherwise($0, than: $1, usesTokens: policy.tokenUse != .none)
        } differ: {
            $0.product != $1.product || contradict($0.price, $1.price)
        }
        let receipts = collapse(evidence.receipts.map { copy(of: $0.named) }) { contradict($0.product, $1.product) }
        duplicates = [
            .orders: orders.duplicates, .credits: credits.duplicates, .transactions: transactions.duplicates,
            .receipts: receipts.duplicates,
        ]
        disputed = Dictionary(grouping: transactions.disputed, by: \.id)
        file.orders = orders.standing.map { marked($0.piece, \.marks, $0.marks) }
        file.credits = credits.standing.map { marked($0.piece, \.marks, $0.marks) }
        file.transactions = transactions.standing.map { marked($0.piece, \.marks, $0.marks) }
        file.receipts = receipts.standing.map { marked($0.piece, \.marks, $0.marks) }
    }
}

private func marked<Piece>(_ piece: Piece, _ path: WritableKeyPath<Piece, VersionMarks>, _ marks: VersionMarks) -> Piece
{
    var piece = piece
    piece[keyPath: path] = marks
    return piece
}

/// "They name different …, or the one that counts lacks … that another one has."
private func saysOtherwise(_ counting: Transaction, than other: Transaction, usesTokens: Bool) -> Bool {
    let isSigned = { (copy: Transaction) in copy.proof == .verified && !copy.isFromReceipt }
    if !other.isProven { return other.failure == .wrongBundle && other.proof == .invalid && !isSigned(counting) }
    let original = other.original == other.id ? nil : other.original
    if let original, counting.original != original { return true }
    if original == nil, let own = counting.original, own != counting.id, other.original != nil { return true }
    if let line = other.line, counting.line != line { return true }
    if usesTokens, let token = other.token, counting.token != token { return true }
    if contradict(counting.type, other.type) { return true }
    let seconds = (counting.purchasedAt.milliseconds - other.purchasedAt.milliseconds).magnitude / 1000
    return seconds > 0 || counting.product != other.product || counting.quantity != other.quantity
        || counting.ownership != other.ownership
}

private func copy(of order: Order) -> Copy<Order> {
    Copy(
        piece: order, key: order.id, content: order.canonicalBytes,
        date: (order.updatedAt ?? order.createdAt).milliseconds, step: order.status.step,
        fileDate: order.source.fileDate)
}

private func copy(of credit: Credit) -> Copy<Credit> {
    Copy(
        piece: credit, key: credit.id, content: credit.canonicalBytes, date: credit.creditedAt.milliseconds,
        fileDate: credit.source.fileDate)
}

private func copy(of receipt: Receipt) -> Copy<Receipt> {
    Copy(
        piece: receipt, key: SubjectKey(receipt).id, content: receipt.canonicalBytes,
        date: receipt.receivedAt.milliseconds, fileDate: receipt.source.fileDate)
}

private func copy(of transaction: Transaction, policy: Policy) -> Copy<Transaction> {
    let proof =
        switch transaction.proof {
        case .verified: transaction.isFromReceipt ? 2 : 4
        case .vouched: 3
        case .unverifiable: 1
        case .invalid: 0
        }
    return Copy(
        piece: transaction, key: transaction.id, content: transaction.canonicalBytes, proof: proof,
        isHome: transaction.environment == policy.environment, date: transaction.signedAt?.milliseconds ?? .min,
        step: transaction.revocation == nil ? 0 : 1, refunded: transaction.revocation?.at.milliseconds,
        fileDate: transaction.source.fileDate)
}

/// "An id that is empty, `0` or `null` is no id."
private func real(_ id: Identifier?) -> Identifier? {
    guard let id, !["", "0", "null"].contains(id.text) else { return nil }
    return id
}

extension Order {
    fileprivate var named: Order {
        var copy = self
        copy.transaction = real(transaction)
        return copy
    }
}

extension Credit {
    fileprivate var named: Credit {
        var copy = self
        copy.order = real(order)
        copy.transaction = real(transaction)
        return copy
    }
}

extension Transaction {
    fileprivate var named: Transaction {
        var copy = self
        copy.original = real(original)
        copy.line = real(line)
        return copy
    }
}

extension Receipt {
    fileprivate var named: Receipt {
        var copy = self
        copy.order = real(order)
        copy.transaction = real(transaction)
        return copy
    }
}
