/// What is done of a stage, and of how much; 0 where nothing is counted or nobody knows.
public struct WorkAmount: Hashable, Sendable {
    /// Or cases, or whatever the stage counts.
    public var rows: Int
    public var bytes: Int64
    public var rowsExpected: Int
    public var bytesExpected: Int64

    public init(rows: Int = 0, bytes: Int64 = 0, rowsExpected: Int = 0, bytesExpected: Int64 = 0) {
        self.rows = rows
        self.bytes = bytes
        self.rowsExpected = rowsExpected
        self.bytesExpected = bytesExpected
    }

    /// From 0 to 1, by bytes where they are known beforehand, else by rows; nil where neither is.
    public var part: Double? {
        if bytesExpected > 0 { return min(1, Double(bytes) / Double(bytesExpected)) }
        return rowsExpected > 0 ? min(1, Double(rows) / Double(rowsExpected)) : nil
    }
}
