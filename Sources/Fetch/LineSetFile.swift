internal import Glibc

/// A file of lines to which single answers of Apple's are added. Each addition replaces the file as a whole.
public struct LineSetFile {
    private let path: String

    /// The file at the path, which need not exist.
    public init(_ path: String) { self.path = path }

    /// The file's lines; none if it does not exist.
    func lines() throws(Failure) -> [String] {
        guard exists(path) else { return [] }
        return String(decoding: try contents(of: path), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Adds the lines that the file does not have yet.
    ///
    /// Two programs may add at the same time; one waits for the other.
    public func add(_ news: [String]) throws(Failure) {
        guard !news.isEmpty else { return }
        try makeDayFolder(of: path)
        let lock = try OpenFile(locking: folderOf(path) + "/.append.lock")
        _ = lock.lock(waits: true)
        defer { lock.unlock() }
        let old = try lines()
        var known = Set(old)
        let all = old + news.filter { known.insert($0).inserted }
        guard all.count > old.count else { return }
        var file = try AtomicFile(path)
        try file.write(Array((all.joined(separator: "\n") + "\n").utf8))
        try file.publish()
    }
}

extension OpenFile {
    /// A file to lock, which is created if it does not exist.
    public init(locking path: String) throws(Failure) {
        self = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, to: "create")
    }
}

/// Creates the folder of a feed's file where the date is part of the folder's name. The folder above it must exist, because
/// a missing inbox is more likely a disk that is not mounted.
public func makeDayFolder(of path: String) throws(Failure) {
    let folder = folderOf(path)
    if mkdir(folder, 0o700) != 0, errno != EEXIST {
        throw .system(errno, cannot: "create", folder, otherwise: .cannotCreate)
    }
}
