/// What the lines of a stream are, as its header says.
public enum WireStage: String, Sendable, CaseIterable {
    /// Evidence, and the lines that travel with it: owners and entries.
    case evidence
    /// What judging found.
    case findings
}

/// The version of the wire. A program reads no other.
public let wireVersion = 1
