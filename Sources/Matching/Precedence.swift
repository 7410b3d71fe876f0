internal import Domain

/// Evidence of which several copies may be delivered under one key. RULES §1.
///
/// Which copy counts never depends on the order of import: `precedes` is a total order of contents.
protocol Copied {
    var keyHash: UInt64 { get }
    func hasSameKey(as other: Self) -> Bool
    var source: Provenance { get set }
    var marks: CopyMarks { get set }
    /// The same facts, wherever they were delivered.
    func hasSameContent(as other: Self) -> Bool
    /// By proof and date alone: whether `other` counts rather than this one. Nil where these do not decide.
    func outranked(by other: Self, policy: Policy) -> Bool?
    /// Whether this copy, which counts rather than `earlier`, merely updates it.
    func updates(_ earlier: Self) -> Bool
    /// The content as bytes, the last resort of an order.
    var canonical: String { get }
    /// A copy whose proof does not hold: no rival of the others.
    var isForged: Bool { get }
}

extension Copied {
    var isForged: Bool { false }

    func precedes(_ other: Self, policy: Policy) -> Bool {
        if let decided = outranked(by: other, policy: policy) { return decided }
        if source.fileDate != other.source.fileDate { return source.fileDate < other.source.fileDate }
        return canonical.utf8.lexicographicallyPrecedes(other.canonical.utf8)
    }
}

/// The fields' texts in order, each closed by a byte that no identifier holds.
private func canonicalText(_ fields: [String?]) -> String {
    fields.map { ($0 ?? "") + "\u{1F}" }.joined()
}

extension Order: Copied {
    var keyHash: UInt64 { id.bits }
    func hasSameKey(as other: Self) -> Bool { id == other.id }

    func hasSameContent(as other: Order) -> Bool {
        var copy = other
        copy.source = source
        copy.marks = marks
        return copy == self
    }

    func outranked(by other: Order, policy: Policy) -> Bool? {
        let mine = updatedAt ?? createdAt
        let theirs = other.updatedAt ?? other.createdAt
        if mine != theirs { return mine < theirs }
        return status == other.status ? nil : status < other.status
    }

    func updates(_ earlier: Order) -> Bool {
        guard account == earlier.account, product == earlier.product, amount == earlier.amount else { return false }
        return (updatedAt ?? createdAt) > (earlier.updatedAt ?? earlier.createdAt) || status > earlier.status
    }

    var canonical: String {
        canonicalText([
            id.text, account.text, product.text, String(quantity), amount?.description, token?.text, transaction?.text,
            status.name, createdAt.text, updatedAt?.text, bundle?.text,
        ])
    }
}

extension Credit: Copied {
    var keyHash: UInt64 { id.bits }
    func hasSameKey(as other: Self) -> Bool { id == other.id }

    func hasSameContent(as other: Credit) -> Bool {
        var copy = other
        copy.source = source
        copy.marks = marks
        return copy == self
    }

    func outranked(by other: Credit, policy: Policy) -> Bool? {
        creditedAt == other.creditedAt ? nil : creditedAt < other.creditedAt
    }

    func updates(_ earlier: Credit) -> Bool {
        account == earlier.account && product == earlier.product && creditedAt > earlier.creditedAt
    }

    var canonical: String {
        canonicalText([
            id.text, order?.text, transaction?.text, account.text, product?.text, quantity.map(String.init), kind.name,
            origin.name, creditedAt.text,
        ])
    }
}

extension Receipt: Copied {
    var keyHash: UInt64 { givenID?.bits ?? content.words.0 }
    func hasSameKey(as other: Receipt) -> Bool {
        $givenID == other.$givenID && (givenID != nil || content == other.content)
    }

    func hasSameContent(as other: Receipt) -> Bool { content == other.content }

    func outranked(by other: Receipt, policy: Policy) -> Bool? {
        if receivedAt != other.receivedAt { return receivedAt < other.receivedAt }
        return check == other.check ? nil : check < other.check
    }

    func updates(_ earlier: Receipt) -> Bool {
        guard account == earlier.account, product == earlier.product else { return false }
        return receivedAt > earlier.receivedAt || check > earlier.check
    }

    var canonical: String { content.hex }
}

extension Transaction: Copied {
    var keyHash: UInt64 { id.bits }
    func hasSameKey(as other: Self) -> Bool { id == other.id }

    func hasSameContent(as other: Transaction) -> Bool {
        var copy = other
        copy.source = source
        copy.marks = marks
        return copy == self
    }

    /// Proof first; what a receipt alone proves ranks below any record of Apple's, since it is the poorer and the older.
    private var rank: Int {
        switch proof {
        case .invalid: 0
        case .unverifiable: 1
        case .vouched: isFromReceipt ? 2 : 3
        case .verified: isFromReceipt ? 2 : 4
        }
    }

    func outranked(by other: Transaction, policy: Policy) -> Bool? {
        if rank != other.rank { return rank < other.rank }
        let isHome = environment == policy.environment
        if isHome != (other.environment == policy.environment) { return !isHome }
        if $signedAt != other.$signedAt { return $signedAt < other.$signedAt }
        let isRevoked = revocation != nil
        return isRevoked == (other.revocation != nil) ? nil : !isRevoked
    }

    func updates(_ earlier: Transaction) -> Bool {
        guard product == earlier.product else { return false }
        if let price, let before = earlier.price, price != before { return false }
        if rank != earlier.rank || isFromReceipt { return true }
        return $signedAt > earlier.$signedAt
    }

    var isForged: Bool { proof == .invalid }

    var canonical: String {
        canonicalText([
            id.text, original?.text, line?.text, bundle?.text, product.text, purchasedAt.text, expiresAt?.text,
            String(quantity), type?.name, token?.text, String(ownership.rawValue), signedAt?.text,
            revocation?.at.text, revocation?.reason.map(String.init), (revocation?.type.rawValue).map(String.init),
            revocation?.percentage.map(String.init), environment.name, storefront?.text,
            price.map { String($0.thousandths) + $0.currency.text }, String(isUpgraded), String(proof.rawValue),
            String(failure.rawValue), String(isFromReceipt),
        ])
    }
}
