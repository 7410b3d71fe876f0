internal import Glibc

/// One file of a report: its name, and a function that writes it.
struct ReportPart: Sendable {
    let name: String
    let write: @Sendable (inout OutputFile) throws(ReportError) -> Void

    init(_ name: String, _ write: @escaping @Sendable (inout OutputFile) throws(ReportError) -> Void) {
        self.name = name
        self.write = write
    }
}

/// The folder that a report is written into.
struct ReportFolder: ~Copyable {
    let path: String
    private let descriptor: Int32
    private let fileMode: mode_t

    init(_ path: String, fileMode: mode_t) throws(ReportError) {
        self.path = path
        self.fileMode = fileMode
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, code: errno) }
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Writes and syncs all parts, up to `threads` of them at the same time, then `SHA256SUMS` and the folder itself.
    /// Bytes count as work once they are on disk.
    consuming func write(_ parts: [ReportPart], threads: Int, work: WorkCount) throws(ReportError) {
        let place = (path: path, descriptor: descriptor, mode: fileMode)
        let results = concurrently(threads: threads, parts.count) { number in
            Result { () throws(ReportError) in try Self.write(parts[number], in: place, work: work) }
        }
        try list(parts, results)
    }

    /// Writes a file that keeps all cores busy, and the other parts on each core that has nothing left to do for it; then as
    /// above.
    ///
    /// - Parameter large: writes the file, and runs all that it is given, on any thread.
    consuming func write(
        _ name: String, beside parts: [ReportPart], work: WorkCount,
        _ large: @escaping @Sendable (inout OutputFile, [@Sendable () -> Void]) throws(ReportError) -> Void
    ) throws(ReportError) {
        let place = (path: path, descriptor: descriptor, mode: fileMode)
        let done = OrderedReducer<Result<Digest256, ReportError>, [Result<Digest256, ReportError>]>(into: []) {
            $0.append($1)
        }
        let others = parts.enumerated().map { number, part in
            { @Sendable in
                done.add(Result { () throws(ReportError) in try Self.write(part, in: place, work: work) }, at: number)
            }
        }
        let part = ReportPart(name) { file throws(ReportError) in try large(&file, others) }
        let digest = try Self.write(part, in: place, work: work)
        try list([part] + parts, [.success(digest)] + done.result().whole)
    }

    /// Adds the list of digests.
    private borrowing func list(
        _ parts: [ReportPart], _ results: [Result<Digest256, ReportError>]
    ) throws(ReportError) {
        var lines: [(name: String, line: String)] = []
        for (part, result) in zip(parts, results) {
            lines.append((part.name, "\(try result.get().hex)  \(part.name)\n"))
        }
        lines.order { $0.name.isBefore($1.name) }
        let sums = lines.map(\.line).joined()
        try add(ReportPart("SHA256SUMS") { file throws(ReportError) in try file.append(sums.utf8) })
    }

    /// Writes and syncs one file that is not listed in `SHA256SUMS`, and the folder itself.
    borrowing func add(_ part: ReportPart) throws(ReportError) {
        _ = try Self.write(part, in: (path: path, descriptor: descriptor, mode: fileMode), work: WorkCount())
        guard fsync(descriptor) == 0 else { throw .cannotWrite(path: path, code: errno) }
    }

    private static func write(
        _ part: ReportPart, in place: (path: String, descriptor: Int32, mode: mode_t), work: WorkCount
    ) throws(ReportError) -> Digest256 {
        var file = try OutputFile(part.name, in: place.path, descriptor: place.descriptor, mode: place.mode)
        try part.write(&file)
        return try file.finish(work)
    }
}
