public enum CreditKind: UInt8, Sendable, CaseIterable {
    case credit, reversal
    public var name: String { "\(word)" }
    public var word: StaticString { self == .credit ? "credit" : "reversal" }
}
