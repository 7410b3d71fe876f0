/// One row of the `acks` feed: a consumer's answer to a retry entry.
public struct Acknowledgement: Equatable, Sendable {
    /// The entry's permanent idempotency key.
    public var key: String
    public var outcome: AckOutcome
    public var at: Instant
    /// The consumer's explanation for people; nil if it gave none.
    public var message: String?
    public var source: Provenance

    public init(key: String, outcome: AckOutcome, at: Instant, message: String? = nil, source: Provenance = .none) {
        (self.key, self.outcome, self.at, self.message, self.source) = (key, outcome, at, message, source)
    }
}
