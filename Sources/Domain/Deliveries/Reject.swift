internal import Foundation

/// A row that could not be used. It is a fact about the data and does not fail the run.
public struct Reject: Hashable, Codable, Sendable {
    /// What is wrong, where the column does not show it to a reader who does not correct the row.
    public enum Kind: String, Codable, Sendable {
        case other
        /// A value that every row needs is not there.
        case missing
        /// A time has not come yet.
        case future
    }
    /// The line on which the row begins, from 1.
    public var line: Int
    /// The standard name of the column at fault; nil if the row as a whole is.
    public var column: String?
    public var kind: Kind
    /// What is wrong and what would be right, in English.
    public var reason: String
    /// The row's bytes as read, cut off after 4 KiB. May be invalid UTF-8.
    public var row: [UInt8] {
        get { Array(bytes) }
        set { bytes = Data(newValue) }
    }
    private var bytes: Data

    public init(line: Int, column: String?, kind: Kind = .other, reason: String, row: [UInt8]) {
        self.line = line
        self.column = column
        self.kind = kind
        self.reason = reason
        bytes = Data(row)
    }
}
