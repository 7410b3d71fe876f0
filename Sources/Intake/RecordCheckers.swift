internal import AppStore
internal import Synchronization

/// Checks Apple's records and clients' receipts for one thread at a time.
///
/// Each checker parses Apple's certificates when it is made, and caches the chains that it has verified. So a night
/// makes one for each thread and passes it on from file to file.
final class RecordCheckers {
    private let settings: AppStoreSettings
    private(set) lazy var transactions = TransactionLineReader(settings: settings)
    private(set) lazy var receipts = ReceiptChecker(settings: settings)

    init(_ settings: AppStoreSettings) { self.settings = settings }

    /// Throws if `instant` is more than a day after the run's now.
    func requirePast(_ instant: Instant, _ column: Column) throws(RowFault) {
        if instant > settings.latest { throw RowFault(column, LineReject.future(instant), .future) }
    }
}

/// The checkers of a night that no thread is using.
final class RecordCheckerPool: Sendable {
    /// Checkers that a thread may take.
    private final class Slot: Sendable {
        let checkers: Mutex<RecordCheckers>

        init(_ settings: AppStoreSettings) { checkers = Mutex(RecordCheckers(settings)) }
    }

    private let settings: AppStoreSettings
    private let idle = Mutex<[Slot]>([])

    init(_ settings: AppStoreSettings) { self.settings = settings }

    /// Calls `body` with checkers that no other thread uses meanwhile.
    func withCheckers<Result: Sendable, Failure>(
        _ body: @Sendable (RecordCheckers) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let slot = idle.withLock { $0.popLast() } ?? Slot(settings)
        defer { idle.withLock { $0.append(slot) } }
        return try slot.checkers.withLock { (checkers) throws(Failure) in try body(checkers) }
    }
}
