public import Domain

/// Who waived an exception, and when.
public struct WaiverLine: Hashable, Sendable, Codable {
    /// The exception's id.
    public var exception: String
    /// Who decided it.
    public var by: String
    public var at: Instant
}
