/// A night's retry files, each sorted by key.
public struct RetryLists: Hashable, Sendable, Codable {
    /// `retry-manifest.jsonl`.
    public var emitted: [RetryLine] = []
    /// `held.jsonl`.
    public var held: [RetryLine] = []
    /// `dead-letter.jsonl`.
    public var dead: [RetryLine] = []
    public init() {}
}
