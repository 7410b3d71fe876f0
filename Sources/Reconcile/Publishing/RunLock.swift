internal import Foundation
internal import Glibc

/// Allows one run at a time, by an advisory lock on a file beside the ledger. The kernel releases the lock of a process
/// that ends, however it ends.
struct RunLock: ~Copyable {
    private let file: OpenFile

    /// - Throws: `Failure` with `busy`, which says who holds the lock and since when; `noPermission`, `cannotCreate`.
    init(of ledger: String, now: Instant) throws(Failure) {
        // A ledger reached by two names (a link) is one ledger.
        let path = (Self.real(ledger) ?? ledger) + ".lock"
        let file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW)
        guard file.lock(waits: false) else {
            throw Failure(
                .busy, "another run is using the ledger: \(Self.holder(file))",
                remedy: "Wait until it has ended and run again.")
        }
        let line = Array("process \(getpid()) since \(now.text)\n".utf8)
        guard ftruncate(file.descriptor, 0) == 0 else {
            throw .system(errno, cannot: "write", path, otherwise: .inputOutput)
        }
        try file.write(line)
        self.file = file
    }

    deinit { file.unlock() }

    /// The process that holds the lock now, as far as the system says. Nil without one. It does not try to take the
    /// lock, because that could make a night fail.
    static func holder(of ledger: String) -> String? {
        guard let file = try? OpenFile((real(ledger) ?? ledger) + ".lock", O_RDONLY | O_NOFOLLOW),
            let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
        else { return nil }
        let holder = holder(file)
        return isHeld(by: holder, inode: UInt64(file.status.st_ino), locks) ? holder : nil
    }

    /// Whether the process named in the file holds a lock on it, by the system's list. The inode alone may be that of a file
    /// on another disk. A process that has just taken the lock has read nothing yet.
    ///
    /// - Parameters:
    ///   - holder: `process 708 since …`.
    ///   - locks: lines such as `1: FLOCK  ADVISORY  WRITE 708 00:13:3939 0 EOF`, which end in device and inode.
    static func isHeld(by holder: String, inode: UInt64, _ locks: String) -> Bool {
        locks.split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            return words.count > 5 && words[1] == "FLOCK" && words[5].hasSuffix(":\(inode)")
                && holder.hasPrefix("process \(words[4]) ")
        }
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func holder(_ file: borrowing OpenFile) -> String {
        let line = String(decoding: (try? file.read(upTo: 200)) ?? [], as: UTF8.self)
        return line.split(separator: "\n").first.map { display(String($0)) } ?? "a process that has just started"
    }
}
