/// A rejected row in a report.
public struct RejectLine: Hashable, Sendable, Codable {
    /// The file's name.
    public var source: String
    /// The line on which the row begins, from 1.
    public var line: Int
    /// The standard name of the column at fault; nil if the row as a whole is.
    public var column: String?
    /// What is wrong and what would be right, in English.
    public var reason: String
    /// The row's bytes as read, cut off after 4 KiB.
    public var row: [UInt8]

    public init(source: String, line: Int, column: String?, reason: String, row: [UInt8]) {
        self.source = source
        self.line = line
        self.column = column
        self.reason = reason
        self.row = row
    }
}
