internal import AppStore
internal import Synchronization

/// Checks Apple's records and clients' receipts for one thread at a time.
///
/// Each checker parses Apple's certificates when it is made, and caches the chains that it has verified. So a night makes
/// one for each thread and passes it on from file to file.
// Safe because a thread has a `RecordCheckers` to itself from the pool's `popLast` to its `append`, both under the pool's
// lock. The rule is kept by `RecordCheckerPool.withCheckers`, the only place that makes one; its callers must not keep it.
final class RecordCheckers: @unchecked Sendable {  // Safe: its pool lends it to one thread at a time.
    private let settings: AppStoreSettings
    private(set) lazy var transactions = TransactionLineReader(settings: settings)
    private(set) lazy var receipts = ReceiptChecker(settings: settings)

    init(_ settings: AppStoreSettings) { self.settings = settings }
}

/// The checkers of a night that no thread is using.
final class RecordCheckerPool: Sendable {
    private let settings: AppStoreSettings
    private let idle = Mutex<[RecordCheckers]>([])

    init(_ settings: AppStoreSettings) { self.settings = settings }

    /// Calls `body` with a checker that no other thread uses meanwhile.
    func withCheckers<Result>(_ body: (RecordCheckers) throws -> Result) rethrows -> Result {
        let checkers = idle.withLock { $0.popLast() } ?? RecordCheckers(settings)
        defer { idle.withLock { $0.append(checkers) } }
        return try body(checkers)
    }
}
