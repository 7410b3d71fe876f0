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
