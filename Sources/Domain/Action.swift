/// What is to be done. RULES §5; only the first four may ever be a machine's.
public enum Action: String, Sendable, CaseIterable, Codable {
    case verifyReceipt = "verify_receipt"
    case fetchTransaction = "fetch_transaction"
    case credit
    case reverseCredit = "reverse_credit"
    case attribute, investigate, escalate
    case fixInput = "fix_input"
    case wait, none
}
