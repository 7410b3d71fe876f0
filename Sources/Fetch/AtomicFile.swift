internal import Glibc

/// A file that appears under its name only when all of it is on disk. Until then it is hidden (`.NAME.part`), and no feed
/// matches it. What a killed run left is overwritten.
public struct AtomicFile: ~Copyable {
    private let path: String
    private let hidden: String
    private let file: OpenFile
    private var buffer: [UInt8] = []
    private var isPublished = false
    private static let bufferMax = 1 << 20

    public init(_ path: String) throws(Failure) {
        self.path = path
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        hidden = folderOf(path) + "/." + name + ".part"
        unlink(hidden)
        file = try OpenFile(hidden, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, to: "create")
    }

    deinit { if !isPublished { unlink(hidden) } }

    public mutating func write(_ bytes: [UInt8]) throws(Failure) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferMax { try flush() }
    }

    private mutating func flush() throws(Failure) {
        defer { buffer.removeAll(keepingCapacity: true) }
        try file.write(buffer)
    }

    /// Puts all of it on disk. The file has no name yet.
    public mutating func complete() throws(Failure) {
        try flush()
        try file.sync()
    }

    /// Gives the file its name. An earlier file of that name is replaced.
    public mutating func publish() throws(Failure) {
        try complete()
        guard rename(hidden, path) == 0 else {
            throw .system(errno, cannot: "rename", hidden, otherwise: .cannotCreate)
        }
        isPublished = true
        try sync(folderOf(path))
    }
}
