public import Domain

/// Who waived an exception, and when.
public struct WaiverLine: Hashable, Sendable, Codable {
    public var exception: String
    public var by: String
    public var at: Instant

    public init(exception: String, by: String, at: Instant) {
        self.exception = exception
        self.by = by
        self.at = at
    }
}
