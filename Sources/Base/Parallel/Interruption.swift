internal import Synchronization

/// A request to end, made by a signal and honoured at the next safe point. Work that was not committed is abandoned.
public final class Interruption: Sendable {
    /// The request to end this process. The executable's signal handlers make it.
    public static let process = Interruption()

    private let signal = Atomic<Int32>(0)

    public init() {}

    public var isRequested: Bool { signal.load(ordering: .relaxed) != 0 }

    /// Asks all work to end. `signal` is the number of the signal that asked, never 0.
    public func request(_ signal: Int32) { self.signal.store(signal, ordering: .relaxed) }

    /// - Throws: `Interrupted` if an end was requested.
    public func check() throws(Interrupted) {
        let signal = signal.load(ordering: .relaxed)
        if signal != 0 { throw Interrupted(signal: signal) }
    }
}

/// The work ended early because a signal requested it.
public struct Interrupted: Error, Hashable, Sendable {
    public var signal: Int32
}
