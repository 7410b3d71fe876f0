internal import Base
internal import Console
internal import Domain
internal import Foundation
internal import Glibc
internal import Reports

/// Allows one run at a time, by an advisory lock on a file beside the ledger. The kernel releases the lock of a process
/// that ends, however it ends.
struct RunLock: ~Copyable {
    private let descriptor: Int32

    /// - Throws: `Failure` with `busy`, which says who holds the lock and since when; `noPermission`, `cannotCreate`.
    init(of ledger: String, now: Instant) throws(Failure) {
        // A ledger reached by two names (a link) is one ledger.
        let path = (Self.real(ledger) ?? ledger) + ".lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(errno, cannot: "open", path, otherwise: .cannotCreate) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw Failure(
                .busy, "another run is using the ledger: \(Self.holder(descriptor))",
                remedy: "Wait until it has ended and run again.")
        }
        let line = Array("process \(getpid()) since \(now.text)\n".utf8)
        let error = ftruncate(descriptor, 0) == 0 ? writeAll(line, to: descriptor) : errno
        guard error == 0 else { throw .system(error, cannot: "write", path, otherwise: .inputOutput) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // Closing alone would leave the lock to a child process that was forked meanwhile, until it executes its
        // program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The process that holds the lock now, as far as the system says. Nil if none does. It does not try to take the
    /// lock, because that could make a night fail.
    static func holder(of ledger: String) -> String? {
        let descriptor = open((real(ledger) ?? ledger) + ".lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0,
            let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
        else { return nil }
        // `1: FLOCK  ADVISORY  WRITE 708 00:13:3939 0 EOF`; the file is given as device and inode.
        let isHeld = locks.split(separator: "\n").contains {
            $0.contains("FLOCK") && $0.contains(":\(status.st_ino) ")
        }
        return isHeld ? holder(descriptor) : nil
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func holder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let line = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        return line.split(separator: "\n").first.map { display(String($0)) } ?? "a process that has just started"
    }
}
