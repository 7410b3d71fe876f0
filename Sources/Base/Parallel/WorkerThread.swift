internal import Glibc

/// A thread for one piece of work.
///
/// libdispatch is not used: where the system provides no more threads (a limit on processes or memory), it tries again
/// once a second without end. Here the caller does the work itself instead.
struct WorkerThread: Sendable {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    private let handle: pthread_t

    /// Starts the work. Nil if the system provides no thread.
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

    /// Waits until the work is done. Exactly one of `join` and `detach` must be called, once.
    func join() { pthread_join(handle, nil) }

    /// Lets the thread end by itself.
    func detach() { pthread_detach(handle) }
}

/// Runs `body` on this thread and on up to `threads` − 1 others, fewer where the system provides no more. Returns when
/// all are done.
public func onThreads(_ threads: Int, _ body: @Sendable () -> Void) {
    // The compiler would put the length of this file's whole path into the program, which then differs by folder.
    #sourceLocation(file:"OnThreads.swift",line:43)
    withoutActuallyEscaping(body) { body in
        let others = (1..<max(1, threads)).compactMap { _ in WorkerThread(body) }
        body()
        for other in others { other.join() }
    }
    #sourceLocation()
}
