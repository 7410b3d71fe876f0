internal import Base
public import Console
internal import Foundation
internal import Glibc
internal import Settings

/// A file of lines to which single answers of Apple's are added. Each addition replaces the file as a whole.
public struct GrowingFile {
    private let path: String

    /// The file at the path, which need not exist.
    public init(_ path: String) { self.path = path }

    /// The file's lines; none if it does not exist.
    func lines() throws(Failure) -> [String] {
        guard exists(path) else { return [] }
        guard let contents = FileManager.default.contents(atPath: path) else {
            throw .system(errno == 0 ? EIO : errno, cannot: "read", path, otherwise: .inputOutput)
        }
        return String(decoding: contents, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Adds the lines that the file does not have yet.
    ///
    /// Two programs may add at the same time; one waits for the other.
    public func add(_ news: [String]) throws(Failure) {
        guard !news.isEmpty else { return }
        try Initially.makeFolder(of: path)
        let lock = try FileLock(folderOf(path) + "/.append.lock", waits: true)
        defer { lock?.release() }
        let old = try lines()
        var known = Set(old)
        let all = old + news.filter { known.insert($0).inserted }
        guard all.count > old.count else { return }
        var file = try WholeNewFile(path)
        try file.write(Array((all.joined(separator: "\n") + "\n").utf8))
        try file.publish()
    }
}

/// A lock of the system's on a file, which ends with the process that holds it.
final class FileLock {
    private let descriptor: Int32

    /// Nil if another process holds it and `waits` is false.
    init?(_ path: String, waits: Bool) throws(Failure) {
        descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno, cannot: "create", path, otherwise: .cannotCreate) }
        if uninterrupted({ flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) }) != 0 {
            close(descriptor)
            return nil
        }
    }

    func release() { flock(descriptor, LOCK_UN) }

    deinit { close(descriptor) }
}

enum Initially {
    /// Creates the folder of a feed's file where the date is part of the folder's name. The folder above it must exist,
    /// because a missing inbox is more likely a disk that is not mounted.
    static func makeFolder(of path: String) throws(Failure) {
        let folder = folderOf(path)
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw .system(errno, cannot: "create", folder, otherwise: .cannotCreate)
        }
    }
}
