/// A field that order, transaction and credits are compared by.
public enum ComparedField: String, Sendable, CaseIterable, Codable {
    case product, quantity, currency, amount
}
