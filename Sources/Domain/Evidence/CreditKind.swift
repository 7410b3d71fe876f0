/// Whether goods were given or taken back.
public enum CreditKind: UInt8, Sendable, CaseIterable {
    case credit, reversal
    /// The word in the credits feed.
    public var name: String { self == .credit ? "credit" : "reversal" }
}
