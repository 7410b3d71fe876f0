public import Glibc

/// An open file. It is closed, and with it every lock on it ends, when the value ends.
public struct OpenFile: ~Copyable {
    private let path: String
    /// The system's number of the file, valid as long as this value.
    public let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - flags: those of open(2). No other program that is started inherits the file.
    ///   - mode: the permissions of a new file, of which the umask takes some away.
    ///   - name: the file's name in messages; nil for `path`.
    ///   - task: what is attempted, as a verb.
    ///   - otherwise: the exit code for errors without one of their own.
    public init(
        _ path: String, _ flags: Int32, mode: mode_t = 0o600, shownAs name: String? = nil, to task: String = "open",
        otherwise: ExitCode = .cannotCreate
    ) throws(Failure) {
        self.path = name ?? path
        descriptor = open(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .system(errno, cannot: task, self.path, otherwise: otherwise) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Its type, permissions and owner.
    public var status: stat {
        var status = stat()
        fstat(descriptor, &status)
        return status
    }

    /// Reads to the end, or up to a number of bytes.
    public func read(upTo most: Int, otherwise: ExitCode = .inputOutput) throws(Failure) -> [UInt8] {
        let (bytes, error) = readAll(upTo: most) { memory, _ in
            Glibc.read(descriptor, memory.baseAddress, memory.count)
        }
        if error != 0 { throw .system(error, cannot: "read", path, otherwise: otherwise) }
        return bytes
    }

    /// Writes all of the bytes.
    ///
    /// - Parameter isDurable: whether they must survive a loss of power.
    public func write(_ bytes: [UInt8], isDurable: Bool = false) throws(Failure) {
        var error = writeAll(bytes, to: descriptor)
        if error == 0, isDurable, fsync(descriptor) != 0 { error = errno }
        if error != 0 { throw .system(error, cannot: "write", path, otherwise: .inputOutput) }
    }

    /// Waits until the content is on disk. A failed sync is never retried: the data it could not write may be lost.
    public func sync() throws(Failure) {
        guard fsync(descriptor) == 0 else { throw .system(errno, cannot: "sync", path, otherwise: .inputOutput) }
    }

    /// Takes the lock that one process at a time can have. False if another one has it and `waits` is false.
    public func lock(waits: Bool) -> Bool {
        uninterrupted { flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) } == 0
    }

    /// Gives the lock back. Closing alone would leave it to a child process that was forked meanwhile, until it executes
    /// its program.
    public func unlock() { flock(descriptor, LOCK_UN) }
}
