/// A rejected row as the reports list it.
public struct RejectLine: Hashable, Sendable, Codable {
    public var source: String
    public var line: Int
    public var column: String?
    public var reason: String
    public var row: [UInt8]

    public init(source: String, line: Int, column: String?, reason: String, row: [UInt8]) {
        self.source = source
        self.line = line
        self.column = column
        self.reason = reason
        self.row = row
    }
}
