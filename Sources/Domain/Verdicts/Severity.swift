/// How urgent an exception is. The more severe comes first.
public enum Severity: String, Sendable, OrderedCases, Codable {
    case critical, high, medium, low
}
