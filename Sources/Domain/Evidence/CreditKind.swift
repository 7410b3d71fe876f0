/// Whether goods were given or taken back. The raw values are the words in the credits feed.
public enum CreditKind: String, Sendable, CaseIterable {
    case credit, reversal
}
