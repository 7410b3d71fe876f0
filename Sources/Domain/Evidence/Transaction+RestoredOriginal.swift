extension Transaction {
    /// A restore of another record's purchase.
    public func isRestore(in policy: Policy) -> Bool { restoredOriginal(in: policy).map { $0 != id } ?? false }

    /// A later period of a subscription: a renewal, another plan, or one bought again. No order of an earlier one was paid
    /// twice by it.
    public func isLaterPeriod(in policy: Policy) -> Bool {
        !$original.isAbsent(or: id) && policy.products.type(of: self) == .autoRenewable || reason == .renewal
    }

    /// A later period that Apple began, or may have begun: its record may not say it.
    public func isRenewal(in policy: Policy) -> Bool { reason != .purchase && isLaterPeriod(in: policy) }

    /// The original transaction id under which a restore of this purchase would be delivered. Nil unless the type is
    /// Non-Consumable, or is unknown while the original id differs from the own id.
    public func restoredOriginal(in policy: Policy) -> Identifier? {
        guard let original else { return nil }
        switch policy.products.type(of: self) {
        case .nonConsumable: return original
        case nil: return original != id ? original : nil
        default: return nil
        }
    }

    /// The line item of a subscription period. Nil if it is of another kind of purchase.
    public func periodLine(in policy: Policy) -> Identifier? {
        switch policy.products.type(of: self) {
        case .autoRenewable, nil: line
        default: nil
        }
    }

    /// What shows which subscription period the record is of. Nil if nothing of this kind does.
    public func period(in policy: Policy, by sign: SubscriptionPeriod.Sign) -> SubscriptionPeriod? {
        guard let line = periodLine(in: policy) else { return nil }
        let instant: Instant
        switch sign {
        case .end:
            guard let expiresAt else { return nil }
            instant = expiresAt
        case .start: instant = purchasedAt
        case .signature:
            guard proof == .verified, !isFromReceipt else { return nil }
            instant = Instant(milliseconds: 0)
        }
        return SubscriptionPeriod(
            line: line, product: product, original: original, sign: sign, second: instant.milliseconds / 1000)
    }
}

/// What two records of one subscription period share. The line item alone does not say it: an export may fill an empty
/// column with one value.
public struct SubscriptionPeriod: Hashable, Sendable {
    /// What they share beside line item, product and original id: when the period ends; when it was bought, because Apple may
    /// have extended it since; or that Apple signed both.
    public enum Sign: Sendable, CaseIterable { case end, start, signature }

    let line: Identifier
    let product: Identifier
    let original: Identifier?
    let sign: Sign
    /// Some exports leave out the milliseconds.
    let second: Int64

    /// Equal for equal periods. Many may have one line item.
    public var bits: UInt64 {
        (line.bits ^ (original?.bits ?? 0) ^ UInt64(bitPattern: second) ^ product.bits.byteSwapped)
            &* 0x9E37_79B9_7F4A_7C15
    }
}
