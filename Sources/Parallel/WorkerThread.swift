internal import Glibc

/// A thread of its own for one piece of work.
///
/// Not libdispatch's: where the system makes no more threads (a limit on processes or memory) libdispatch tries again every
/// second for ever; here whoever asked does the work itself.
struct WorkerThread: Sendable {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    private let handle: pthread_t

    /// Nil where the system makes no thread.
    init?(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body))
        var made = pthread_t()
        let code = pthread_create(
            &made, nil,
            { pointer in
                Unmanaged<Work>.fromOpaque(pointer!).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return nil
        }
        handle = made
    }

    /// Waits until the work is done. Either this or `detach` is called, once.
    func join() { pthread_join(handle, nil) }

    func detach() { pthread_detach(handle) }
}

/// Runs `body` on this thread and up to `threads` - 1 others, fewer where the system makes no more, and waits for all.
public func onThreads(_ threads: Int, _ body: @Sendable () -> Void) {
    withoutActuallyEscaping(body) { body in
        let others = (1..<max(1, threads)).compactMap { _ in WorkerThread(body) }
        body()
        for other in others { other.join() }
    }
}
