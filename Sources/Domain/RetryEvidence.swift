/// A row that an entry rests on.
public struct RetryEvidence: Hashable, Sendable, Codable {
    public var source: String
    public var line: Int
    /// The file's SHA-256, hexadecimal.
    public var digest: String

    public init(source: String, line: Int, digest: String) {
        self.source = source
        self.line = line
        self.digest = digest
    }
}
