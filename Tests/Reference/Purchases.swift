internal import Domain

/// One paid event: transactions that are restores or re-issues of each other. See docs/spec/rules.md#purchases.
struct Purchase {
    /// Earliest purchase date first; of equal dates, the smaller id.
    var transactions: [Transaction]
    /// Every id it is known by: its transactions' ids, and the original ids of restores. READINGS 8.
    var names: Set<Identifier>

    init(_ transactions: [Transaction], policy: Policy) {
        // "An original comes before its restores."
        func place(_ transaction: Transaction) -> (Int, Instant, Identifier) {
            let original = transaction.original(restoredUnder: policy)
            return (original == nil || original == transaction.id ? 0 : 1, transaction.purchasedAt, transaction.id)
        }
        self.transactions = transactions.sorted { place($0) < place($1) }
        lacksOriginal = place(self.transactions[0]).0 == 1
        names = Set(transactions.map(\.id))
        for transaction in transactions where transaction.isProven {
            if let original = transaction.original(restoredUnder: policy) { names.insert(original) }
        }
    }

    /// The transaction that the others are restores of. Its facts are the purchase's.
    var record: Transaction { transactions[0] }

    /// The original that all of them restore is not on record.
    private(set) var lacksOriginal = false

    /// The record, and other transactions of its line item: a revocation of any of them counts.
    var lineMates: [Transaction] {
        if lacksOriginal { return transactions }
        return [record] + transactions.dropFirst().filter { $0.line != nil && $0.line == record.line }
    }

    /// The record's own revocation, else the earliest of its line item or of its restores; not one that came before the
    /// original was signed without it. `FAMILY_REVOKE` is no revocation for 4 and 5.
    var revocation: Revocation? {
        if let own = record.revocation, own.type != .familyRevoke { return own }
        var revocations = lineMates.compactMap(\.revocation).filter { $0.type != .familyRevoke }
        if record.line == nil, !lacksOriginal {
            revocations = transactions.compactMap(\.revocation).filter { refund in
                refund.type != .familyRevoke && (record.signedAt.map { $0 <= refund.at } ?? true)
            }
        }
        return revocations.enumerated().min { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }?.element
    }

    /// A partial refund, and the quantity that it leaves. Nil if not revoked, or revoked in full.
    var partial: PartialRefund? {
        guard let revocation else { return nil }
        let percentage = revocation.percentage
        switch revocation.type {
        case .refundProrated where percentage != 100_000: break
        case .unnamed where (percentage ?? 100_000) < 100_000, .other where (percentage ?? 100_000) < 100_000: break
        default: return nil
        }
        // Which whole number of pieces has the share that Apple states, rounded or cut off after thousandths?
        let quantity = Int64(record.quantity)
        let refunded = (0...quantity).first { pieces in
            let share = Double(pieces) * 100_000 / Double(quantity)
            return percentage.map { Double($0) == share.rounded() || Double($0) == share.rounded(.down) } ?? false
        }
        return PartialRefund(revokedAt: revocation.at, expected: refunded.map { quantity - $0 })
    }

    /// The revocation, if it is in full.
    var fullRevocation: Revocation? { partial == nil ? revocation : nil }
}

struct PartialRefund {
    var revokedAt: Instant
    /// The net quantity that the customer should keep. Nil if unknown or not a whole number.
    var expected: Int64?
}

/// The purchases of a case, earliest first. In a case without one, an invalid transaction takes its place. READINGS 7.
func purchases(of file: Case, policy: Policy) -> [Purchase] {
    let proven = file.transactions.filter(\.isProven)
    let groups =
        proven.isEmpty
        ? file.transactions.filter { $0.proof == .invalid }.map { [$0] }
        : components(proven) { $0.eventTies(policy) }
    return groups.map { Purchase($0, policy: policy) }
        .sorted { ($0.record.purchasedAt, $0.record.id) < ($1.record.purchasedAt, $1.record.id) }
}
