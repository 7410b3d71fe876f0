/// An internal contradiction in the engine's results, which must never happen. Nothing may be written after it.
public enum EngineError: Error, Hashable, Sendable {
    /// Rows, cases or balances do not add up. The text says which.
    case unproven(String)
    /// What the history keeps is not what was written. The text says what.
    case damaged(String)
}
