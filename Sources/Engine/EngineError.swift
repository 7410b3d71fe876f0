/// What must never happen: the engine's own results contradict each other. Nothing may be written then.
public enum EngineError: Error, Hashable, Sendable {
    /// Rows, cases or balances do not add up; the text says which.
    case unproven(String)
}
