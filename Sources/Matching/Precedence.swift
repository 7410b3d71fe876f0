/// Evidence of which several versions may be delivered under one key. See docs/spec/rules.md#version-precedence.
///
/// Which version is current never depends on the order of import: `precedes` orders all different contents.
protocol Versioned: DescribedEvidence {
    /// Equal for equal keys.
    var keyHash: UInt64 { get }
    /// Whether both are versions of the same piece of evidence.
    func hasSameKey(as other: Self) -> Bool
    /// Whether both state the same facts, in whichever file they were delivered.
    func hasSameContent(as other: Self) -> Bool
    var marks: VersionMarks { get set }
    /// What makes one version count rather than another.
    func rank(policy: Policy) -> VersionRank
    /// Whether it counts although the other one is better proven.
    func overrules(_ better: Self, policy: Policy) -> Bool
    /// Whether this version shows a refund that the current one does not know.
    func reportsRefund(besides current: Self) -> Bool
    /// Takes what only the other version says about what is given and to whom, if it may. Both are proven.
    mutating func fill(from other: Self, policy: Policy)
    /// Whether this version, which is proven, says something else than another one about what is given and to whom, or lacks
    /// what the other one says about that.
    func disagrees(with other: Self, policy: Policy) -> Bool
    /// Whether kind, account, order, transaction, product, amount or currency differ where both versions have them.
    func contradicts(_ other: Self) -> Bool
    /// Of the compared fields that may be missing, those that are present: one bit each.
    var presence: UInt8 { get }
}

/// The rank of a version; the greatest one is current. Fields are compared in this order.
struct VersionRank: Comparable {
    /// 4: a verified record. 3: a vouched one. 2: listed by a verified receipt. 1: unverifiable. 0: invalid.
    var proof = 4
    var isOfEnvironment = true
    /// When the version was made, by its own date.
    var date: Instant
    /// For orders the status; for transactions 1 where the record is revoked.
    var step = 0

    static func < (left: VersionRank, right: VersionRank) -> Bool {
        if left.proof != right.proof { return left.proof < right.proof }
        if left.isOfEnvironment != right.isOfEnvironment { return right.isOfEnvironment }
        return left.date == right.date ? left.step < right.step : left.date < right.date
    }

    /// Whether a difference between the two can be a conflict: proven versions are compared with proven ones,
    /// unverifiable with unverifiable, invalid with invalid.
    func isComparable(with other: VersionRank) -> Bool { min(proof, 2) == min(other.proof, 2) }

    /// Whether neither version is later or better proven. A difference between them is then a conflict rather than an
    /// update.
    func hasSameRank(as other: VersionRank) -> Bool { date == other.date && step == other.step && proof == other.proof }
}

extension Versioned {
    func overrules(_ better: Self, policy: Policy) -> Bool { false }
    func reportsRefund(besides current: Self) -> Bool { false }
    func fill(from other: Self, policy: Policy) {}
    func disagrees(with other: Self, policy: Policy) -> Bool { false }

    func hasSameContent(as other: Self) -> Bool {
        var copy = other
        copy.source = source
        copy.labels = labels
        copy.marks = marks
        return copy == self
    }

    /// Whether the other version is to be preferred: by rank, then file date, then the bytes of the content.
    func precedes(_ other: Self, policy: Policy) -> Bool {
        let (mine, theirs) = (rank(policy: policy), other.rank(policy: policy))
        if mine < theirs || theirs < mine { return mine < theirs }
        if source.fileDate != other.source.fileDate { return source.fileDate < other.source.fileDate }
        return canonical.isBefore(other.canonical)
    }
}

/// Whether both values are present and differ.
private func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
    left != nil && right != nil && left != right
}

extension Versioned {
    /// The content as text: its fields in order, joined by U+001F. A missing field is empty. The bytes decide where rank
    /// and file date are equal.
    var canonical: String {
        var (copy, content) = (self, CanonicalContent())
        copy.listFields(in: &content)
        return content.fields.joined(separator: "\u{1F}")
    }
}

private struct CanonicalContent: EvidenceFields {
    private(set) var fields: [String] = []

    private mutating func add(_ text: String?) { fields.append(text ?? "") }

    mutating func source(_: inout Provenance) throws(Never) {}
    mutating func labels(_: inout LabelSet) throws(Never) {}
    mutating func id(_: StaticString, _ value: inout Identifier?, as use: IdentifierUse, isRequired: Bool) {
        if use != .personal { add(value?.text) }
    }
    mutating func token(_: StaticString, _ value: inout Token?, isOfPurchase: Bool) { add(value?.text) }
    mutating func instant(_: StaticString, _ value: inout Instant?, isRequired: Bool) {
        add(value.map { String($0.milliseconds) })
    }
    mutating func number<Value: FixedWidthInteger>(
        _: StaticString, _ value: inout Value?, in range: ClosedRange<Int64>, isRequired: Bool
    ) { add(value.map { String($0) }) }
    mutating func amount(_: StaticString, _ value: inout Int64?, in currency: inout Currency?) {
        add(value.map { String($0) })
        add(currency?.text)
    }
    mutating func word<Value>(_: StaticString, _ value: inout Value, of words: CaseWords<Value>) {
        add(words[value].text)
    }
    mutating func code<Value>(_: StaticString, _ value: inout Value?, isRequired: Bool) { add(value.map { "\($0)" }) }
    mutating func flag(_: StaticString, _ value: inout Bool?, isRequired: Bool) { add(value.map { String($0) }) }
    mutating func digest(_: StaticString, _ value: inout Digest256) { add(value.hex) }
}

extension Order: Versioned {
    var keyHash: UInt64 { id.bits }
    func hasSameKey(as other: Self) -> Bool { id == other.id }

    func rank(policy: Policy) -> VersionRank { VersionRank(date: updatedAt ?? createdAt, step: status.step) }

    func contradicts(_ other: Order) -> Bool {
        account != other.account || product != other.product || differ(amount, other.amount)
            || differ(transaction, other.transaction)
    }

    var presence: UInt8 { (amount == nil ? 0 : 1) | (transaction == nil ? 0 : 2) }

    mutating func fill(from other: Order, policy: Policy) { token = token ?? other.token }

    /// Where tokens are per order, one that changes moves a payment to another order.
    func disagrees(with other: Order, policy: Policy) -> Bool {
        policy.tokenUse == .order && differ(token, other.token)
    }
}

extension Credit: Versioned {
    var keyHash: UInt64 { id.bits }
    func hasSameKey(as other: Self) -> Bool { id == other.id }

    func rank(policy: Policy) -> VersionRank { VersionRank(date: creditedAt) }

    func contradicts(_ other: Credit) -> Bool {
        kind != other.kind || account != other.account || differ(product, other.product) || differ(order, other.order)
            || differ(transaction, other.transaction)
    }

    var presence: UInt8 {
        (product == nil ? 0 : 1) | (order == nil ? 0 : 2) | (transaction == nil ? 0 : 4)
    }
}

extension Receipt: Versioned {
    /// The id alone is not the key. A client may choose it, and would take over another account's receipt.
    var keyHash: UInt64 { givenID.map { $0.bits ^ (account.bits &* 0x9E37_79B9_7F4A_7C15) } ?? content.words.0 }
    func hasSameKey(as other: Receipt) -> Bool {
        $givenID == other.$givenID && (givenID != nil ? account == other.account : content == other.content)
    }

    /// The device is not compared. It is personal data, which decides nothing and may have been erased since.
    func hasSameContent(as other: Receipt) -> Bool {
        var copy = other
        copy.source = source
        copy.labels = labels
        copy.marks = marks
        copy.device = device
        return copy == self
    }

    func rank(policy: Policy) -> VersionRank { VersionRank(date: receivedAt) }

    func contradicts(_ other: Receipt) -> Bool { differ(product, other.product) }

    var presence: UInt8 { product == nil ? 0 : 1 }
}

extension Transaction: Versioned {
    var keyHash: UInt64 { id.bits }
    func hasSameKey(as other: Self) -> Bool { id == other.id }

    /// A transaction that only a receipt lists ranks below any record of Apple's, because it has neither price nor
    /// refund.
    func rank(policy: Policy) -> VersionRank {
        let rank =
            switch proof {
            case .invalid: 0
            case .unverifiable: 1
            case .vouched: 3
            case .verified: isFromReceipt ? 2 : 4
            }
        return VersionRank(
            proof: rank, isOfEnvironment: environment == policy.environment, date: $signedAt,
            step: revocation == nil ? 0 : 1)
    }

    /// A verified record that was signed before a refund does not hide the refund that a vouched one tells of, if that one
    /// says the same otherwise.
    func overrules(_ better: Transaction, policy: Policy) -> Bool {
        proof == .vouched && isRefunded(after: better) && !better.disagrees(with: self, policy: policy)
    }

    /// Only Apple's signature ends a refund: a vouched copy without it may come from a feed without the column.
    func reportsRefund(besides current: Transaction) -> Bool {
        if proof == .vouched, current.proof == .vouched { return revocation != nil && current.revocation == nil }
        return (proof == .vouched || proof == .verified && isFromReceipt) && isRefunded(after: current)
    }

    private func isRefunded(after other: Transaction) -> Bool {
        guard other.revocation == nil, let refundedAt = revocation?.at else { return false }
        return max($signedAt, refundedAt) > other.$signedAt
    }

    func disagrees(with other: Transaction, policy: Policy) -> Bool {
        func lacks<Value: Equatable>(_ mine: Value?, _ theirs: Value?) -> Bool { theirs != nil && mine != theirs }
        // Apple signed another app's id into it, or a feed names another app; this copy's app may be a default.
        if other.proof < .vouched {
            return other.proof == .invalid && other.failure == .wrongBundle && !isSignedRecord
        }
        // Some feeds leave out the milliseconds of a time.
        let isOriginal = other.original == other.id && original == nil
        return product != other.product || quantity != other.quantity || ownership != other.ownership
            || differ(type, other.type)
            || abs((purchasedAt - other.purchasedAt).count) >= 1000
            || !isOriginal && lacks(original, other.original) || lacks(line, other.line)
            || policy.tokenUse != .none && lacks(token, other.token)
    }

    /// Only a copy of the same environment may add anything; to a record that Apple signed, only another such record. A
    /// line item joins purchases, and only those of auto-renewable subscriptions have one.
    mutating func fill(from other: Transaction, policy: Policy) {
        guard environment == other.environment, other.isSignedRecord || !isSignedRecord else { return }
        if other.isSignedRecord, !isSignedRecord {
            // It counts because of its refund alone. The rest is as Apple signed it.
            var record = other
            (record.revocation, record.signedAt, record.marks) = (revocation, signedAt, marks)
            (record.source, record.labels) = (source, labels)
            self = record
            return
        }
        original = original ?? other.original
        token = token ?? other.token
        // Of another product they would say something else, and hide what a restore is of.
        if product == other.product { (type, expiresAt) = (type ?? other.type, expiresAt ?? other.expiresAt) }
        reason = reason ?? other.reason
        if policy.products.type(of: self) == .autoRenewable { line = line ?? other.line }
    }

    private var isSignedRecord: Bool { proof == .verified && !isFromReceipt }

    func contradicts(_ other: Transaction) -> Bool { product != other.product || differ(price, other.price) }

    var presence: UInt8 { price == nil ? 0 : 1 }
}
