internal import Dispatch
internal import Synchronization

/// Work that goes on beside this thread's, or is done at once where only one core may be used.
final class Background<Value: Sendable>: Sendable {
    private let group = DispatchGroup()
    private let result = Mutex<Result<Value, any Error>?>(nil)

    init(isBeside: Bool, _ work: @escaping @Sendable () throws -> Value) {
        let run = { @Sendable [self] in
            let outcome = Result { try work() }
            result.withLock { $0 = outcome }
        }
        if isBeside { DispatchQueue.global().async(group: group, execute: run) } else { run() }
    }

    /// Waits for what the work came to. - Throws: what it threw.
    func value() throws -> Value {
        group.wait()
        return try result.withLock { $0! }.get()
    }
}
