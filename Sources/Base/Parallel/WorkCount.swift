internal import Synchronization

/// The progress of a stage. The threads that do the work add to it from time to time; the one that displays progress
/// reads it. All of its functions can be called on any thread.
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

    /// Adds to the total that is to be done, in the same units as `add`.
    public func expect(rows: Int = 0, bytes: Int64 = 0) {
        rowsExpected.wrappingAdd(rows, ordering: .relaxed)
        bytesExpected.wrappingAdd(bytes, ordering: .relaxed)
    }

    /// The counts at this moment. They are read one by one, so they may belong to slightly different moments.
    public var amount: WorkAmount {
        WorkAmount(
            rows: rows.load(ordering: .relaxed), bytes: bytes.load(ordering: .relaxed),
            rowsExpected: rowsExpected.load(ordering: .relaxed), bytesExpected: bytesExpected.load(ordering: .relaxed))
    }
}
