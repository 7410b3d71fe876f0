internal import CSpawn
internal import Glibc

/// A program in a session of its own, without standard input, whose output this process reads.
///
/// Its session is its process group as well, so that everything that it starts and that stays in the group ends with it.
final class ChildProcess {
    /// The process, and its group.
    private let id: pid_t
    private(set) var output: Pipe
    private(set) var errors: Pipe
    private(set) var ending: Ending?
    /// Whether `end` was called.
    private var isOver = false

    enum Ending: Equatable {
        case exited(Int32)
        case signal(Int32)
    }

    /// The reading end of a pipe. It is closed at its end.
    struct Pipe {
        fileprivate(set) var descriptor: Int32
        var isOpen: Bool { descriptor >= 0 }

        /// What can be read now, at most as many bytes as `memory` holds. Nothing at the end, after which the pipe is closed,
        /// and where there is nothing yet.
        mutating func read(into memory: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer {
            let count = uninterrupted { Glibc.read(descriptor, memory.baseAddress, memory.count) }
            if count == 0 || count < 0 && errno != EAGAIN { end() }
            return UnsafeRawBufferPointer(rebasing: memory[..<max(0, count)])
        }

        fileprivate mutating func end() {
            if isOpen { close(descriptor) }
            descriptor = -1
        }
    }

    /// Starts a program.
    /// - Parameters:
    ///   - words: the program, which is searched in `PATH` if it has no slash, and its arguments.
    ///   - environment: all of its environment, as `NAME=value`.
    ///   - folder: its working folder.
    /// - Throws: `StartFailure`.
    init(_ words: [String], environment: [String], in folder: String) throws(StartFailure) {
        var (out, err): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&out) == 0 else { throw StartFailure(error: errno) }
        guard pipe(&err) == 0 else {
            out.forEach { close($0) }
            throw StartFailure(error: errno)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addchdir_np(&actions, folder)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO)
        // Such as the pipes of other programs, which must end with those.
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process ignores some signals; the program must not.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        let flags = Self.ownSession | Int(POSIX_SPAWN_SETSIGDEF) | Int(POSIX_SPAWN_SETSIGMASK)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var id: pid_t = 0
        let error = posix_spawnp(&id, words[0], &actions, &attributes, &arguments, &variables)
        close(out[1])
        close(err[1])
        guard error == 0 else {
            close(out[0])
            close(err[0])
            throw StartFailure(error: error)
        }
        for reader in [out[0], err[0]] { _ = fcntl(reader, F_SETFL, O_NONBLOCK) }
        self.id = id
        output = Pipe(descriptor: out[0])
        errors = Pipe(descriptor: err[0])
    }

    /// POSIX_SPAWN_SETSID of glibc.
    private static let ownSession = 0x80

    struct StartFailure: Error { var error: Int32 }

    /// Waits until there is something to read, for at most so many milliseconds.
    func wait(milliseconds: Int32) {
        var polls = [output, errors].filter(\.isOpen).map {
            pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
        }
        poll(&polls, nfds_t(polls.count), milliseconds)
    }

    func readOutput(into memory: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer { output.read(into: memory) }
    func readErrors(into memory: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer { errors.read(into: memory) }

    /// Whether the program has ended. Its number is not free before `end`, so that the group can be killed.
    func hasEnded() -> Bool {
        if ending != nil { return true }
        var status = siginfo_t()
        guard waitid(P_PID, id_t(id), &status, WEXITED | WNOHANG | WNOWAIT) == 0, status._sifields._sigchld.si_pid == id
        else { return false }
        let code = status._sifields._sigchld.si_status
        ending = status.si_code == CLD_EXITED ? .exited(code) : .signal(code)
        return true
    }

    /// Ends what is left of the group: first it is asked to, unless the program has ended by itself. A second call does nothing,
    /// because the system may have given the group's number to other processes.
    func end(patience: Milliseconds) {
        if isOver { return }
        isOver = true
        if !hasEnded() {
            kill(-id, SIGTERM)
            var left = patience.count
            while !hasEnded(), left > 0 {
                usleep(20_000)
                left -= 20
            }
        }
        kill(-id, SIGKILL)
        var status: Int32 = 0
        _ = uninterrupted { Int(waitpid(id, &status, 0)) }
        output.end()
        errors.end()
    }
}
