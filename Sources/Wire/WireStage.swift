/// What the lines of a stream are, as its header says.
public enum WireStage: String, Sendable, CaseIterable {
    /// Evidence, and the lines that travel with it: owners and entries.
    case evidence
    /// What judging found.
    case findings
}

/// The version of the wire. A program reads no other.
public let wireVersion = 2

/// The first line of a stream.
func wireHeader(_ stage: WireStage, plan: String) -> String {
    "reconcile-wire \(wireVersion) \(stage.rawValue) \(plan)"
}
