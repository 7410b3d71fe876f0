/// Where an exception stands tonight. RULES §4.
public enum ExceptionState: String, Sendable, CaseIterable, Codable {
    case new, open, changed, reopened, resolved, waived
}
