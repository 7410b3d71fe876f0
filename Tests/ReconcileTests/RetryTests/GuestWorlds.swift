/// docs/spec/rules.md#withheld-entries: a customer may have the goods under another account.
extension WithheldEntryTests {
    /// A guest paid, and the order names the payment. Then the guest signed up; orders of the new account carry the same token.
    static let guests: [Beside] =
        [
            ("nothing", [], nil),
            ("a desk credit to it", ["C1,TICKET-17,,acct-9,credit,desk,2025-11-02T15:00:00+08:00"], "credit_unplaced"),
            ("goods of its own order", ["C1,O5,,acct-9,credit,auto,2025-11-02T15:00:00+08:00"], "credit_unplaced"),
            ("a desk credit to a third account", ["C1,TICKET-17,,acct-8,credit,desk,2025-11-02T15:00:00+08:00"], nil),
        ].map { name, credits, reason in
            Beside(
                name: "a second account with the payment's token, and \(name)",
                orders: [
                    order("O1", "coins,1,6.00", at: "02T11", of: purchase),
                    order("O5", "coins,1,6.00", status: "failed", at: "02T14").replacing("acct-1", with: "acct-9"),
                ], credits: credits, reason: reason)
        }
}
