extension Transaction {
    /// A restore of another record's purchase.
    public func isRestore(in policy: Policy) -> Bool { restoredOriginal(in: policy).map { $0 != id } ?? false }

    /// A later period of a subscription. No order of an earlier one was paid twice by it.
    public func isRenewal(in policy: Policy) -> Bool {
        !$original.isAbsent(or: id) && policy.products.type(of: self) == .autoRenewable
    }

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

    /// The subscription period that the record is of. Nil without a line item, or if it is of another kind of purchase.
    public func period(in policy: Policy) -> SubscriptionPeriod? {
        guard let line else { return nil }
        switch policy.products.type(of: self) {
        case .autoRenewable, nil:
            let end = (expiresAt ?? purchasedAt).milliseconds / 1000
            return SubscriptionPeriod(line: line, product: product, original: original, end: end)
        default: return nil
        }
    }

    /// The period of a record that Apple signed. Its line item says enough: Apple may have extended the period since another
    /// record of it was signed.
    public func signedPeriod(in policy: Policy) -> SubscriptionPeriod? {
        guard proof == .verified, !isFromReceipt, var period = period(in: policy) else { return nil }
        period.end = nil
        return period
    }
}

/// What all records of one subscription period share. The line item alone does not say it: an export may fill an empty
/// column with one value.
public struct SubscriptionPeriod: Hashable, Sendable {
    public let line: Identifier
    let product: Identifier
    let original: Identifier?
    /// When it ends; of a record that does not say, when it was bought. In seconds, because some exports leave out the
    /// milliseconds. Nil if it does not matter.
    var end: Int64?

    /// Equal for equal periods. Many may have one line item.
    public var bits: UInt64 {
        (line.bits ^ (original?.bits ?? 0) ^ UInt64(bitPattern: end ?? 0) ^ product.bits.byteSwapped)
            &* 0x9E37_79B9_7F4A_7C15
    }
}
