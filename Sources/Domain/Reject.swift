/// A row that could not be used: a fact about the data, never an error of the run.
public struct Reject: Hashable, Sendable {
    /// The line on which the row begins, from 1.
    public var line: Int
    /// The column at fault by its standard name, or nil where the row as a whole is.
    public var column: String?
    /// What is wrong and what would be right, for a person.
    public var reason: String
    /// The row as read, cut at 4 KiB. May be no UTF-8.
    public var row: [UInt8]

    public init(line: Int, column: String?, reason: String, row: [UInt8]) {
        self.line = line
        self.column = column
        self.reason = reason
        self.row = row
    }
}
