/// One of Apple's financial reports, as it was read.
public struct AppleReportFile: Hashable, Sendable, Codable {
    public var name: String
    /// SHA-256, hexadecimal.
    public var digest: String
    public var rows: Int
    /// Its period, `YYYY-MM-DD`.
    public var first: String
    public var last: String
    /// What does not add up in it and harms nothing.
    public var remarks: [String]

    public init(name: String, digest: String, rows: Int, first: String, last: String, remarks: [String]) {
        self.name = name
        self.digest = digest
        self.rows = rows
        self.first = first
        self.last = last
        self.remarks = remarks
    }
}
