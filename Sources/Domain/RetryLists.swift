/// A night's retry files, each sorted by key.
public struct RetryLists: Hashable, Sendable, Codable {
    public var emitted: [RetryLine] = []
    public var held: [RetryLine] = []
    public var dead: [RetryLine] = []
    public init() {}
}
