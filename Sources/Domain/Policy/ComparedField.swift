/// A field in which transaction, order and credits are compared.
public enum ComparedField: String, Sendable, CaseIterable, Codable {
    case product, quantity, currency, amount
}
