/// How much of a stage is done, and how much there is. 0 for what is not counted or not known.
public struct WorkAmount: Hashable, Sendable {
    /// Rows done, or cases, or whatever the stage counts.
    public var rows: Int
    /// Bytes done.
    public var bytes: Int64
    /// The rows of the whole stage.
    public var rowsExpected: Int
    /// The bytes of the whole stage.
    public var bytesExpected: Int64

    public init(rows: Int = 0, bytes: Int64 = 0, rowsExpected: Int = 0, bytesExpected: Int64 = 0) {
        self.rows = rows
        self.bytes = bytes
        self.rowsExpected = rowsExpected
        self.bytesExpected = bytesExpected
    }

    /// From 0 to 1: by bytes where their total is known, else by rows. Nil if neither total is known.
    public var part: Double? {
        if bytesExpected > 0 { return min(1, Double(bytes) / Double(bytesExpected)) }
        return rowsExpected > 0 ? min(1, Double(rows) / Double(rowsExpected)) : nil
    }
}
