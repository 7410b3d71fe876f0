internal import Domain

/// Evidence of which several copies may be delivered under one key. RULES §1.
///
/// Which copy counts never depends on the order of import: `precedes` is a total order of contents.
protocol Versioned: Equatable {
    var keyHash: UInt64 { get }
    func hasSameKey(as other: Self) -> Bool
    /// The same facts, wherever they were delivered.
    func hasSameContent(as other: Self) -> Bool
    var source: Provenance { get set }
    var marks: VersionMarks { get set }
    /// What makes the later copy count, most important first.
    func rank(policy: Policy) -> VersionRank
    /// Whether account, product, amount or currency are not the same, where both have them.
    func contradicts(_ other: Self) -> Bool
    /// Whether the one compared field that may be absent is there: amount, product or price.
    var isFull: Bool { get }
    /// The content as text whose bytes are the last resort of an order.
    var canonical: String { get }
}

/// By what one copy counts rather than another; the greater one counts.
struct VersionRank: Comparable {
    /// 4 a verified record, 3 a vouched one, 2 what a verified receipt lists, 1 unverifiable, 0 invalid.
    var proof = 4
    var isHome = true
    var date: Instant
    /// The further status; 1 for a revoked copy.
    var step = 0

    static func < (left: VersionRank, right: VersionRank) -> Bool {
        if left.proof != right.proof { return left.proof < right.proof }
        if left.isHome != right.isHome { return right.isHome }
        return left.date == right.date ? left.step < right.step : left.date < right.date
    }

    /// Proven copies are compared with proven ones, unverifiable with unverifiable, invalid with invalid.
    func isComparable(with other: VersionRank) -> Bool { min(proof, 2) == min(other.proof, 2) }

    /// Neither copy is later or better proven than the other: what differs then is no update.
    func isTied(with other: VersionRank) -> Bool { date == other.date && step == other.step && proof == other.proof }
}

extension Versioned {
    func hasSameContent(as other: Self) -> Bool {
        var copy = other
        copy.source = source
        copy.marks = marks
        return copy == self
    }

    func precedes(_ other: Self, policy: Policy) -> Bool {
        let (mine, theirs) = (rank(policy: policy), other.rank(policy: policy))
        if mine < theirs || theirs < mine { return mine < theirs }
        if source.fileDate != other.source.fileDate { return source.fileDate < other.source.fileDate }
        return canonical.utf8.lexicographicallyPrecedes(other.canonical.utf8)
    }
}

/// The fields' texts in order.
private func canonicalText(_ fields: [String?]) -> String { fields.map { $0 ?? "" }.joined(separator: "\u{1F}") }

/// Differ, where both are there: a value that one side lacks is not compared.
private func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
    left != nil && right != nil && left != right
}

extension Instant {
    fileprivate var digits: String { String(milliseconds) }
}

extension Order: Versioned {
    var keyHash: UInt64 { id.bits }
    func hasSameKey(as other: Self) -> Bool { id == other.id }

    func rank(policy: Policy) -> VersionRank { VersionRank(date: updatedAt ?? createdAt, step: Int(status.rawValue)) }

    func contradicts(_ other: Order) -> Bool {
        account != other.account || product != other.product || differ(amount, other.amount)
    }

    var isFull: Bool { amount != nil }

    var canonical: String {
        canonicalText([
            id.text, account.text, product.text, String(quantity), amount.map { String($0.minor) },
            amount?.currency.text, token?.text, transaction?.text, bundle?.text, status.name, createdAt.digits,
            updatedAt?.digits,
        ])
    }
}

extension Credit: Versioned {
    var keyHash: UInt64 { id.bits }
    func hasSameKey(as other: Self) -> Bool { id == other.id }

    func rank(policy: Policy) -> VersionRank { VersionRank(date: creditedAt) }

    func contradicts(_ other: Credit) -> Bool { account != other.account || differ(product, other.product) }

    var isFull: Bool { product != nil }

    var canonical: String {
        canonicalText([
            id.text, account.text, order?.text, transaction?.text, product?.text, quantity.map { String($0) },
            kind.name,
            origin.name, creditedAt.digits,
        ])
    }
}

extension Receipt: Versioned {
    var keyHash: UInt64 { givenID?.bits ?? content.words.0 }
    func hasSameKey(as other: Receipt) -> Bool {
        $givenID == other.$givenID && (givenID != nil || content == other.content)
    }

    /// Whatever the device: personal data decides nothing, and may have been forgotten since.
    func hasSameContent(as other: Receipt) -> Bool {
        var copy = other
        copy.source = source
        copy.marks = marks
        copy.device = device
        return copy == self
    }

    func rank(policy: Policy) -> VersionRank { VersionRank(date: receivedAt) }

    func contradicts(_ other: Receipt) -> Bool { account != other.account || differ(product, other.product) }

    var isFull: Bool { product != nil }

    var canonical: String {
        canonicalText([
            id, account.text, order?.text, transaction?.text, product?.text, receivedAt.digits,
            verifyStatus.map { String($0) }, isRetryable.map { String($0) }, content.hex, String(describing: proof),
        ])
    }
}

extension Transaction: Versioned {
    var keyHash: UInt64 { id.bits }
    func hasSameKey(as other: Self) -> Bool { id == other.id }

    /// What a receipt alone proves ranks below any record of Apple's: it has no price and no refund.
    func rank(policy: Policy) -> VersionRank {
        let rank =
            switch proof {
            case .invalid: 0
            case .unverifiable: 1
            case .vouched: 3
            case .verified: isFromReceipt ? 2 : 4
            }
        return VersionRank(
            proof: rank, isHome: environment == policy.environment, date: $signedAt, step: revocation == nil ? 0 : 1)
    }

    func contradicts(_ other: Transaction) -> Bool { product != other.product || differ(price, other.price) }

    var isFull: Bool { price != nil }

    var canonical: String {
        canonicalText([
            id.text, original?.text, line?.text, bundle?.text, product.text, String(quantity),
            price.map { String($0.thousandths) }, price?.currency.text, token?.text, purchasedAt.digits,
            expiresAt?.digits, signedAt?.digits, revocation?.at.digits, revocation.map { String(describing: $0.type) },
            revocation?.reason.map { String($0) }, revocation?.percentage.map { String($0) }, storefront?.text,
            type?.name, environment.name, String(describing: ownership), String(isUpgraded), String(describing: proof),
            String(describing: failure), String(isFromReceipt),
        ])
    }
}
