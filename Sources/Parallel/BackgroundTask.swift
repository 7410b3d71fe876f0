internal import Synchronization

/// Work that goes on beside this thread's, or is done when it is waited for where only one core may be used.
public final class BackgroundTask<Value: Sendable, Failure: Error>: Sendable {
    private let thread = Mutex<WorkerThread?>(nil)
    private let result = Mutex<Result<Value, Failure>?>(nil)
    private let work: @Sendable () throws(Failure) -> Value

    public init(isConcurrent: Bool, _ work: @escaping @Sendable () throws(Failure) -> Value) {
        self.work = work
        guard isConcurrent else { return }
        thread.withLock { thread in
            thread = WorkerThread { [self] in
                let outcome = Result(catching: work)
                result.withLock { $0 = outcome }
            }
        }
    }

    deinit { thread.withLock { $0?.detach() } }

    /// Waits for what the work came to. - Throws: what it threw.
    public func value() throws(Failure) -> Value {
        thread.withLock { $0.take()?.join() }
        guard let outcome = result.withLock({ $0 }) else { return try work() }
        return try outcome.get()
    }
}

/// Makes pieces, each beside the use of the one before; `use` gets them in order, on this thread.
public func pipelined<Piece: Sendable>(
    threads: Int, _ count: Int, make: @escaping @Sendable (Int) -> Piece, use: (Piece) throws -> Void
) rethrows {
    var next: BackgroundTask<Piece, Never>?
    for number in 0..<count {
        let piece = next?.value() ?? make(number)
        next = number + 1 < count ? BackgroundTask(isConcurrent: threads > 1) { make(number + 1) } : nil
        try use(piece)
    }
}

extension Array {
    /// How many pieces of so many elements it makes; the last may be shorter.
    public func pieces(of size: Int) -> Int { (count + size - 1) / size }

    public func piece(_ number: Int, of size: Int) -> ArraySlice<Element> {
        self[number * size..<Swift.min(count, (number + 1) * size)]
    }
}
