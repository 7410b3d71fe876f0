internal import Glibc
internal import Synchronization

/// A request to stop, made by a signal and honoured at the next safe point. Work that is not committed is discarded.
final class Interruption: Sendable {
    /// The instance of this process. `install` connects it to signals.
    static let process = Interruption()

    private let signal = Atomic<Int32>(0)

    /// Whether a signal has arrived.
    var isRequested: Bool { signal.load(ordering: .relaxed) != 0 }

    func request(_ signal: Int32) { self.signal.store(signal, ordering: .relaxed) }

    /// - Throws: `Failure` with `interrupted` or `terminated` if a signal has arrived.
    func check() throws(Failure) {
        switch signal.load(ordering: .relaxed) {
        case 0: return
        case SIGINT: throw Failure(.interrupted, "interrupted", remedy: "Nothing was changed; run again when ready.")
        default: throw Failure(.terminated, "terminated", remedy: "Nothing was changed; run again when ready.")
        }
    }

    /// Catches SIGINT, SIGTERM and SIGHUP. The first signal requests a stop; a second one ends the program at once,
    /// which loses nothing either. A signal that the parent process ignores (nohup) stays ignored. SIGPIPE and SIGXFSZ
    /// are ignored, so that a closed pipe or a file beyond its size limit becomes a write error.
    static func install() {
        Glibc.signal(SIGPIPE, SIG_IGN)
        Glibc.signal(SIGXFSZ, SIG_IGN)
        _ = process.isRequested  // made before any handler runs
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var old = sigaction()
            sigaction(number, nil, &old)
            // Swift cannot compare function pointers; SIG_IGN is the address 1.
            if unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                if Interruption.process.isRequested { _exit(number == SIGINT ? 130 : 143) }
                Interruption.process.request(number)
            }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
    }
}
