internal import Synchronization

/// A piece of work that runs on another thread. Where only one core may be used, or the system provides no more
/// threads, it runs on the caller's thread when `value()` is called.
public final class BackgroundTask<Value: Sendable, Failure: Error>: Sendable {
    /// The thread at work; nil before it starts and after it was joined.
    private let thread = Mutex<WorkerThread?>(nil)
    /// Set when the thread is done.
    private let result = Mutex<Result<Value, Failure>?>(nil)
    private let work: @Sendable () throws(Failure) -> Value

    /// - Parameter isConcurrent: start the work now on another thread. False: run it in `value()`.
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

    /// Waits for the work and returns its result, again if it is asked again.
    ///
    /// - Throws: the error that the work threw.
    public func value() throws(Failure) -> Value {
        thread.withLock { $0.take()?.join() }
        let outcome = result.withLock { result in
            let outcome = result ?? Result(catching: work)
            result = outcome
            return outcome
        }
        return try outcome.get()
    }
}

/// Makes `count` pieces and passes them in order to `use`, which runs on the caller's thread. While `use` handles one
/// piece, the next one is made on another thread, unless `threads` is 1.
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
    /// The number of pieces of `size` elements that the array splits into. The last piece may be shorter.
    public func pieces(of size: Int) -> Int { (count + size - 1) / size }

    /// Piece `number`, counted from 0.
    public func piece(_ number: Int, of size: Int) -> ArraySlice<Element> {
        self[number * size..<Swift.min(count, (number + 1) * size)]
    }
}
