internal import Glibc

/// Prepares the process before it does anything: new files are for their owner only, signals become requests to end, and no
/// file can get the number of a standard stream that is closed.
public func prepareProcess() {
    umask(0o077)
    Interruption.install()
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
        // It is open for reading only, so writing results there still fails.
        _ = open("/dev/null", O_RDONLY)
    }
}

extension Interruption {
    /// Catches SIGINT, SIGTERM and SIGHUP. The first signal requests a stop; a second one ends the program at once,
    /// which loses nothing either. A signal that the parent process ignores (nohup) stays ignored. SIGPIPE and SIGXFSZ
    /// are ignored, so that a closed pipe or a file beyond its size limit becomes a write error.
    public static func install() {
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

extension Failure {
    public init(_ error: Interrupted) {
        self.init(
            error.signal == SIGINT ? .interrupted : .terminated, error.signal == SIGINT ? "interrupted" : "terminated",
            remedy: "Nothing was changed; run again when ready.")
    }
}
