internal import Domain
internal import Glibc

/// The folder that a run's reports are written into, and the digests of what is in it.
struct ReportFolder: ~Copyable {
    let path: String
    let descriptor: Int32
    private let fileMode: mode_t
    private var digests: [(name: String, digest: Digest256)] = []

    init(_ path: String, fileMode: mode_t) throws(ReportError) {
        self.path = path
        self.fileMode = fileMode
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, code: errno) }
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Creates a file, lends it to `write`, and syncs it.
    mutating func add(
        _ name: String, _ write: (inout OutputFile) throws(ReportError) -> Void
    ) throws(ReportError) {
        var file = try OutputFile(name, in: self, mode: fileMode)
        try write(&file)
        digests.append((name, try file.finish()))
    }

    mutating func add(_ name: String, text: String) throws(ReportError) {
        try add(name) { file throws(ReportError) in try file.append(text.utf8) }
    }

    /// Writes `SHA256SUMS` of all files added, and syncs the folder.
    consuming func finish() throws(ReportError) {
        let sorted = digests.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        try add("SHA256SUMS", text: sorted.map { "\($0.digest.hex)  \($0.name)\n" }.joined())
        try sync()
    }

    borrowing func sync() throws(ReportError) {
        guard fsync(descriptor) == 0 else { throw .cannotWrite(path: path, code: errno) }
    }
}
