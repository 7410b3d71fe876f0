internal import Dispatch
internal import Synchronization

/// Work that goes on beside this thread's, or is done when it is waited for where only one core may be used.
final class Background<Value: Sendable>: Sendable {
    private let group = DispatchGroup()
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let work: @Sendable () throws -> Value

    init(isBeside: Bool, _ work: @escaping @Sendable () throws -> Value) {
        self.work = work
        guard isBeside else { return }
        DispatchQueue.global().async(group: group) { [self] in
            let outcome = Result { try work() }
            result.withLock { $0 = outcome }
        }
    }

    /// Waits for what the work came to. - Throws: what it threw.
    func value() throws -> Value {
        group.wait()
        return try result.withLock { $0 }?.get() ?? work()
    }
}
