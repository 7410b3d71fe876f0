internal import Foundation

/// The surroundings of a command: its only access to the clock, the environment and the standard streams.
struct CommandContext {
    var variables: [String: String]
    /// The working folder, absolute. Relative paths on the command line start there.
    var folder: String
    /// The real time. Used only for what `--as-of` does not determine, and for the log.
    var clock: @Sendable () -> Instant
    /// How many bytes of memory are free. Nil if unknown.
    var memory: @Sendable () -> Int64? = MemoryNeed.available
    /// Where a request's body is read from.
    var input = STDIN_FILENO
    /// Whether the desk's page may be answered by a process of its own, which has limits. False inside of a test.
    var limitsDesk = true
    var output: Output
    var log: Log

    /// How many cores a run uses: all, or as many as `RECONCILE_THREADS` allows. No result depends on it.
    var threads: Int {
        let allowed = variables["RECONCILE_THREADS"].flatMap { Int($0) } ?? .max
        return max(1, min(ProcessInfo.processInfo.activeProcessorCount, allowed))
    }

    /// Who runs the command: the system's user. Under `sudo`, or a web server with a login, the user of the owner of the ledger or
    /// of root is a service, and the person is the one that they name.
    ///
    /// - Parameter ledger: the ledger's path.
    func user(of ledger: String) -> String {
        let uid = getuid()
        var status = stat()
        let isService = uid == 0 || (stat(ledger, &status) == 0 && status.st_uid == uid)
        let named = ["REMOTE_USER", "SUDO_USER"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
        let own = getpwuid(uid).map { String(cString: $0.pointee.pw_name) } ?? String(uid)
        return (isService ? named ?? own : own).replacing(" ", with: "_")
    }

    /// Prints what was done, unless only warnings and errors are wanted. The work is done in any case, so if printing
    /// fails, that is only a warning.
    func announce(_ text: String) {
        if log.isQuiet { return }
        do {
            try output.write(text)
            try output.flush()
        } catch {
            if error.code != .closedPipe { log.warning("the work is done, but \(error.message)") }
        }
    }

    /// The configuration that the command line names.
    ///
    /// - Throws: `Failure` as `Configuration.load` does.
    func configuration(for invocation: Invocation) throws(Failure) -> Configuration {
        try Configuration.load(for: invocation, in: folder, variables: variables)
    }

    static func process() -> CommandContext {
        let clock: @Sendable () -> Instant = {
            Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        }
        return CommandContext(
            variables: ProcessInfo.processInfo.environment, folder: FileManager.default.currentDirectoryPath,
            clock: clock, output: Output(), log: Log(clock: clock))
    }
}
