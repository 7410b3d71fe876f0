internal import Foundation
internal import Glibc
internal import Reports

/// The same request, answered by a process of its own, which may use so much and no more. One question cannot take the
/// machine then. See docs/spec/interfaces.md#desk-limits.
struct LimitedDesk {
    /// Set in the environment of the process that answers.
    static let mark = "RECONCILE_DESK_LIMITED"
    let limits: DeskSettings.Limits

    /// What the process wrote, a whole response.
    ///
    /// - Throws: `DeskProblem.limit` where it met a limit; `Failure` where it ended in any other way than with 0.
    func response(_ variables: [String: String]) throws -> [UInt8] {
        let (process, output) = try start(variables)
        let most = limits.outputMegabytes << 20
        var said: [UInt8] = []
        while said.count <= most, let bytes = try output.read(upToCount: 1 << 16), !bytes.isEmpty { said += bytes }
        if said.count > most { kill(process, SIGKILL) }
        var (status, usage) = (Int32(0), rusage())
        while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        if said.count > most { throw DeskProblem.limit(.output, limits.outputMegabytes) }
        if status == 0 { return said }
        // The lowest seven bits are the signal that ended it.
        if status & 0x7f == SIGXCPU { throw DeskProblem.limit(.seconds, limits.seconds) }
        // An array that grows needs its size three times for a moment, so the process ends well below the limit.
        if usage.ru_maxrss >> 10 > limits.megabytes / 4 { throw DeskProblem.limit(.memory, limits.megabytes) }
        throw Failure(.internalError, "the look-up ended with status \(status)")
    }

    /// Starts the process. It reads this one's standard input, and inherits the limits, which this one has only
    /// meanwhile. Foundation's `Process` would need threads, and with them memory, under these limits.
    private func start(_ variables: [String: String]) throws -> (process: pid_t, output: FileHandle) {
        let pipe = Pipe()
        let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let words = ([path] + Main.arguments).map { strdup($0) } + [nil]
        let environment = variables.merging([Self.mark: "1"]) { $1 }.map { strdup($0 + "=" + $1) } + [nil]
        defer { for text in words + environment { free(text) } }
        var (actions, attributes, none) = (posix_spawn_file_actions_t(), posix_spawnattr_t(), sigset_t())
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, pipe.fileHandleForWriting.fileDescriptor, STDOUT_FILENO)
        // A web server may have blocked or ignored the signal that the time limit sends.
        posix_spawnattr_init(&attributes)
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var ignored = none
        sigaddset(&ignored, SIGXCPU)
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        let own = impose()
        var process: pid_t = 0
        let problem = posix_spawn(&process, path, &actions, &attributes, words, environment)
        for (kind, var limit) in own { setrlimit(kind, &limit) }
        if problem != 0 { throw Failure.system(problem, cannot: "start", path, otherwise: .internalError) }
        try pipe.fileHandleForWriting.close()
        return (process, pipe.fileHandleForReading)
    }

    /// Limits this process, and with it what it starts. Returns the limits that it had.
    private func impose() -> [(kind: Int32, limit: rlimit)] {
        [(RLIMIT_CPU, limits.seconds), (RLIMIT_DATA, limits.megabytes << 20)].map { kind, most in
            var limit = rlimit()
            getrlimit(Int32(kind.rawValue), &limit)
            let own = limit
            limit.rlim_cur = min(limit.rlim_max, rlim_t(most))
            setrlimit(Int32(kind.rawValue), &limit)
            return (Int32(kind.rawValue), own)
        }
    }
}
