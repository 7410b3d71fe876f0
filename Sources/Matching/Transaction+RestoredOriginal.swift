extension Transaction {
    /// The original transaction id under which a restore of this purchase would be delivered. Nil unless the type is
    /// Non-Consumable, or is unknown while the original id differs from the own id and the record has no expiry date.
    public func restoredOriginal(in policy: Policy) -> Identifier? {
        guard let original else { return nil }
        switch policy.products.type(of: self) {
        case .nonConsumable: return original
        case nil: return original != id ? original : nil
        default: return nil
        }
    }
}
