extension Transaction {
    /// A restore of another record's purchase.
    public func isRestore(in policy: Policy) -> Bool { restoredOriginal(in: policy).map { $0 != id } ?? false }

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
}
