/// A row that a retry entry rests on.
public struct RetryEvidence: Hashable, Sendable, Codable {
    /// The file's name.
    public var source: String
    /// The line on which the row begins, from 1.
    public var line: Int
    /// The file's SHA-256 in hexadecimal.
    public var digest: String

    public init(source: String, line: Int, digest: String) {
        self.source = source
        self.line = line
        self.digest = digest
    }
}
