internal import Glibc
internal import Synchronization

/// A request to end, made by a signal and honoured at the next safe point: work not committed is left undone.
final class Interruption: Sendable {
    /// The process's own. Its signals are caught from `install` on.
    static let process = Interruption()

    private let signal = Atomic<Int32>(0)

    var isRequested: Bool { signal.load(ordering: .relaxed) != 0 }

    func request(_ signal: Int32) { self.signal.store(signal, ordering: .relaxed) }

    /// - Throws: `Failure` with `interrupted` or `terminated` once a signal has come.
    func check() throws(Failure) {
        switch signal.load(ordering: .relaxed) {
        case 0: return
        case SIGINT: throw Failure(.interrupted, "interrupted", remedy: "Nothing was changed; run again when ready.")
        default: throw Failure(.terminated, "terminated", remedy: "Nothing was changed; run again when ready.")
        }
    }

    /// Catches SIGINT, SIGTERM and SIGHUP once: a second one ends the program where it stands, which loses
    /// nothing either. A signal that the parent ignores (nohup) stays ignored. A closed pipe and a file grown over
    /// its limit become errors of the write.
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
