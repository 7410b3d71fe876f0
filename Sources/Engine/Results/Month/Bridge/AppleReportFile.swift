/// One of Apple's financial reports as it was read.
public struct AppleReportFile: Hashable, Sendable, Codable {
    public var name: String
    /// The file's SHA-256 in hexadecimal.
    public var digest: String
    /// How many sales and returns it lists.
    public var rows: Int
    /// The first and the last day of the report's period, both included.
    public var first: BusinessDate
    public var last: BusinessDate
    /// It is of a period before the month's, and leads up to it.
    public var isEarlier = false
    /// Inconsistencies in the file that change no figure, in English.
    public var remarks: [String]
}
