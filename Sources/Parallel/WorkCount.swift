internal import Synchronization

/// How far a stage has come: counted by those who do the work, a block or a piece at a time and on any thread, and read
/// by whoever shows it.
public final class WorkCount: Sendable {
    private let rows = Atomic<Int>(0)
    private let bytes = Atomic<Int64>(0)
    private let rowsExpected = Atomic<Int>(0)
    private let bytesExpected = Atomic<Int64>(0)

    public init() {}

    public func add(rows: Int = 0, bytes: Int64 = 0) {
        self.rows.wrappingAdd(rows, ordering: .relaxed)
        self.bytes.wrappingAdd(bytes, ordering: .relaxed)
    }

    /// Says that so much more is to be done. Rows are what is added as rows, bytes what is added as bytes.
    public func expect(rows: Int = 0, bytes: Int64 = 0) {
        rowsExpected.wrappingAdd(rows, ordering: .relaxed)
        bytesExpected.wrappingAdd(bytes, ordering: .relaxed)
    }

    public var amount: WorkAmount {
        WorkAmount(
            rows: rows.load(ordering: .relaxed), bytes: bytes.load(ordering: .relaxed),
            rowsExpected: rowsExpected.load(ordering: .relaxed), bytesExpected: bytesExpected.load(ordering: .relaxed))
    }
}

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
