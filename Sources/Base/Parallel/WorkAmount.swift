/// How much of a stage is done, and how much there is. 0 for what is not counted or not known.
public struct WorkAmount: Hashable, Sendable {
    /// Rows done, or cases, or whatever the stage counts.
    public var rows = 0
    public var bytes: Int64 = 0
    public var rowsExpected = 0
    public var bytesExpected: Int64 = 0

    /// From 0 to 1: by bytes where their total is known, else by rows. Nil if neither total is known.
    public var part: Double? {
        if bytesExpected > 0 { return min(1, Double(bytes) / Double(bytesExpected)) }
        return rowsExpected > 0 ? min(1, Double(rows) / Double(rowsExpected)) : nil
    }
}
