internal import Domain
internal import Glibc
internal import Reports

/// One run at a time: an advisory lock on a file beside the ledger. The kernel drops a dead process's lock.
struct RunLock: ~Copyable {
    private let descriptor: Int32

    /// - Throws: `Failure` with `busy` that says who holds it since when; `noPermission`, `cannotCreate`.
    init(besides ledger: String, now: Instant) throws(Failure) {
        let path = ledger + ".lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(errno, cannot: "open", path, otherwise: .cannotCreate) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw Failure(
                .busy, "another run holds the ledger: \(Self.holder(descriptor))",
                remedy: "Wait for it to end and run again.")
        }
        let line = Array("process \(getpid()) since \(now.text)\n".utf8)
        let error = ftruncate(descriptor, 0) == 0 ? writeAll(line, to: descriptor) : errno
        guard error == 0 else { throw .system(error, cannot: "write", path, otherwise: .inputOutput) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private static func holder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let line = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        return line.split(separator: "\n").first.map { display(String($0)) } ?? "a process that has just started"
    }
}
