/// Who waived an exception, and when.
public struct WaiverLine: Hashable, Sendable, Codable {
    public var exception: String
    public var by: String
    public var at: Instant
}
