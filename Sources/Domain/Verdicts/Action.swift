/// The next step for an exception. See docs/spec/rules.md#actions. Only the first four can go into a retry manifest;
/// the others are for people.
public enum Action: String, Sendable, CaseIterable, Codable {
    /// Check the receipt with Apple again.
    case verifyReceipt = "verify_receipt"
    /// Ask Apple for a transaction that no record proves yet.
    case fetchTransaction = "fetch_transaction"
    /// Give the customer the goods.
    case credit
    /// Take back goods that were given without a payment behind them.
    case reverseCredit = "reverse_credit"
    /// `attribute`: a person names the account that the purchase belongs to. `investigate` and `escalate`: a person
    /// looks.
    case attribute, investigate, escalate
    /// Correct the backend's own request or feed.
    case fixInput = "fix_input"
    /// `wait`: a grace period or a missing file decides. `none`: no step is needed.
    case wait, none
}
