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
        + guestsOrders + lostTokens + words

    /// With the guest's account, the order lost the token that its payment carries, or has another one.
    private static let lostTokens: [Beside] = ["", "1f8fad5b-d9cb-469f-a165-000000000001"].flatMap { other in
        [("acct-9", "credit_unplaced"), ("acct-8", nil as String?)].map { account, reason in
            let row = order("O1", "coins,1,6.00", at: "02T11")
            let taken = row.replacing("acct-1", with: "acct-9").replacing(token, with: other)
            return Beside(
                name: "an order whose token became '\(other)', and a desk credit to \(account)",
                orders: [row, taken + "2025-11-02T18:00:00+08:00"],
                credits: ["C1,TICKET-17,,\(account),credit,desk,2025-11-02T15:00:00+08:00"], reason: reason)
        }
    }

    /// The order came again under the account with which the guest signed up. No order of the guest carries a token.
    private static let guestsOrders: [Beside] =
        [
            ("nothing", "acct-9", "TICKET-17", nil),
            ("a desk credit to the guest", "acct-9", "TICKET-17", "credit_unplaced"),
            ("a desk credit to a third account", "acct-8", "TICKET-17", nil),
        ].flatMap { name, account, ticket, reason in
            [true, false].map { isNamed in
                let row = order("O1", "coins,1,6.00", status: "paid", at: "02T11", of: isNamed ? purchase : "")
                    .replacing(token, with: "")
                let link = isNamed ? "names the payment" : "a receipt links"
                return Beside(
                    name: "an order that a guest took along and \(link), and \(name)",
                    orders: [row.replacing("acct-1", with: "acct-9"), row + "2025-11-02T18:00:00+08:00"],
                    credits: name == "nothing"
                        ? [] : ["C1,\(ticket),,\(account),credit,desk,2025-11-02T15:00:00+08:00"],
                    receipts: isNamed ? [] : ["R1,2025-11-02T12:01:00+08:00,acct-1,O1,\(purchase),0,"], reason: reason)
            }
        }

    /// Agents write one word in place of the order, in many rows; one of them names another payment. Or the order into the id.
    private static let words: [Beside] =
        ([
            ("C1,补偿,,880012345678", "acct-9", "credit_unplaced"),
            ("C1,补偿,,vip 880012345678", "acct-9", "credit_unplaced"),
            ("C1,补偿,,880012345678", "880012345678", "credit_unplaced"), ("C1,补偿,,acct-8", "acct-9", nil),
            ("C1-SP20251102000013,补偿,,acct-8", "acct-9", "credit_unplaced"),
            ("C1-20251102-13,补偿,,acct-8", "acct-9", nil),
            ("20251103-20251102000013,补偿,,acct-8", "acct-9", "credit_unplaced"),
            ("20251103-2025110200001,补偿,,acct-8", "acct-9", nil),
            ("C1,20251102000013-2025110312345678,,acct-8", "acct-9", "credit_unplaced"),
            ("C1,2025110200001-2025110312345678,,acct-8", "acct-9", nil),
        ] as [(String, String, String?)]).map { row, other, reason in
            Beside(
                name: "a credit \(row) and the same word in a row of \(other)",
                orders: [order("SP20251102000013", "coins,1,6.00", at: "02T11")],
                credits: [
                    "C9,补偿,3000000009,\(other),credit,desk,2025-11-02T13:00:00+08:00",
                    row + ",credit,desk,2025-11-02T15:00:00+08:00",
                ], transactions: "3000000009", members: #","quantity":2"#, account: "880012345678", reason: reason)
        }
}
